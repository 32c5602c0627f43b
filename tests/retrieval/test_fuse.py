"""The fused score."""

from __future__ import annotations

import pytest

from lsp_server.context.validate import KNOWN_SOURCES
from lsp_server.model.candidate import Reason
from lsp_server.model.facts import ChunkKind
from lsp_server.model.lines import LineRange
from lsp_server.model.values import replace
from lsp_server.retrieval.fuse import FUSION, SIZE_FROM, fused_score
from lsp_server.retrieval.lead import Lead


def lead(**changes: object) -> Lead:
    base = Lead(
        path="a.py",
        range=LineRange(1, 9),
        reason=Reason.SEARCH,
        source="bm25",
        score=0.5,
        why="",
        parts={"bm25": 0.5},
        kind=ChunkKind.FUNCTION,
        bytes=100,
    )
    return replace(base, **changes)  # type: ignore[arg-type]


def test_each_further_part_raises_the_score() -> None:
    one = fused_score(lead())
    assert fused_score(lead(parts={"bm25": 0.5, "definition": 0.5})) > one


def test_a_test_that_does_not_fail_itself_counts_less() -> None:
    assert fused_score(lead(is_test=True)) == pytest.approx(FUSION.test_share * fused_score(lead()))
    failing = {"bm25": 0.5, "traceback": 1.0}
    assert fused_score(lead(is_test=True, parts=failing)) == fused_score(lead(parts=failing))


def test_a_large_unit_counts_less_than_a_small_one_with_the_same_evidence() -> None:
    assert fused_score(lead(bytes=10 * SIZE_FROM)) < fused_score(lead(bytes=SIZE_FROM))


def test_a_language_servers_part_stands_under_its_family() -> None:
    assert FUSION.part("lsp:pyright") is FUSION.part("lsp")


def test_every_part_that_is_a_source_is_a_registered_one() -> None:
    files = {name for name in FUSION.parts if name.startswith("file:")}
    families = {name.split(":")[0] for name in KNOWN_SOURCES}
    assert {name.split(":")[0] for name in FUSION.parts} - {"file", "name"} <= families
    assert files
