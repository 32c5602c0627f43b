"""What a name is used on: `x` in `x.get()`, read from the bytes before the name."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lsp_server.model.facts import COMPLEX_RECEIVER

from .byte_lines import Offsets
from .languages import Language
from .names import Names

Bytes = NDArray[np.uint8]
Ids = NDArray[np.int32]

_MAX_GAP = 512
"""White space between a separator and its neighbours is followed this far."""

_DOT, _COLON, _GREATER, _MINUS = b".:>-"

_IS_SPACE = np.zeros(256, dtype=np.bool_)
_IS_SPACE[list(b" \t\r\n\f\v")] = True
_IS_MARK = np.zeros(256, dtype=np.bool_)
_IS_MARK[list(b"?!&")] = True
_WORD_BYTES = bytes(range(0x80, 0x100)) + b"_$@" + bytes(c for c in range(128) if chr(c).isalnum())
_CLOSERS = b")]}\"'`>/!"


def receivers(starts: Offsets, ends: Offsets, name_ids: Ids, language: Language, source: bytes, names: Names) -> Ids:
    """For each name its receiver's name index, 0 without one, COMPLEX_RECEIVER for a nameless one."""
    found = np.zeros(len(starts), dtype=np.int32)
    if not language.separators:
        return found
    data = np.frombuffer(source, dtype=np.uint8)
    before = _skip(data, starts - 1, _IS_SPACE)
    index, separator = _after_separator(data, before, language)
    if not len(index):
        return found
    marks = _skip(data, separator - 1, _IS_MARK)
    last = _skip(data, marks, _IS_SPACE) + 1
    nearest = np.searchsorted(ends, last)
    nearest[nearest == len(ends)] = 0
    known = ends[nearest] == last
    found[index[known]] = name_ids[nearest[known]]
    unknown = ~known
    for at, end in zip(index[unknown].tolist(), last[unknown].tolist(), strict=True):
        found[at] = _spelled(source, end, names)
    return found


def _skip(data: Bytes, at: Offsets, skipped: NDArray[np.bool_]) -> Offsets:
    """Move each offset left over `skipped` bytes; -1 when the text starts there."""
    result = at.copy()
    moving = np.flatnonzero((result >= 0) & skipped[data[np.maximum(result, 0)]])
    for _ in range(_MAX_GAP):
        if not len(moving):
            break
        result[moving] -= 1
        here = result[moving]
        moving = moving[(here >= 0) & skipped[data[np.maximum(here, 0)]]]
    return result


def _after_separator(data: Bytes, before: Offsets, language: Language) -> tuple[Offsets, Offsets]:
    """Which names stand after a separator, and where that separator starts."""
    here = np.where(before >= 0, data[np.maximum(before, 0)], 0)
    left = np.where(before >= 1, data[np.maximum(before - 1, 0)], 0)
    width = np.zeros(len(before), dtype=np.int64)
    if b"." in language.separators:
        width[(here == _DOT) & (left != _DOT)] = 1
    if b":" in language.separators:
        width[(here == _COLON) & (left != _COLON)] = 1
    if b"::" in language.separators:
        width[(here == _COLON) & (left == _COLON)] = 2
    if b"->" in language.separators:
        width[(here == _GREATER) & (left == _MINUS)] = 2
    index = np.flatnonzero(width)
    return index, before[index] - width[index] + 1


def _spelled(source: bytes, end: int, names: Names) -> int:
    """The receiver that ends at `end` but was not captured (`this`, `self`, a keyword)."""
    start = end
    while start > 0 and source[start - 1] in _WORD_BYTES:
        start -= 1
    if start < end:
        return COMPLEX_RECEIVER if source[start] in b"0123456789" else names[source[start:end]]
    return COMPLEX_RECEIVER if end > 0 and source[end - 1] in _CLOSERS else 0
