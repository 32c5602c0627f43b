"""The reference graph for people and other programs: DOT, GraphML, and a page that needs nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from enum import StrEnum
from importlib.resources import files as resources
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np

from ..model.values import Value
from .graph import ReferenceGraph
from .rank import Ranking

if TYPE_CHECKING:
    import networkx as nx

MAX_EDGES_PER_NODE = 8
"""The strongest uses each file makes of others; more only makes a ball of wool."""

MAX_NAMES = 6
"""Names shown on an edge."""


class GraphFormat(StrEnum):
    """How the graph is written."""

    DOT = "dot"
    GRAPHML = "graphml"
    HTML = "html"


class Edge(Value):
    """`source` uses `names` (most telling first) that `target` defines."""

    source: str
    target: str
    weight: float
    names: tuple[str, ...]


class FileGraph(Value):
    """The best-ranked files with their scores (best first) and the edges between them."""

    nodes: tuple[tuple[str, float], ...]
    edges: tuple[Edge, ...]


def file_graph(
    graph: ReferenceGraph,
    ranking: Ranking,
    names: Callable[[list[int]], list[str]],
    admitted: Callable[[str], bool],
    max_nodes: int,
) -> FileGraph:
    """The part of the graph between the best `max_nodes` admitted files. `names` gives names of vocabulary numbers."""
    nodes = tuple((path, score) for path, score in ranking.files if admitted(path))[:max_nodes]
    chosen = {path for path, _ in nodes}
    inside = np.array([path in chosen for path in graph.paths], dtype=bool)
    kept: list[int] = np.flatnonzero(inside[graph.sources] & inside[graph.targets]).tolist()
    merged: dict[tuple[int, int], list[tuple[float, int]]] = {}
    for at in kept:
        key = (int(graph.sources[at]), int(graph.targets[at]))
        merged.setdefault(key, []).append((float(graph.weights[at]), int(graph.names[at])))
    by_source: dict[int, list[Edge]] = {}
    for (source, target), uses in merged.items():
        uses.sort(key=lambda use: (-use[0], use[1]))
        shown = sorted(names([number for _, number in uses[:MAX_NAMES]]))
        weight = round(sum(weight for weight, _ in uses), 6)
        by_source.setdefault(source, []).append(Edge(graph.paths[source], graph.paths[target], weight, tuple(shown)))
    edges = [
        edge
        for found in by_source.values()
        for edge in sorted(found, key=lambda edge: (-edge.weight, edge.target))[:MAX_EDGES_PER_NODE]
    ]
    return FileGraph(nodes, tuple(sorted(edges, key=lambda edge: (edge.source, edge.target))))


def written(graph: FileGraph, format: GraphFormat, title: str) -> str:
    """The graph in `format`."""
    if format is GraphFormat.HTML:
        return html(graph, title)
    if format is GraphFormat.DOT:
        return "".join(_dot(graph))
    return graphml(graph)


def as_networkx(graph: FileGraph) -> nx.DiGraph[str]:
    """The same as a networkx graph: node attribute `score`, edge attributes `weight` and `names`."""
    import networkx as nx

    made: nx.DiGraph[str] = nx.DiGraph()
    for path, score in graph.nodes:
        made.add_node(path, score=score)
    for edge in graph.edges:
        made.add_edge(edge.source, edge.target, weight=edge.weight, names=", ".join(edge.names))
    return made


def graphml(graph: FileGraph) -> str:
    """GraphML, as networkx writes it."""
    import networkx as nx

    out = BytesIO()
    nx.write_graphml(as_networkx(graph), out, encoding="utf-8")  # pyright: ignore[reportUnknownMemberType]
    return out.getvalue().decode("utf-8") + "\n"


def _dot(graph: FileGraph) -> Iterator[str]:
    yield 'digraph "references" {\n  rankdir=LR;\n  node [shape=box];\n'
    for path, score in graph.nodes:
        yield f"  {_quoted(path)} [score={score:.6f}];\n"
    for edge in graph.edges:
        label = _quoted(", ".join(edge.names))
        yield f"  {_quoted(edge.source)} -> {_quoted(edge.target)} [weight={edge.weight:.6f}, label={label}];\n"
    yield "}\n"


def _quoted(text: str) -> str:
    shown = "".join(char if char.isprintable() else "\ufffd" for char in text)
    return '"' + shown.replace("\\", "\\\\").replace('"', '\\"') + '"'


def html(graph: FileGraph, title: str) -> str:
    """One page without any outside reference: drag, zoom, search, click a file for what it uses and who uses it."""
    data: dict[str, Any] = {
        "title": title,
        "nodes": [{"path": path, "score": score} for path, score in graph.nodes],
        "edges": [
            {"source": edge.source, "target": edge.target, "weight": edge.weight, "names": list(edge.names)}
            for edge in graph.edges
        ],
    }
    # "<" written as an escape cannot end the script element, whatever a file is called.
    plain = json.dumps(data, ensure_ascii=True).replace("<", "\\u003c").replace("&", "\\u0026")
    page = resources(__package__ or "lsp_server.repomap").joinpath("graph_page.html").read_text(encoding="utf-8")
    return page.replace("/*DATA*/null", plain)
