"""A query's postings, cut into blocks of neighbouring chunks that are scored together."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..model.values import Record
from .scored_chunks import Floats, Integers
from .segment import Part

BLOCK = 1 << 17
"""Chunks scored together: their scores and one block's postings stay in the processor's cache."""
FEW_POSTINGS = 1 << 17
"""A query of at most so many postings is scored in one block."""
_WHOLE = 1 << 62


class Query(Record):
    """The known words of a query, the most telling first: vocabulary numbers and idf times weight.

    `frequencies` are live document frequencies, `rest[i]` the most that words i.. can add to a score.
    """

    numbers: npt.NDArray[np.int32]
    factors: Floats
    frequencies: Integers
    rest: Floats
    step: float


class _Piece(NamedTuple):
    """A run of chunks of one part, and where the postings of the query's words in that run lie.

    `words` are places in the query, ascending; chunk c of the part is chunk c + `shift` of the block.
    """

    part: Part
    first: int
    end: int
    shift: int
    words: list[int]
    spans: list[tuple[int, int]]


class Block(NamedTuple):
    """Neighbouring chunks scored together, numbered from `base`."""

    base: int
    size: int
    pieces: list[_Piece]

    @property
    def dead(self) -> Integers:
        """The dead chunks among them, counted from `base`."""
        dead = [
            piece.part.dead_chunks.astype(np.int64) + piece.shift
            for piece in self.pieces
            if piece.part.live is not None
        ]
        if not dead:
            return np.empty(0, dtype=np.int64)
        every = np.concatenate(dead)
        return every[(every >= 0) & (every < self.size)]

    @property
    def lengths(self) -> npt.NDArray[np.int32]:
        """Length of every chunk."""
        return np.concatenate([piece.part.segment.chunks.length[piece.first : piece.end] for piece in self.pieces])

    def picked(self, words: range) -> _Picked:
        """The postings of `words`."""
        picked = _Picked([], [], [], [], [])
        for piece in self.pieces:
            lists, table = piece.part.segment.terms, piece.part.segment.chunks
            low, high = bisect_left(piece.words, words.start), bisect_left(piece.words, words.stop)
            for word, (start, end) in zip(piece.words[low:high], piece.spans[low:high], strict=True):
                picked.words.append(word)
                picked.values.append(lists.values[start:end])
                picked.counts.append(lists.counts[start:end])
                picked.shifts.append(piece.shift)
                picked.tables.append(table.length)
        return picked


class _Picked(NamedTuple):
    """Postings of some words, list by list: word, chunks in the part's numbering, counts; the part's shift, lengths."""

    words: list[int]
    values: list[npt.NDArray[np.uint32]]
    counts: list[npt.NDArray[np.unsignedinteger]]
    shifts: list[int]
    tables: list[npt.NDArray[np.int32]]

    def chunks(self) -> npt.NDArray[np.integer]:
        """Chunk of every posting, in the block's numbering."""
        every = np.concatenate(self.values)
        first = self.shifts[0]
        if any(shift != first for shift in self.shifts):
            return every + np.repeat(np.array(self.shifts, dtype=np.int64), [len(each) for each in self.values])
        if first > 0:
            every += np.uint32(first)
        elif first < 0:
            every -= np.uint32(-first)
        return every

    def lengths(self) -> npt.NDArray[np.int32]:
        """Length of the chunk of every posting."""
        return np.concatenate([table[local] for table, local in zip(self.tables, self.values, strict=True)])


def blocks(query: Query, parts: Sequence[Part], bases: Integers) -> Iterator[Block]:
    """All chunks in runs that the processor's cache holds: small parts together, large ones in pieces.

    A query of few postings is cheaper in one go.
    """
    most = BLOCK if int(query.frequencies.sum()) > FEW_POSTINGS else _WHOLE
    group: list[_Piece] = []
    base = 0
    for place, part in enumerate(parts):
        start, end = int(bases[place]), int(bases[place + 1])
        if group and end - base > most:
            yield Block(base, start - base, group)
            group = []
        if not group:
            base = start
        if end - start <= most:
            group += _pieces(query, part, start - base, most)
        else:
            for piece in _pieces(query, part, 0, most):
                yield Block(start + piece.first, piece.end - piece.first, [piece])
    if group:
        yield Block(base, int(bases[-1]) - base, group)


def _pieces(query: Query, part: Part, shift: int, most: int) -> Iterator[_Piece]:
    """The part in runs of at most `most` chunks; `shift` counts for a part of one run, else runs count from 0."""
    lists = part.segment.terms
    size = len(part.segment.chunks.length)
    if not len(lists.keys):
        yield _Piece(part, 0, size, shift, [], [])
        return
    rows: npt.NDArray[np.intp] = np.searchsorted(lists.keys, query.numbers)
    rows[rows == len(lists.keys)] = 0
    words: list[int] = np.flatnonzero(lists.keys[rows] == query.numbers).tolist()
    spans = [(int(lists.starts[row]), int(lists.starts[row + 1])) for row in rows[words].tolist()]
    if size <= most:
        yield _Piece(part, 0, size, shift, words, spans)
        return
    edges = np.arange(most, size, most, dtype=np.uint32)
    cuts = [[start, *(np.searchsorted(lists.values[start:end], edges) + start).tolist(), end] for start, end in spans]
    for run in range(len(edges) + 1):
        first = run * most
        held = [
            (word, cut[run], cut[run + 1]) for word, cut in zip(words, cuts, strict=True) if cut[run] < cut[run + 1]
        ]
        yield _Piece(
            part,
            first,
            min(size, first + most),
            -first,
            [word for word, _, _ in held],
            [(start, end) for _, start, end in held],
        )
