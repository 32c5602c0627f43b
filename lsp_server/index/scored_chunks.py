"""Chunks with scores, as two columns, and the sums and cuts that search needs."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

NO_SCORES: Floats = np.empty(0, dtype=np.float64)
_DENSE = 16
"""With fewer postings than a block's chunks divided by this, sorting them beats a pass over all chunks."""


class ScoredChunks(NamedTuple):
    """Chunk numbers (counted through all parts, dead ones included), ascending, with their scores."""

    chunks: Integers
    scores: Floats


def sums(places: npt.NDArray[np.integer], shares: Floats, size: int) -> Floats:
    return np.bincount(places, weights=shares, minlength=size).astype(np.float64, copy=False)


def summed(chunks: npt.NDArray[np.integer], shares: Floats, size: int) -> ScoredChunks:
    """Each chunk once, ascending, with the sum of its shares. Sums are exact, so either way gives the same."""
    if size < _DENSE * len(chunks):
        met = np.zeros(size, dtype=np.bool_)
        met[chunks] = True
        unique = np.flatnonzero(met)
        return ScoredChunks(unique, sums(chunks, shares, size)[unique])
    order, inverse = np.unique(chunks, return_inverse=True)
    return ScoredChunks(order.astype(np.int64), sums(inverse, shares, len(order)))


def without(found: ScoredChunks, dead: Integers) -> ScoredChunks:
    if not len(dead):
        return found
    at: npt.NDArray[np.intp] = np.searchsorted(dead, found.chunks)
    at[at == len(dead)] = 0
    alive = dead[at] != found.chunks
    return ScoredChunks(found.chunks[alive], found.scores[alive])


def joined(one: ScoredChunks, two: ScoredChunks) -> ScoredChunks:
    return ScoredChunks(np.concatenate((one.chunks, two.chunks)), np.concatenate((one.scores, two.scores)))


def cut(found: ScoredChunks, least: float) -> ScoredChunks:
    keep = found.scores >= least
    return ScoredChunks(found.chunks[keep], found.scores[keep])


def threshold(scores: Floats, limit: int) -> float:
    """The `limit`-th highest score, minus infinity when there are fewer."""
    if len(scores) < limit:
        return -math.inf
    place = len(scores) - limit
    return float(np.partition(scores, place)[place])
