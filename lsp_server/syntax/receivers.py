"""What a name is used on: `x` in `x.get()`, read from the bytes before the name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lsp_server.model.facts import COMPLEX_RECEIVER
from lsp_server.model.values import Value

from .columns import bases_of
from .languages import Language
from .names import Names

MAX_GAP = 512
"""White space between a separator and its neighbours is followed this far."""

_DOT, _COLON, _GREATER, _MINUS = b".:>-"
_SPACES = frozenset(b" \t\r\n\f\v")
_MARKS = frozenset(b"?!&")
_WORD_BYTES = frozenset((*range(0x80, 0x100), *b"_$@", *(c for c in range(128) if chr(c).isalnum())))
_DIGITS = frozenset(b"0123456789")
_CLOSERS = frozenset(b")]}\"'`>/!")
_IS_CLOSER = np.array([code in b")]}\"'`" for code in range(256)])
"""Of these closers the ones before which nothing more can be found."""

Longs = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]


class Named(NamedTuple):
    """Identifiers in order of start: place and name index."""

    starts: Longs
    ends: Longs
    names: Longs


class Joined(Value):
    """Several files as one text (see `columns`), each with the names it uses."""

    source: bytes
    bases: Longs
    names: Sequence[Names]

    @classmethod
    def of(cls, sources: Sequence[bytes], names: Sequence[Names]) -> Joined:
        """The files `sources`."""
        return cls(b"\0".join(sources), bases_of(sources), names)

    def files_of(self, offsets: Longs) -> Longs:
        """Which file holds each offset."""
        return self.bases.searchsorted(offsets, side="right") - 1


def receivers(language: Language, joined: Joined, known: Named, starts: Longs) -> Longs:
    """The receivers of the names at `starts`: name indices, 0 without one, COMPLEX_RECEIVER for a nameless one.

    `known` are all identifiers.
    """
    found = np.zeros(len(starts), dtype=np.int64)
    if not language.separators:
        return found
    behind = _Behind(language, joined, known)
    data = np.frombuffer(b"\0\0\0" + joined.source, dtype=np.uint8)  # data[at + 2] is the byte before offset `at`
    before = data[starts + 2]
    by_look: list[int] = []
    if b"." in language.separators:
        dotted = np.flatnonzero(before == _DOT)
        dotted = dotted[data[starts[dotted] + 1] != _DOT]
        by_look += behind.fill(found, dotted, starts[dotted] - 1, data)
    for separator, last, left in ((b"::", _COLON, _COLON), (b"->", _GREATER, _MINUS)):
        if separator in language.separators:
            marked = np.flatnonzero(before == last)
            marked = marked[data[starts[marked] + 1] == left]
            by_look += behind.fill(found, marked, starts[marked] - 2, data)
    near = max(0, int(starts[0]) - MAX_GAP - 2) if len(starts) else 0
    end = int(starts[-1]) if len(starts) else 0
    spaced = [match.end() for match in _spaced_separator(language).finditer(joined.source, near, end)]
    if spaced:
        ends = np.array(spaced, dtype=np.int64)
        at = starts.searchsorted(ends)
        by_look += at[np.append(starts, -1)[at] == ends].tolist()
    for at in by_look:
        found[at] = behind.receiver_of(int(starts[at]))
    return found


@cache
def _spaced_separator(language: Language) -> re.Pattern[bytes]:
    return re.compile(b"(?:%b)[ \t\r\n\f\v]+" % b"|".join(map(re.escape, language.separators)))


class _Behind:
    """Finds what stands behind a separator."""

    def __init__(self, language: Language, joined: Joined, known: Named) -> None:
        self._language, self._source, self._joined = language, joined.source, joined
        order = known.ends.argsort(kind="stable") if (known.ends[1:] < known.ends[:-1]).any() else slice(None)
        self._ends, self._ids = known.ends[order], known.names[order]

    def fill(self, found: Longs, which: Longs, ends: Longs, data: Bytes) -> list[int]:
        """Enter the receivers of `which` names, that end at `ends`; returns those that need a closer look."""
        at = self._ends.searchsorted(ends, side="right") - 1
        is_known = self._ends[at] == ends
        found[which] = np.where(is_known, self._ids[at], COMPLEX_RECEIVER)
        unclear = ~is_known
        unclear &= ~_IS_CLOSER[data[ends + 2]]
        return which[unclear].tolist()

    def _name_at_end(self, end: int) -> int | None:
        at = int(self._ends.searchsorted(end, side="right")) - 1
        return int(self._ids[at]) if at >= 0 and self._ends[at] == end else None

    def _names_at(self, offset: int) -> Names:
        joined = self._joined
        return joined.names[int(joined.bases.searchsorted(offset, side="right")) - 1]

    def receiver_of(self, start: int) -> int:
        """The receiver of the name at `start`."""
        source, language = self._source, self._language
        at = start - 1
        byte = source[at]
        spaced = byte in _SPACES
        if spaced:
            at = _skip(source, at, _SPACES)
            byte = source[at] if at >= 0 else 0
        if byte not in b".:>" or at < 1:
            return 0
        if spaced and _in_comment(source, at, start, language):
            return 0  # the full stop of a comment above the name
        left = source[at - 1]
        if byte == _DOT:
            if left == _DOT:
                return 0
            at -= 1
        elif left == (_COLON if byte == _COLON else _MINUS):
            at -= 2
        else:
            return 0
        known = self._name_at_end(at + 1)
        if known is not None:
            return known
        separator = at
        at = _skip(source, _skip(source, at, _MARKS), _SPACES)
        known = self._name_at_end(at + 1)
        if known is None and at < separator and _in_comment(source, at, separator, language):
            return COMPLEX_RECEIVER
        return known if known is not None else _spelled(source, at + 1, self._names_at(start))


def _skip(source: bytes, at: int, skipped: frozenset[int]) -> int:
    """The nearest offset from `at` to the left that holds none of `skipped`; -1 at the start of the text."""
    stop = max(-1, at - MAX_GAP)
    while at > stop and source[at] in skipped:
        at -= 1
    return at


def _in_comment(source: bytes, at: int, below: int, language: Language) -> bool:
    """True when the byte at `at` ends a line above offset `below` and belongs to a comment."""
    end = source.find(b"\n", at, below)
    if end < 0:
        return False
    start = max(source.rfind(b"\n", 0, at), source.rfind(b"\0", 0, at)) + 1
    line = source[start:end]
    return line.lstrip().startswith(language.comments) or any(mark in line for mark in language.comments[:2])


def _spelled(source: bytes, end: int, names: Names) -> int:
    """The receiver that ends at `end` but was not captured (`this`, `self`, a keyword)."""
    start = end
    while start > 0 and source[start - 1] in _WORD_BYTES:
        start -= 1
    if start < end:
        return COMPLEX_RECEIVER if source[start] in _DIGITS else names[source[start:end]]
    return COMPLEX_RECEIVER if end > 0 and source[end - 1] in _CLOSERS else 0
