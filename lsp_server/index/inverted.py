"""Inverted lists: key → ascending values, in three flat arrays (compressed sparse rows)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from ..model.source import Checkpoint, no_checkpoint

Keys = npt.NDArray[np.int32]
Values = npt.NDArray[np.uint32]
Counts = npt.NDArray[np.unsignedinteger]

_LOW = np.uint64(0xFFFFFFFF)
_SHIFT = np.uint64(32)
NO_COUNTS: Counts = np.empty(0, dtype=np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class InvertedLists:
    """`values[starts[i]:starts[i + 1]]` belong to `keys[i]`; keys ascend, values ascend inside a key.

    `counts` runs beside `values` for lists that carry a number each (term counts), else it is empty.
    """

    keys: Keys
    starts: Values
    values: Values
    counts: Counts = field(default_factory=lambda: NO_COUNTS)
    _probe: memoryview = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_probe", self.keys.data)

    def span(self, key: int) -> tuple[int, int]:
        """Start and end of the values of `key`; equal when there are none."""
        probe = self._probe
        at = bisect_left(probe, key)
        if at == len(probe) or probe[at] != key:
            return 0, 0
        return int(self.starts[at]), int(self.starts[at + 1])

    def get(self, key: int) -> Values:
        """The values of `key`, empty when there are none."""
        start, end = self.span(key)
        return self.values[start:end]

    @property
    def lengths(self) -> npt.NDArray[np.int64]:
        """Number of values of each key."""
        return np.diff(self.starts.astype(np.int64))

    @property
    def nbytes(self) -> int:
        """Bytes held by the arrays."""
        return self.keys.nbytes + self.starts.nbytes + self.values.nbytes + self.counts.nbytes


def narrow(counts: npt.NDArray[np.integer]) -> Counts:
    """Counts in the smallest of 1, 2 or 4 bytes that holds them all."""
    top = int(counts.max(initial=0))
    return counts.astype(np.uint8 if top < 1 << 8 else np.uint16 if top < 1 << 16 else np.uint32)


def invert(keys: Keys, values: Values, counts: npt.NDArray[np.integer] | None = None) -> InvertedLists:
    """Lists from pairs in ascending order of value (keys in any order)."""
    # Key and position packed in one word: a plain sort is several times faster than a stable argsort.
    packed = keys.astype(np.uint64) << _SHIFT
    packed |= np.arange(len(keys), dtype=np.uint64)
    packed.sort()
    order = (packed & _LOW).astype(np.uint32)
    sorted_keys = (packed >> _SHIFT).astype(np.int32)
    fresh = np.ones(len(keys), dtype=np.bool_)
    np.not_equal(sorted_keys[1:], sorted_keys[:-1], out=fresh[1:])
    firsts = np.flatnonzero(fresh)
    starts = np.empty(len(firsts) + 1, dtype=np.uint32)
    starts[:-1] = firsts
    starts[-1] = len(keys)
    ordered_counts = NO_COUNTS if counts is None else narrow(counts[order])
    return InvertedLists(sorted_keys[firsts], starts, values[order], ordered_counts)


@dataclass(frozen=True, slots=True, eq=False)
class Renumbering:
    """How the values of one source move: `target[value]`, or dropped when `kept` says so.

    `kept` is None when every value stays. Targets ascend along the kept values.
    """

    target: Values
    kept: npt.NDArray[np.bool_] | None = None


def merge(
    sources: Sequence[tuple[InvertedLists, Renumbering]], checkpoint: Checkpoint = no_checkpoint
) -> InvertedLists:
    """One list of several whose targets ascend from source to source; keys left without a value are dropped.

    Linear; nothing is sorted but keys. Works key range by key range, so that what it needs beside the
    result is small whatever the size.
    """
    keys = np.unique(np.concatenate([lists.keys for lists, _ in sources]))
    width = max((lists.counts.dtype for lists, _ in sources), key=lambda each: each.itemsize)
    runs: list[_Run] = []
    for run in _key_runs(sources, keys):
        checkpoint()
        runs.append(_merged_run(sources, run, width))
    totals = np.concatenate([run.totals for run in runs]) if runs else np.zeros(0, dtype=np.int64)
    starts = np.zeros(int((totals > 0).sum()) + 1, dtype=np.uint32)
    np.cumsum(totals[totals > 0], out=starts[1:])
    if not runs:
        return InvertedLists(keys, starts, np.empty(0, dtype=np.uint32))
    values = np.concatenate([run.values for run in runs])
    return InvertedLists(keys[totals > 0], starts, values, np.concatenate([run.counts for run in runs]))


_RUN_VALUES = 1 << 20


@dataclass(frozen=True, slots=True, eq=False)
class _Run:
    """The merged lists of some neighbouring keys: number of values of each key, then all values."""

    totals: npt.NDArray[np.int64]
    values: Values
    counts: Counts


def _key_runs(sources: Sequence[tuple[InvertedLists, Renumbering]], keys: Keys) -> list[Keys]:
    """`keys` cut so that each piece has about _RUN_VALUES values."""
    sizes = np.zeros(len(keys), dtype=np.int64)
    for lists, _ in sources:
        sizes[np.searchsorted(keys, lists.keys)] += lists.lengths
    piece = np.cumsum(sizes) // _RUN_VALUES
    return [run for run in np.split(keys, np.flatnonzero(np.diff(piece)) + 1) if len(run)]


def _merged_run(sources: Sequence[tuple[InvertedLists, Renumbering]], keys: Keys, width: np.dtype[Any]) -> _Run:
    pieces = [_renumbered(lists, moves, keys) for lists, moves in sources]
    totals = np.zeros(len(keys), dtype=np.int64)
    for piece in pieces:
        totals[piece.places] += piece.lengths
    ends = np.cumsum(totals)
    cursor = ends - totals
    values = np.empty(int(ends[-1]), dtype=np.uint32)
    with_counts = any(len(lists.counts) for lists, _ in sources)
    counts = np.empty(len(values) if with_counts else 0, dtype=width)
    for piece in pieces:
        before = np.cumsum(piece.lengths) - piece.lengths
        where = np.repeat(cursor[piece.places] - before, piece.lengths)
        where += np.arange(len(where), dtype=np.int64)
        values[where] = piece.values
        if with_counts:
            counts[where] = piece.counts
        cursor[piece.places] += piece.lengths
    return _Run(totals, values, counts)


@dataclass(frozen=True, slots=True, eq=False)
class _Piece:
    """One source's part of a run: places of its keys in the run, values a key, all values renumbered."""

    places: npt.NDArray[np.intp]
    lengths: npt.NDArray[np.int64]
    values: Values
    counts: Counts


def _renumbered(lists: InvertedLists, moves: Renumbering, keys: Keys) -> _Piece:
    low, high = np.searchsorted(lists.keys, (keys[0], int(keys[-1]) + 1)).tolist()
    starts = lists.starts[low : high + 1].astype(np.int64)
    if low == high:
        return _Piece(np.empty(0, dtype=np.intp), np.empty(0, dtype=np.int64), lists.values[:0], lists.counts[:0])
    span = slice(int(starts[0]), int(starts[-1]))
    values, counts = lists.values[span], lists.counts[span]
    lengths = np.diff(starts)
    if moves.kept is not None:
        mask = moves.kept[values]
        before = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(mask)))
        lengths = np.diff(before[starts - starts[0]])
        values, counts = values[mask], counts[mask] if len(counts) else counts
    return _Piece(np.searchsorted(keys, lists.keys[low:high]), lengths, moves.target[values], counts)
