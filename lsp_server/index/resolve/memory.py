"""What a resolver remembers, and on what each answer rests, so that an edit takes away only what it may change.

An answer rests on the files whose facts were looked at, on looks at the index by a name (`reads.py`), and on other
answers. All are noted while it is looked up, by themselves: nobody has to say them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar, cast

from ..snapshot import SymbolId
from .reads import DEFINED, Ground

MAX_TRIES = 2
MAX_DEPTH = 60
"""Deeper look-ups are given up; each level is a few Python frames."""

Key = tuple[Hashable, ...]
"""What is asked, then the file, definition or name that it is asked of, then the rest."""

Answer = TypeVar("Answer")
_UNKNOWN, _BUSY = object(), object()


class Memory:
    """Answers that a resolver remembers.

    Looking up a name may lead back to the same name (a class whose base is named like its member). Such a
    circle means nothing where it closes; what was found meanwhile is looked up again when it is asked for
    alone, at most MAX_TRIES times. `doubts` counts every answer that a circle has touched, and every use of one.
    What was found in doubt depends on where a request began and does not outlive it.

    The plain dictionaries hold what rests on the set of files, their languages, packages and projects alone, and
    `definitions` and `by_folder` on where their name is defined.
    """

    def __init__(self) -> None:
        self.definitions: dict[tuple[str, str], list[SymbolId]] = {}
        self.families: dict[str, str] = {}
        self.by_folder: dict[tuple[str, str], dict[str, list[SymbolId]]] = {}
        self.folders: dict[tuple[str, str], str | None] = {}
        self.packages: dict[str, tuple[str, ...]] = {}
        self.visible: dict[str, frozenset[str]] = {}
        self._known: dict[Key, object] = {}
        self._grounds: dict[Key, tuple[Ground | Key, ...]] = {}
        """On what each answer rests, in the order in which they were found: an answer stands behind its grounds."""
        self._noted: set[Ground | Key] = set()
        self._tries: dict[Key, int] = {}
        self._doubtful: set[Key] = set()
        self.doubts = 0
        self._circles = 0
        self._depth = 0

    def __len__(self) -> int:
        return len(self._known)

    def __contains__(self, key: Key) -> bool:
        return key in self._known

    def note(self, ground: Ground) -> None:
        """The answer that is being looked up rests on `ground`."""
        self._noted.add(ground)

    def settle(self) -> None:
        """Forget the answers that depend on where in a circle a request began."""
        self._noted = set()
        if not self.doubts:
            return
        for key in tuple(self._doubtful):
            self._forget(key)
        self._tries.clear()
        self.doubts = self._circles = 0

    def forget(self, changed: Iterable[Ground]) -> None:
        """Forget every answer that rests on one of `changed`, directly or through others. Between requests."""
        gone = set[Ground | Key](changed)
        for key, grounds in self._grounds.items():
            if not gone.isdisjoint(grounds):
                gone.add(key)
        for key in [key for key in self._grounds if key in gone]:
            self._forget(key)
        for known in (self.definitions, self.by_folder):
            for name, family in [key for key in known if (DEFINED, key[0]) in gone]:
                del known[name, family]

    def once(self, key: Key, nothing: Answer, look_up: Callable[[], Answer]) -> Answer:
        """The remembered answer to `key`, else what `look_up` finds; `nothing` where it asks for itself.

        When `look_up` already holds facts of a file, that file stands second in `key`.
        """
        self._noted.add(key)
        known = self._known.get(key, _UNKNOWN)
        if known is _BUSY:
            self._circles += 1
            self.doubts += 1
            return nothing
        if known is not _UNKNOWN:
            if key in self._doubtful:
                self.doubts += 1
            return cast(Answer, known)
        if self._depth >= MAX_DEPTH:
            self._circles += 1
            self.doubts += 1
            return nothing
        self._known[key] = _BUSY
        self._depth += 1
        circles = self._circles
        try:
            return self._found(key, look_up)
        finally:
            self._depth -= 1
            if self._circles != circles and self._depth and self._tries.get(key, 0) < MAX_TRIES:
                self._tries[key] = self._tries.get(key, 0) + 1
                self._forget(key)

    def kept(self, key: Key, look_up: Callable[[], Answer]) -> Answer:
        """The same for what never leads back to itself: it is no level of its own."""
        self._noted.add(key)
        known = self._known.get(key, _UNKNOWN)
        if known is _UNKNOWN:
            return self._found(key, look_up)
        if key in self._doubtful:
            self.doubts += 1
        return cast(Answer, known)

    def _found(self, key: Key, look_up: Callable[[], Answer]) -> Answer:
        outer, doubts = self._noted, self.doubts
        self._noted = noted = set[Ground | Key](cast("tuple[Ground | Key, ...]", key[1:2]))
        try:
            found = look_up()
        except BaseException:
            self._known.pop(key, None)
            raise
        finally:
            self._noted = outer
        self._known[key] = found
        self._grounds[key] = tuple(noted)
        if self.doubts != doubts:
            self._doubtful.add(key)
        return found

    def _forget(self, key: Key) -> None:
        self._known.pop(key, None)
        self._grounds.pop(key, None)
        self._doubtful.discard(key)
