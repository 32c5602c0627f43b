"""Inverted lists: key → ascending values, in three flat arrays (compressed sparse rows)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

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


def merge(sources: Sequence[tuple[InvertedLists, Renumbering]]) -> InvertedLists:
    """One list of several whose targets ascend from source to source. Linear; nothing is sorted but keys."""
    pruned = [_renumbered(lists, moves) for lists, moves in sources]
    keys = np.unique(np.concatenate([lists.keys for lists in pruned]))
    totals = np.zeros(len(keys), dtype=np.int64)
    places = [np.searchsorted(keys, lists.keys) for lists in pruned]
    for lists, place in zip(pruned, places, strict=True):
        totals[place] += lists.lengths
    starts = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(totals)))
    values = np.empty(int(starts[-1]), dtype=np.uint32)
    with_counts = any(len(lists.counts) for lists in pruned)
    width = max((lists.counts.dtype for lists in pruned if len(lists.counts)), default=np.dtype(np.uint8))
    counts = np.empty(len(values), dtype=width) if with_counts else NO_COUNTS
    cursor = starts[:-1].copy()
    for lists, place in zip(pruned, places, strict=True):
        lengths = lists.lengths
        shift = cursor[place] - lists.starts[:-1].astype(np.int64)
        where = np.repeat(shift, lengths)
        where += np.arange(len(lists.values), dtype=np.int64)
        values[where] = lists.values
        if with_counts:
            counts[where] = lists.counts
        cursor[place] += lengths
    return InvertedLists(keys, starts.astype(np.uint32), values, counts)


def _renumbered(lists: InvertedLists, moves: Renumbering) -> InvertedLists:
    if moves.kept is None:
        return InvertedLists(lists.keys, lists.starts, moves.target[lists.values], lists.counts)
    mask = moves.kept[lists.values]
    before = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(mask)))
    lengths = np.diff(before[lists.starts])
    used = lengths > 0
    starts = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(lengths[used]))).astype(np.uint32)
    counts = lists.counts[mask] if len(lists.counts) else lists.counts
    return InvertedLists(lists.keys[used], starts, moves.target[lists.values[mask]], counts)
