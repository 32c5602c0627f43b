"""Personalised PageRank over a graph in compressed sparse rows.

Page, Brin, Motwani, Winograd (1999), "The PageRank citation ranking", with the walk restarting at
given seeds (Haveliwala, 2002). A node without an edge out returns to the seeds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

DAMPING = 0.85
"""Chance to follow an edge instead of returning to a seed; the usual value."""

TOLERANCE = 1e-8
MAX_ROUNDS = 100


@dataclass(frozen=True, slots=True)
class Graph:
    """Edges of node i are entries `first[i]..first[i+1]-1` of `target` and `weight` (all weights > 0)."""

    first: npt.NDArray[np.int64]
    target: npt.NDArray[np.int64]
    weight: npt.NDArray[np.float64]

    @property
    def nodes(self) -> int:
        """Number of nodes."""
        return len(self.first) - 1


def graph_of(nodes: int, sources: npt.ArrayLike, targets: npt.ArrayLike, weights: npt.ArrayLike) -> Graph:
    """A graph of parallel edge columns; an edge given twice counts with the sum of its weights."""
    source = np.asarray(sources, dtype=np.int64)
    order = np.argsort(source, kind="stable")
    first = np.zeros(nodes + 1, dtype=np.int64)
    np.cumsum(np.bincount(source, minlength=nodes), out=first[1:])
    return Graph(
        first,
        np.asarray(targets, dtype=np.int64)[order],
        np.asarray(weights, dtype=np.float64)[order],
    )


def personalised_pagerank(graph: Graph, seeds: npt.ArrayLike, damping: float = DAMPING) -> npt.NDArray[np.float64]:
    """The rank of every node; ranks add up to 1.

    `seeds` are weights >= 0, one a node, not all zero; they need not add up to 1.
    Raises ValueError when they are all zero or do not fit the graph.
    """
    restart = np.asarray(seeds, dtype=np.float64)
    total = restart.sum()
    if restart.shape != (graph.nodes,) or total <= 0:
        raise ValueError("seeds: one weight a node, not all zero")
    restart = restart / total
    degree = np.diff(graph.first)
    source = np.repeat(np.arange(graph.nodes), degree)
    out = np.bincount(source, weights=graph.weight, minlength=graph.nodes)
    share = graph.weight / out[source]
    dangling = out == 0
    rank = restart
    for _ in range(MAX_ROUNDS):
        flow = np.bincount(graph.target, weights=rank[source] * share, minlength=graph.nodes)
        fresh = damping * (flow + rank[dangling].sum() * restart) + (1 - damping) * restart
        moved = float(np.abs(fresh - rank).sum())
        rank = fresh
        if moved < TOLERANCE * graph.nodes:
            break
    return rank
