"""What a resolver remembers, and on what each answer rests, so that an edit takes away only what it may change.

An answer rests on the files whose facts were looked at, on looks at the index by a name (`reads.py`), and on other
answers. All are noted while it is looked up, by themselves: nobody has to name them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar, cast

from ..snapshot import SymbolId
from .reads import DEFINED, Ground

MAX_TRIES = 2
MAX_DEPTH = 60
"""Deeper look-ups are given up; each level is a few Python frames."""

_MANY = 32
"""More grounds than these are kept once each."""

Key = tuple[Hashable, ...]
"""What is asked, then the file, definition or name that it is asked of, then the rest."""

Answer = TypeVar("Answer")

_KNOWN, _DOUBTFUL, _BUSY = 0, 1, 2


class _Held:
    """An answer and its grounds: equal to itself alone, so that it can be looked for quickly."""

    __slots__ = ("grounds", "key", "state", "value")

    def __init__(self, key: Key) -> None:
        self.key = key
        self.state = _BUSY
        self.value: object = None
        # Whoever looks an answer up may already hold the facts of the file that it is asked of.
        self.grounds: list[object] = [*key[1:2]]


class Memory:
    """Answers that a resolver remembers.

    Looking up a name may lead back to the same name (a class whose base is named like its member). Such a
    circle means nothing where it closes; what was found meanwhile is looked up again when it is asked for
    alone, at most MAX_TRIES times. `doubts` counts every answer that a circle has touched, and every use of one.
    What was found in doubt depends on where a request began and does not outlive it.

    The plain dictionaries hold what rests on the set of files, their flags, languages, packages and projects alone, and
    `definitions` and `by_folder` on where their name is defined.
    """

    def __init__(self) -> None:
        self.definitions: dict[tuple[str, str], list[SymbolId]] = {}
        self.families: dict[str, str] = {}
        self.tests: dict[str, bool] = {}
        self.by_folder: dict[tuple[str, str], dict[str, list[SymbolId]]] = {}
        self.folders: dict[tuple[str, str], str | None] = {}
        self.packages: dict[str, tuple[str, ...]] = {}
        self.modules: dict[tuple[str, str], tuple[str, ...]] = {}
        self.visible: dict[str, frozenset[str]] = {}
        self._known: dict[Key, _Held] = {}
        self._order: list[_Held] = []
        """The same as they were found: an answer stands behind its grounds."""
        self._noted: list[object] = []
        self._tries: dict[Key, int] = {}
        self.doubts = 0
        self._circles = 0
        self._depth = 0

    def __len__(self) -> int:
        return len(self._known)

    def __contains__(self, key: Key) -> bool:
        return key in self._known

    def note(self, ground: Ground) -> None:
        """The answer that is being looked up rests on `ground`."""
        self._noted.append(ground)

    def settle(self) -> None:
        """Forget the answers that depend on where in a circle a request began."""
        self._noted = []
        if self.doubts:
            self._keep([held for held in self._order if held.state == _KNOWN])
            self._tries.clear()
            self.doubts = self._circles = 0

    def forget(self, changed: Iterable[Ground]) -> None:
        """Forget every answer that rests on one of `changed`, directly or through others. Between requests."""
        gone = set[object](changed)
        kept: list[_Held] = []
        for held in self._order:
            if gone.isdisjoint(held.grounds):
                kept.append(held)
            else:
                gone.add(held)
        self._keep(kept)
        for known in (self.definitions, self.by_folder):
            for key in [key for key in known if (DEFINED, key[0]) in gone]:
                del known[key]

    def _keep(self, kept: list[_Held]) -> None:
        self._order = kept
        self._known = {held.key: held for held in kept}

    def once(self, key: Key, nothing: Answer, look_up: Callable[[], Answer]) -> Answer:
        """The remembered answer to `key`, else what `look_up` finds; `nothing` where it asks for itself.

        When `look_up` already holds facts of a file, that file stands second in `key`.
        """
        held = self._known.get(key)
        if held is not None:
            if held.state == _BUSY:
                self._circles += 1
                self.doubts += 1
                return nothing
            return cast(Answer, self._used(held))
        if self._depth >= MAX_DEPTH:
            self._circles += 1
            self.doubts += 1
            return nothing
        held = self._known[key] = _Held(key)
        self._depth += 1
        circles = self._circles
        try:
            found = self._look_up(held, look_up)
        finally:
            self._depth -= 1
        if self._circles != circles and self._depth and self._tries.get(key, 0) < MAX_TRIES:
            self._tries[key] = self._tries.get(key, 0) + 1
            del self._known[key]
        else:
            self._order.append(held)
        return found

    def kept(self, key: Key, look_up: Callable[[], Answer]) -> Answer:
        """The same for what never leads back to itself: it is no level of its own."""
        held = self._known.get(key)
        if held is not None:
            return cast(Answer, self._used(held))
        held = self._known[key] = _Held(key)
        found = self._look_up(held, look_up)
        self._order.append(held)
        return found

    def _used(self, held: _Held) -> object:
        if held.state:
            self.doubts += 1
        self._noted.append(held)
        return held.value

    def _look_up(self, held: _Held, look_up: Callable[[], Answer]) -> Answer:
        outer, doubts = self._noted, self.doubts
        self._noted = held.grounds
        try:
            found = look_up()
        except BaseException:
            del self._known[held.key]
            raise
        finally:
            self._noted = outer
        if len(held.grounds) > _MANY:
            held.grounds = list(dict.fromkeys(held.grounds))
        held.value = found
        held.state = _KNOWN if self.doubts == doubts else _DOUBTFUL
        outer.append(held)
        return found
