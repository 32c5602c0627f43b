"""Systems to compare with. They share the index and the counting with the product, and nothing else.

Each takes the words of the task, the messages and the failing lines, as the product does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from math import log

from ..failures import parse_failures
from ..index.snapshot import Snapshot
from ..model.errors import SourceError
from ..model.failure import Failure
from ..model.lines import LineRange
from ..retrieval.units import is_test_symbol, units_in
from ..text.words import terms
from ..workspace.classify import PathFlag
from .cases import Case, Span
from .counting import BenchmarkCounter, counted_text
from .indexing import Indexed
from .metrics import Answer

Baseline = Callable[[Case, Indexed, int], Answer]

TEST_DEMOTION = 0.1
"""The control's share of a test chunk's score."""

MANY = 1_000
K1, B = 1.5, 0.75


def query(case: Case, indexed: Indexed) -> list[str]:
    """The words of the task, the messages and the failing lines, each once."""
    words = Counter(terms(case.request.task))
    for failure in failures_of(case, indexed):
        words.update(terms(failure.message))
        for location in failure.locations[:1]:
            words.update(terms(_text(indexed, location.path, LineRange(location.line, location.last_line))))
    return list(words)


def failures_of(case: Case, indexed: Indexed) -> tuple[Failure, ...]:
    """The case's failures, those of its raw output parsed as a build would."""
    request = case.request
    report = parse_failures(request.failure_output, request.diagnostics, indexed.snapshot, indexed.reader)
    return (*request.failures, *report.failures)


def functions(case: Case, indexed: Indexed, budget: int) -> Answer:
    """BM25 over function chunks."""
    return _filled(_chunks(case, indexed, 1.0), indexed, budget)


def functions_tests_demoted(case: Case, indexed: Indexed, budget: int) -> Answer:
    """BM25 over function chunks, tests at a tenth of their score."""
    return _filled(_chunks(case, indexed, TEST_DEMOTION), indexed, budget)


def failing_lines_and_functions(case: Case, indexed: Indexed, budget: int) -> Answer:
    """The units of the failing lines, then BM25 over function chunks with tests demoted."""
    units = [
        unit
        for failure in failures_of(case, indexed)
        for location in failure.locations[:1]
        for unit in units_in(indexed.snapshot, location.path, location.line, location.last_line)
    ]
    first = list(dict.fromkeys(Span(unit.path, unit.range) for unit in units))
    rest = [span for span in _chunks(case, indexed, TEST_DEMOTION) if span not in first]
    return _filled([*first, *rest], indexed, budget)


def files(case: Case, indexed: Indexed, budget: int) -> Answer:
    """BM25 over whole files."""
    ranked = _ranked_files(indexed.snapshot, query(case, indexed))
    return _filled([Span(path, LineRange(1, max(1, indexed.lines_of[path]))) for path in ranked], indexed, budget)


def everything(case: Case, indexed: Indexed, budget: int) -> Answer:
    """All files whole, in order of path, as far as the budget goes."""
    del case
    spans = [Span(path, LineRange(1, max(1, indexed.lines_of[path]))) for path in indexed.snapshot.paths()]
    return _filled(spans, indexed, budget)


def _chunks(case: Case, indexed: Indexed, test_share: float) -> list[Span]:
    snapshot = indexed.snapshot
    scored: list[tuple[float, str, LineRange]] = []
    for hit in snapshot.search(query(case, indexed), MANY):
        view = snapshot.file(hit.path)
        is_test = view is not None and (bool(view.flags & PathFlag.TEST) or is_test_symbol(view, hit.symbol))
        scored.append((-hit.score * (test_share if is_test else 1.0), hit.path, hit.range))
    return [Span(path, lines) for _, path, lines in sorted(scored)]


def _ranked_files(snapshot: Snapshot, words: Iterable[str]) -> list[str]:
    counts: dict[str, Counter[str]] = {}
    lengths: dict[str, int] = {}
    for path in snapshot.paths():
        total: Counter[str] = Counter()
        for chunk in snapshot.chunk_terms(path):
            total.update(chunk)
        counts[path], lengths[path] = total, sum(total.values())
    mean = sum(lengths.values()) / max(1, len(lengths)) or 1.0
    scores: dict[str, float] = dict.fromkeys(counts, 0.0)
    for word in words:
        holding = [path for path, total in counts.items() if word in total]
        rare = log(1 + (len(counts) - len(holding) + 0.5) / (len(holding) + 0.5))
        for path in holding:
            often = counts[path][word]
            scores[path] += rare * often * (K1 + 1) / (often + K1 * (1 - B + B * lengths[path] / mean))
    return sorted((path for path, score in scores.items() if score > 0), key=lambda path: (-scores[path], path))


def _filled(spans: Iterable[Span], indexed: Indexed, budget: int) -> Answer:
    """Whole spans in order; what does not fit is skipped."""
    counter = BenchmarkCounter()
    chosen: list[Span] = []
    ranked: dict[str, None] = {}
    used = 0
    for span in spans:
        ranked.setdefault(span.path)
        if span.range is None or used >= budget:
            continue
        content = _text(indexed, span.path, span.range)
        if content:
            cost = counter.count(counted_text(span.path, span.range, content))
            if used + cost <= budget:
                chosen.append(span)
                used += cost
    return Answer(tuple(chosen), tuple(ranked), used)


def _text(indexed: Indexed, path: str, lines: LineRange) -> str:
    try:
        return indexed.reader.read(path).slice(lines)
    except SourceError:
        return ""
