"""Metrics of one answer against the right one. All but tokens and latency are shares between 0 and 1."""

from __future__ import annotations

from collections.abc import Sequence

from ..model.values import Value
from .cases import Case, Span


class Answer(Value):
    """What a system answered: spans in rank order with their cost, and its ranking of files.

    `file_rank` lists files by their best candidate, those of omitted candidates included.
    """

    spans: tuple[Span, ...]
    file_rank: tuple[str, ...]
    tokens: int
    milliseconds: float = 0.0


class Score(Value):
    """Metrics of one case. `function_recall` is None when the right answer touches no function.

    `mrr` is of the first right file in the answer, `mrr_rank` in `file_rank`; files of the failing tests
    do not count. `precision` leaves out the lines that the caller gave.
    """

    file_recall: float
    all_files: float
    function_recall: float | None
    line_recall: float
    line_precision: float
    line_f1: float
    mrr: float
    mrr_rank: float
    tokens: float
    duplicate_lines: float
    milliseconds: float


METRICS = (
    "file_recall",
    "all_files",
    "function_recall",
    "line_recall",
    "line_precision",
    "line_f1",
    "mrr",
    "mrr_rank",
    "tokens",
    "duplicate_lines",
    "milliseconds",
)


def score(case: Case, answer: Answer, lines_of: dict[str, int]) -> Score:
    """`lines_of` gives the number of lines of each file that an answer or a gold span may name whole."""
    shown = _lines(answer.spans, lines_of)
    gold = _lines(case.gold, lines_of)
    given = _lines(case.given, lines_of)
    shown_count = sum(len(_span_lines(span, lines_of)) for span in answer.spans)
    hit = len(gold & shown)
    counted = len(shown - given)
    recall = hit / len(gold) if gold else 0.0
    precision = hit / counted if counted else 0.0
    files = tuple(dict.fromkeys(span.path for span in answer.spans))
    gold_files = set(case.gold_files)
    tests = {span.path for span in case.given}
    found = len(gold_files & set(files)) / len(gold_files)
    return Score(
        file_recall=found,
        all_files=float(found == 1.0),
        function_recall=_whole_recall(case.functions, shown, lines_of),
        line_recall=recall,
        line_precision=precision,
        line_f1=2 * recall * precision / (recall + precision) if hit else 0.0,
        mrr=_reciprocal_rank(files, gold_files, tests),
        mrr_rank=_reciprocal_rank(answer.file_rank, gold_files, tests),
        tokens=answer.tokens,
        duplicate_lines=1 - len(shown) / shown_count if shown_count else 0.0,
        milliseconds=answer.milliseconds,
    )


def _span_lines(span: Span, lines_of: dict[str, int]) -> range:
    if span.range is None:
        return range(1, lines_of.get(span.path, 0) + 1)
    return range(span.range.start, span.range.end + 1)


def _lines(spans: Sequence[Span], lines_of: dict[str, int]) -> set[tuple[str, int]]:
    return {(span.path, line) for span in spans for line in _span_lines(span, lines_of)}


def _whole_recall(functions: Sequence[Span], shown: set[tuple[str, int]], lines_of: dict[str, int]) -> float | None:
    if not functions:
        return None
    whole = [all((span.path, line) in shown for line in _span_lines(span, lines_of)) for span in functions]
    return sum(whole) / len(whole)


def _reciprocal_rank(files: Sequence[str], gold: set[str], tests: set[str]) -> float:
    ranked = [path for path in files if path not in tests or path in gold]
    return next((1 / place for place, path in enumerate(ranked, start=1) if path in gold), 0.0)
