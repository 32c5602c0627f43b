"""PageRank agrees with networkx on random graphs."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from networkx.algorithms.link_analysis.pagerank_alg import _pagerank_python

from lsp_server.repomap.pagerank import SparseRows, pagerank

EDGES = st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11), st.floats(0.1, 9.0)), min_size=0, max_size=40)
STARTS = st.lists(st.floats(0.0, 5.0), min_size=12, max_size=12).filter(lambda start: sum(start) > 0.01)


def ranks(edges: list[tuple[int, int, float]], start: list[float]) -> np.ndarray:
    sources = np.array([edge[0] for edge in edges], dtype=np.int64)
    targets = np.array([edge[1] for edge in edges], dtype=np.int64)
    weights = np.array([edge[2] for edge in edges], dtype=np.float64)
    return pagerank(SparseRows.of(12, sources, targets, weights), np.array(start))


@given(EDGES, STARTS)
def test_ranks_are_those_of_networkx(edges: list[tuple[int, int, float]], start: list[float]) -> None:
    oracle = nx.DiGraph()
    oracle.add_nodes_from(range(12))
    for source, target, weight in edges:
        held = oracle.get_edge_data(source, target, {"weight": 0.0})["weight"]
        oracle.add_edge(source, target, weight=held + weight)
    shares = dict(enumerate(start))
    expected = _pagerank_python(oracle, personalization=shares, dangling=shares, tol=1e-10, max_iter=500)
    assert ranks(edges, start) == pytest.approx([expected[node] for node in range(12)], abs=1e-6)


@given(EDGES, STARTS)
def test_ranks_sum_to_one(edges: list[tuple[int, int, float]], start: list[float]) -> None:
    assert ranks(edges, start).sum() == pytest.approx(1.0, abs=1e-6)


def test_no_node_no_rank() -> None:
    empty = np.empty(0, dtype=np.int64)
    assert not len(pagerank(SparseRows.of(0, empty, empty, np.empty(0)), np.empty(0)))
