"""Ranking goldens: small workspaces with a planted bug each, and the rank that the culprit reaches."""

from __future__ import annotations

from pathlib import Path

import pytest

from lsp_server.evaluation.arms import DEFAULT_ARM, Arm
from lsp_server.evaluation.cases import Case, read_cases
from lsp_server.evaluation.indexing import FactsByContent
from lsp_server.evaluation.runner import Result, answer_case
from lsp_server.evaluation.workspaces import workspace_of
from lsp_server.model.request import Stop

MINI = Path(__file__).parent / "mini"
GOLDEN = MINI / "ranks.txt"
CASES = read_cases((MINI / "cases.jsonl").read_text(encoding="utf-8")).cases
BUDGET = 2_000


def answered(case: Case, arm: Arm = DEFAULT_ARM, stop: Stop = Stop.FILL) -> Result:
    indexed = FactsByContent().index(workspace_of(case, MINI, None, MINI))
    return answer_case(case, arm, BUDGET, indexed, stop)


def golden_line(result: Result) -> str:
    assert result.pack is not None
    wanted = result.case.gold[0]
    rank = next(
        item.rank
        for item in result.pack.selection.items
        if item.path == wanted.path and wanted.range is not None and item.range.overlaps(wanted.range)
    )
    first = ", ".join(item.symbol or item.path for item in result.pack.selection.items[:4])
    kept = "keeps" if answered(result.case, stop=Stop.AUTO).score.line_recall == 1.0 else "loses"
    return f"{result.case.id}: rank {rank} of {len(result.pack.selection.items)} ({first}); stop: auto {kept} it"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_culprit_is_shown_whole(case: Case) -> None:
    result = answered(case)
    assert result.score.line_recall == 1.0
    assert result.score.function_recall in (1.0, None)


def test_the_culprit_keeps_its_rank(update: bool) -> None:
    text = "".join(golden_line(answered(case)) + "\n" for case in CASES)
    if update:
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")


def test_the_mini_cases_cover_five_languages() -> None:
    assert {case.group for case in CASES} == {"python", "typescript", "go", "java", "rust"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_stopping_early_shows_less(case: Case) -> None:
    stopped = answered(case, stop=Stop.AUTO)
    assert stopped.score.tokens <= answered(case).score.tokens
