"""What is known of whole files."""

from __future__ import annotations

from lsp_server.retrieval.priors import file_parts

from .test_sources import SHOP, failing_total
from .workspace_of_texts import Workspace


def test_the_best_file_of_each_part_has_one() -> None:
    workspace = Workspace(SHOP)
    scene = workspace.scene(failing_total(workspace))
    parts = file_parts(scene, tuple(workspace.leads(failing_total(workspace)).values()))
    assert max(parts["file:words"].values()) == 1.0
    assert all(0 < score <= 1 for scores in parts.values() for score in scores.values())


def test_the_file_named_like_the_test_is_the_nearest() -> None:
    workspace = Workspace(SHOP)
    parts = file_parts(workspace.scene(failing_total(workspace)), ())
    assert parts["file:test"]["shop/cart.py"] == 1.0
    assert "tests/test_cart.py" not in parts["file:test"]
