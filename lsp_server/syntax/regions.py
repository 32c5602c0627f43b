"""Which lines of a text have to be extracted again after an edit.

A region is a run of whole lines such that nothing outside says anything else than before: it begins behind
a definition with a chunk of its own and ends with one, no definition crosses its ends, and what encloses it
are types and modules, never functions, so that no local name goes in or out.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lsp_server.model.facts import CALLABLE_KINDS, CONTAINER_KINDS, ChunkKind, FileFacts

Ints = npt.NDArray[np.int32]

MAX_SHARE = 0.5
"""Of the lines; a larger region is not worth splicing."""

_MAX_STEPS = 30
WHOLE_KINDS = (ChunkKind.FUNCTION, ChunkKind.TYPE)
"""Kinds of chunks that show a whole definition."""

_ENCLOSING = np.array(sorted(int(kind) for kind in CONTAINER_KINDS - CALLABLE_KINDS))


class Region(NamedTuple):
    """Closed 1-based lines `first..last` of the old text, and the symbols that enclose them, outermost first."""

    first: int
    last: int
    enclosing: tuple[int, ...]


def region_of(facts: FileFacts, first: int, last: int) -> Region | None:
    """The smallest region that holds lines `first..last`; None when it would be most of the text."""
    symbols = facts.symbols
    begins = np.minimum(np.array(symbols.doc, dtype=np.int32), np.array(symbols.start, dtype=np.int32))
    ends = np.array(symbols.end, dtype=np.int32)
    inside_code = ~np.isin(np.array(symbols.kind, dtype=np.int32), _ENCLOSING)
    bounds = _bounds(facts)
    for _ in range(_MAX_STEPS):
        first, last = _aligned(first, last, bounds, facts.lines)
        above = begins < first
        below = ends > last
        wrong = (above & (ends >= first) & ~below) | (~above & (begins <= last) & below) | (above & below & inside_code)
        if not wrong.any():
            enclosing = np.flatnonzero(above & below)
            too_long = last - first + 1 > MAX_SHARE * facts.lines
            return None if too_long else Region(first, last, tuple(enclosing.tolist()))
        first = min(first, int(begins[wrong].min()))
        last = max(last, int(ends[wrong].max()))
    return None


def _bounds(facts: FileFacts) -> Ints:
    """Last lines of the chunks that show a whole definition, ascending."""
    chunks = facts.chunks
    whole = np.isin(np.array(chunks.kind, dtype=np.int32), WHOLE_KINDS)
    return np.array(chunks.end, dtype=np.int32)[whole]


def _aligned(first: int, last: int, bounds: Ints, lines: int) -> tuple[int, int]:
    before = int(bounds.searchsorted(first))
    at = int(bounds.searchsorted(last))
    return int(bounds[before - 1]) + 1 if before else 1, int(bounds[at]) if at < len(bounds) else lines
