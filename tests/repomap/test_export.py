"""The graph as DOT, GraphML and a page of its own."""

from __future__ import annotations

import json
import re
from io import BytesIO
from pathlib import Path

import networkx as nx
import pytest

from lsp_server.context.map import MapRequest, graph_of
from lsp_server.repomap.export import FileGraph, GraphFormat, written
from lsp_server.repomap.graph import reference_graph

from .indexed_folder import SHOP, look


@pytest.fixture
def graph(tmp_path: Path) -> FileGraph:
    looking = look(
        tmp_path, SHOP | {'shop/a</script>"b.py': "from shop.tax import add_value_tax\n\nadd_value_tax(1)\n"}
    )
    return graph_of(looking, MapRequest(), reference_graph(looking.snapshot), 50)


def test_edges_lead_from_the_user_to_the_definer_and_name_what_is_used(graph: FileGraph) -> None:
    found = {(edge.source, edge.target): edge.names for edge in graph.edges}
    assert found["shop/checkout.py", "shop/tax.py"] == ("add_value_tax",)
    assert "Order" in found["shop/checkout.py", "shop/order.py"]
    assert ("shop/tax.py", "shop/checkout.py") not in found


def test_graphml_is_read_back_by_networkx(graph: FileGraph) -> None:
    read = nx.read_graphml(BytesIO(written(graph, GraphFormat.GRAPHML, "shop").encode()))
    assert set(read.nodes) == {path for path, _ in graph.nodes}
    assert read.edges["shop/checkout.py", "shop/tax.py"]["names"] == "add_value_tax"


def test_dot_quotes_what_files_are_called(graph: FileGraph) -> None:
    text = written(graph, GraphFormat.DOT, "shop")
    assert '"shop/a</script>\\"b.py" -> "shop/tax.py"' in text
    assert text.startswith("digraph")
    assert text.count("{") == text.count("}")


def test_the_page_needs_nothing_else_and_cannot_be_broken_by_a_name(graph: FileGraph) -> None:
    page = written(graph, GraphFormat.HTML, "shop")
    assert page.count("</script>") == 1
    assert not re.search(r"""(?:src|href)\s*=|https?://|import\(""", page)
    data = json.loads(re.search(r"const data = (.*);\n", page)[1])  # type: ignore[index]
    assert {node["path"] for node in data["nodes"]} == {path for path, _ in graph.nodes}
    assert len(data["edges"]) == len(graph.edges)


def test_only_the_best_files_are_in_a_small_graph(tmp_path: Path) -> None:
    looking = look(tmp_path, SHOP)
    small = graph_of(looking, MapRequest(), reference_graph(looking.snapshot), 2)
    chosen = {path for path, _ in small.nodes}
    assert len(chosen) == 2
    assert all({edge.source, edge.target} <= chosen for edge in small.edges)
