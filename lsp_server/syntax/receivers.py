"""What a name is used on: `x` in `x.get()`, read from the bytes before the name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from lsp_server.model.facts import COMPLEX_RECEIVER

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

ReceiverOf = Callable[[int], int]
"""The receiver of the name at a byte offset: its name index, 0 without one, COMPLEX_RECEIVER for a nameless one."""


def receiver_reader(language: Language, source: bytes, name_at_end: Mapping[int, int], names: Names) -> ReceiverOf:
    """A reader for names of `source`. `name_at_end` holds the name index of each identifier by its end offset."""
    dots = b"." in language.separators
    colons = b"::" in language.separators
    arrows = b"->" in language.separators
    ends = frozenset((_DOT,) * dots + (_COLON,) * colons + (_GREATER,) * arrows)

    def receiver_of(start: int) -> int:
        at = start - 1
        if at < 0:
            return 0
        byte = source[at]
        spaced = byte in _SPACES
        if spaced:
            at = _skip(source, at, _SPACES)
            byte = source[at] if at >= 0 else 0
        if byte not in ends or at < 1:
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
        known = name_at_end.get(at + 1)
        if known is not None:
            return known
        separator = at
        at = _skip(source, _skip(source, at, _MARKS), _SPACES)
        known = name_at_end.get(at + 1)
        if known is None and at < separator and _in_comment(source, at, separator, language):
            return COMPLEX_RECEIVER
        return known if known is not None else _spelled(source, at + 1, names)

    return receiver_of


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
    line = source[source.rfind(b"\n", 0, at) + 1 : end]
    return line.lstrip().startswith(language.comments) or any(mark in line for mark in language.comments[:2])


def _spelled(source: bytes, end: int, names: Names) -> int:
    """The receiver that ends at `end` but was not captured (`this`, `self`, a keyword)."""
    start = end
    while start > 0 and source[start - 1] in _WORD_BYTES:
        start -= 1
    if start < end:
        return COMPLEX_RECEIVER if source[start] in _DIGITS else names[source[start:end]]
    return COMPLEX_RECEIVER if end > 0 and source[end - 1] in _CLOSERS else 0
