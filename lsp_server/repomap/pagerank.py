"""Personalised PageRank by power iteration over compressed sparse rows.

Source: Page, Brin, Motwani, Winograd, "The PageRank Citation Ranking" (1999); same fixed point as
`networkx.pagerank`, which the tests compare with. Dangling weight returns to the personalisation.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..model.values import Record

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]

DAMPING = 0.85
TOLERANCE = 1e-9
"""Summed change (L1) at which the iteration ends; a rank is then right to about this much."""

MAX_ITERATIONS = 100


class SparseRows(Record):
    """Weighted edges by target: `sources[first[t]:first[t + 1]]` point at node t with `weights`, all > 0."""

    size: int
    first: Places
    sources: Places
    weights: Floats

    @classmethod
    def of(cls, size: int, sources: Places, targets: Places, weights: Floats) -> SparseRows:
        """From edge lists in any order; parallel edges are added up."""
        keys = targets * size + sources
        merged, inverse = np.unique(keys, return_inverse=True)
        added = np.bincount(inverse, weights=weights, minlength=len(merged)).astype(np.float64)
        first = np.searchsorted(merged, np.arange(size + 1, dtype=np.int64) * size)
        return cls(size, first.astype(np.int64), merged % max(1, size), added)

    def out_weights(self) -> Floats:
        """Summed weight of the edges that leave each node."""
        return np.bincount(self.sources, weights=self.weights, minlength=self.size).astype(np.float64)


def pagerank(rows: SparseRows, personalisation: Floats, damping: float = DAMPING) -> Floats:
    """Rank of each node, summing to 1; empty for no nodes. `personalisation` (>= 0) is scaled to sum 1."""
    if not rows.size:
        return np.zeros(0)
    total = float(personalisation.sum())
    start = personalisation / total if total > 0 else np.full(rows.size, 1.0 / rows.size)
    out = rows.out_weights()
    shares = rows.weights / out[rows.sources]
    dangling = out == 0
    filled = np.flatnonzero(np.diff(rows.first))
    begins = rows.first[filled]
    rank = start
    for _ in range(MAX_ITERATIONS):
        flow = np.zeros(rows.size)
        if len(filled):
            flow[filled] = np.add.reduceat(rank[rows.sources] * shares, begins)
        lost = float(rank[dangling].sum())
        fresh = damping * (flow + lost * start) + (1.0 - damping) * start
        change = float(np.abs(fresh - rank).sum())
        rank = fresh
        if change < TOLERANCE:
            break
    return rank
