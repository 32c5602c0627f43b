"""Validation: the first wrong input in order is one typed error with its JSON path."""

from __future__ import annotations

import pytest

from lsp_server.context.evidence import NO_EVIDENCE, Evidence
from lsp_server.context.validate import Limits, folded_path, validate
from lsp_server.model.candidate import Candidate
from lsp_server.model.errors import (
    BudgetError,
    ContentError,
    DuplicateIdError,
    GroupError,
    PathError,
    RangeError,
    ReasonError,
    RequestError,
    ResourceLimitError,
    ScoreError,
)
from lsp_server.model.lines import LineRange
from lsp_server.model.request import Budget
from lsp_server.model.values import replace

from .selection_cases import candidate


@pytest.mark.parametrize("limit", [-1, 1.5, float("nan"), float("inf"), True, "8000", None])
def test_a_budget_that_is_no_whole_number_is_an_error(limit: object) -> None:
    with pytest.raises(BudgetError) as caught:
        Budget(limit)  # type: ignore[arg-type]
    assert caught.value.path == "maxTokens"


@pytest.mark.parametrize(("start", "end"), [(0, 1), (-1, 4), (5, 4), (1.0, 2), (True, 2), ("1", 2), (1, None)])
def test_a_range_that_is_not_1_based_and_closed_is_an_error(start: object, end: object) -> None:
    with pytest.raises(RangeError):
        LineRange(start, end)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "score", [float("nan"), float("inf"), float("-inf"), None, True, "0.5", 10**400], ids=lambda value: repr(value)[:12]
)
def test_a_score_that_is_no_finite_number_is_an_error_never_zero(score: object) -> None:
    wrong = replace(candidate("b"), score=score)
    with pytest.raises(ScoreError) as caught:
        validate([candidate("a"), wrong], NO_EVIDENCE)
    assert caught.value.path == "candidates[1].score"


@pytest.mark.parametrize(
    "path", ["", "/etc/passwd", "../x", "a/../../x", "a\0b", "C:\\x", "C:/x", "\\\\host\\x", "file:///x", ".", "a/.."]
)
def test_a_path_that_is_empty_absolute_or_escaping_is_an_error(path: str) -> None:
    with pytest.raises(PathError) as caught:
        validate([candidate("a", path)], NO_EVIDENCE)
    assert caught.value.path == "candidates[0].path"


@pytest.mark.parametrize(
    ("path", "folded"),
    [("./b.ts", "b.ts"), ("a/../b.ts", "b.ts"), ("a//b.ts", "a/b.ts"), ("a/./b.ts", "a/b.ts"), ("b.ts", "b.ts"),
     ("..a/b", "..a/b"), ("untitled:Untitled-1", "untitled:Untitled-1"), ("vscode-vfs://host/a", "vscode-vfs://host/a")],
)  # fmt: skip
def test_paths_fold_lexically(path: str, folded: str) -> None:
    assert folded_path(path, "path") == folded


def test_a_uri_cannot_escape_either() -> None:
    with pytest.raises(PathError):
        folded_path("vscode-vfs://h/../../../../x", "path")


def test_candidates_and_failing_files_are_folded_alike() -> None:
    evidence = Evidence(("./a/../b.ts", "b.ts"), {"./b.ts": (LineRange(1, 1),), "b.ts": (LineRange(2, 2),)})
    valid = validate([candidate("a", "./b.ts")], evidence)
    assert valid.candidates[0].path == "b.ts"
    assert valid.evidence == Evidence(("b.ts",), {"b.ts": (LineRange(1, 1), LineRange(2, 2))})


def test_a_failing_file_outside_the_workspace_is_an_error() -> None:
    with pytest.raises(PathError) as caught:
        validate([], Evidence(("a.py", "../b.py")))
    assert caught.value.path == "failingFiles[1]"


@pytest.mark.parametrize(
    ("wrong", "error", "field"),
    [
        (replace(candidate("b"), content=""), ContentError, "content"),
        (replace(candidate("b"), content=None), ContentError, "content"),
        (replace(candidate("b"), reason="guess"), ReasonError, "reason"),
        (replace(candidate("b"), source="nobody"), ReasonError, "source"),
        (replace(candidate("b"), source="lsp:"), ReasonError, "source"),
        (replace(candidate("b"), range=(1, 2)), RangeError, "range"),
        (replace(candidate("b"), id=""), RequestError, "id"),
        (replace(candidate("b"), id=7), RequestError, "id"),
        (candidate("a"), DuplicateIdError, "id"),
    ],
)
def test_each_wrong_field_is_named(wrong: Candidate, error: type[RequestError], field: str) -> None:
    with pytest.raises(error) as caught:
        validate([candidate("a"), wrong], NO_EVIDENCE)
    assert caught.value.path == f"candidates[1].{field}"
    assert isinstance(caught.value, ValueError)


def test_a_registered_family_of_sources_is_known() -> None:
    assert validate([replace(candidate("a"), source="lsp:pyright")], NO_EVIDENCE).candidates


def test_the_first_error_in_input_order_is_the_one_raised() -> None:
    first = replace(candidate("a"), score=float("nan"))
    second = replace(candidate("b"), content="")
    with pytest.raises(ScoreError):
        validate([first, second], NO_EVIDENCE)
    with pytest.raises(ContentError):
        validate([second, first], NO_EVIDENCE)


def test_overlapping_members_of_one_group_are_an_error() -> None:
    one, two = candidate("a", "x.py", (1, 10), group="g"), candidate("b", "./x.py", (10, 12), group="g")
    with pytest.raises(GroupError) as caught:
        validate([one, two], NO_EVIDENCE)
    assert caught.value.path == "candidates[1].group"


@pytest.mark.parametrize(
    ("limits", "ceiling"),
    [
        (Limits(max_candidates=1), "max_candidates"),
        (Limits(max_item_bytes=5), "max_item_bytes"),
        (Limits(max_total_bytes=19), "max_total_bytes"),
    ],
)
def test_over_a_ceiling_says_which(limits: Limits, ceiling: str) -> None:
    with pytest.raises(ResourceLimitError) as caught:
        validate([candidate("a"), candidate("b")], NO_EVIDENCE, limits=limits)
    assert caught.value.ceiling == ceiling
