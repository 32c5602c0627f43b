"""Metrics of one answer, by hand."""

from __future__ import annotations

import pytest

from lsp_server.evaluation.cases import Case, Span
from lsp_server.evaluation.intervals import interval
from lsp_server.evaluation.metrics import Answer, score
from lsp_server.model.lines import LineRange
from lsp_server.model.request import BuildRequest


def span(path: str, start: int, end: int) -> Span:
    return Span(path, LineRange(start, end))


CASE = Case(
    id="one",
    group="",
    request=BuildRequest(task="x"),
    gold=(span("a.py", 3, 4), span("b.py", 1, 2)),
    functions=(span("a.py", 1, 6), span("b.py", 1, 4)),
    given=(span("test_a.py", 1, 10),),
)


def answer(*spans: Span, rank: tuple[str, ...] = ()) -> Answer:
    return Answer(spans=spans, file_rank=rank or tuple(one.path for one in spans), tokens=10)


def test_recall_counts_lines_and_whole_functions() -> None:
    got = score(CASE, answer(span("a.py", 1, 6), span("b.py", 1, 3)), {})
    assert got.line_recall == 1.0
    assert got.function_recall == 0.5
    assert got.file_recall == 1.0


def test_two_items_together_may_cover_a_function() -> None:
    got = score(CASE, answer(span("a.py", 1, 3), span("a.py", 4, 6)), {})
    assert got.function_recall == 0.5
    assert got.line_recall == 0.5
    assert got.all_files == 0.0


def test_precision_leaves_out_the_lines_that_were_given() -> None:
    got = score(CASE, answer(span("test_a.py", 1, 10), span("a.py", 3, 4)), {})
    assert got.line_precision == 1.0
    assert got.line_f1 == pytest.approx(2 * 0.5 / 1.5)


def test_the_rank_of_the_first_right_file_skips_the_failing_tests() -> None:
    got = score(CASE, answer(span("x.py", 1, 2), rank=("test_a.py", "x.py", "b.py")), {})
    assert got.mrr_rank == 0.5
    assert got.mrr == 0.0


def test_lines_shown_twice_are_reported() -> None:
    got = score(CASE, answer(span("a.py", 1, 4), span("a.py", 1, 4)), {})
    assert got.duplicate_lines == 0.5


def test_an_interval_is_repeatable_and_holds_its_mean() -> None:
    first = interval([0.0, 1.0, 1.0, None])
    assert first is not None
    assert first == interval([0.0, 1.0, 1.0])
    assert first.low <= first.mean <= first.high
    assert first.count == 3
    assert interval([None]) is None
