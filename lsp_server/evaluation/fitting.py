"""Fits the fused policy's weights: leads are gathered once, then ranking and packing are replayed in arrays.

Coordinate ascent over the table of `retrieval/fuse.py`, scored by recall under all budgets. Each fold of
the cross-validation leaves whole repositories out, so that its figures are of code the fit has not seen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from ..context.evidence import Evidence
from ..model.errors import SourceError
from ..model.facts import ChunkKind
from ..model.lines import LineRange
from ..model.source import SourceReader
from ..retrieval.fuse import FUSION, SIZE_FROM, Fusion, PartWeight
from ..retrieval.lead import Lead
from ..retrieval.slicing import slices
from .cases import Case
from .counting import BenchmarkCounter, counted_text

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

KINDS = tuple(ChunkKind)
POWERS = (0.35, 0.5, 0.7, 1.0, 1.5)
SHRINK = 0.0003
"""What a unit of weight costs: a part that helps nobody ends at zero."""

GAIN = 1e-5
"""Steps that gain less are not taken."""


@dataclass(frozen=True, slots=True)
class Table:
    """One case under one budget: a row a sliced lead, all that ranking and scoring look at."""

    case: Case
    budget: int
    parts: Floats
    kind: Ints
    test: Flags
    size: Floats
    cost: Ints
    critical: Flags
    position: Ints
    tie: Ints
    gold: Floats
    gold_lines: int
    functions: Floats
    function_lines: Floats
    file: Ints
    right_file: Flags
    counted_file: Flags


def table_of(
    case: Case,
    leads: Sequence[Lead],
    evidence: Evidence,
    reader: SourceReader,
    budget: int,
    max_unit_bytes: int,
    names: Sequence[str],
) -> Table:
    """The table of unsliced `leads`, sliced as a build would under this budget."""
    rows: list[Lead] = []
    costs: list[int] = []
    counter = BenchmarkCounter()
    for lead in leads:
        try:
            text = reader.read(lead.path)
        except SourceError:
            continue
        for part in slices(lead, max_unit_bytes):
            lines = LineRange(part.range.start, max(part.range.start, min(part.range.end, len(text.lines))))
            content = text.slice(lines)
            if content.strip():
                rows.append(replace(part, range=lines))
                costs.append(counter.count(counted_text(part.path, lines, content)))
    gold = {(span.path, line) for span in case.gold for line in _lines(span.range)}
    tests = {span.path for span in case.given}
    files = {path: number for number, path in enumerate(dict.fromkeys(row.path for row in rows))}
    order = {row.id: place for place, row in enumerate(sorted(rows, key=lambda row: (row.path, row.range)))}
    right = set(case.gold_files)
    return Table(
        case=case,
        budget=budget,
        parts=np.array([[row.parts.get(name, 0.0) for name in names] for row in rows], dtype=np.float64),
        kind=np.array([KINDS.index(row.kind or ChunkKind.FUNCTION) for row in rows], dtype=np.int64),
        test=np.array([row.is_test and not failing(row) for row in rows], dtype=np.bool_),
        size=np.array([max(1, row.bytes) for row in rows], dtype=np.float64),
        cost=np.array(costs, dtype=np.int64),
        critical=np.array([evidence.holds_failing_line(row.path, row.range) for row in rows], dtype=np.bool_),
        position=np.array([evidence.position(row.path) or 0 for row in rows], dtype=np.int64),
        tie=np.array([order[row.id] for row in rows], dtype=np.int64),
        gold=np.array([sum((row.path, line) in gold for line in _lines(row.range)) for row in rows], dtype=np.float64),
        gold_lines=len(gold),
        functions=np.array(
            [[_shared(row, span.path, span.range) for span in case.functions] for row in rows], dtype=np.float64
        ).reshape(len(rows), len(case.functions)),
        function_lines=np.array([len(_lines(span.range)) for span in case.functions], dtype=np.float64),
        file=np.array([files[row.path] for row in rows], dtype=np.int64),
        right_file=np.array([row.path in right for row in rows], dtype=np.bool_),
        counted_file=np.array([row.path not in tests or row.path in right for row in rows], dtype=np.bool_),
    )


def failing(lead: Lead) -> bool:
    """True when the lead itself fails."""
    return "traceback" in lead.parts or "diagnostic" in lead.parts


def _lines(lines: LineRange | None) -> range:
    return range(0) if lines is None else range(lines.start, lines.end + 1)


def _shared(lead: Lead, path: str, lines: LineRange | None) -> int:
    if lines is None or path != lead.path or not lines.overlaps(lead.range):
        return 0
    return min(lines.end, lead.range.end) - max(lines.start, lead.range.start) + 1


def scores(table: Table, fusion: Fusion, names: Sequence[str]) -> Floats:
    """The fused score of every row; `retrieval.fuse.fused_score` in arrays."""
    weights = np.array([fusion.part(name).weight for name in names])
    powers = np.array([fusion.part(name).power for name in names])
    total: Floats = (table.parts**powers) @ weights
    total = total * np.array([fusion.kinds[kind] for kind in KINDS])[table.kind]
    total = total * np.minimum(1.0, (SIZE_FROM / table.size) ** fusion.size_penalty)
    return total * np.where(table.test, fusion.test_share, 1.0)


@dataclass(frozen=True, slots=True)
class Figures:
    """What one case scores: shares between 0 and 1."""

    function: float
    line: float
    file: float
    mrr: float


def replayed(table: Table, score: Floats) -> Figures:
    """Rank and pack a case by `score`, and measure it."""
    if not len(score):
        return Figures(0.0, 0.0, 0.0, 0.0)
    order = np.lexsort((table.tie, table.cost, -score, np.where(table.critical, table.position, 0), ~table.critical))
    running = np.cumsum(table.cost[order])
    whole = int(np.searchsorted(running, table.budget, side="right"))
    chosen = order[:whole].tolist()
    used = int(running[whole - 1]) if whole else 0
    for row in order[whole:].tolist():
        if used + table.cost[row] <= table.budget:
            chosen.append(row)
            used += int(table.cost[row])
    picked = np.array(chosen, dtype=np.int64)
    line = float(table.gold[picked].sum() / table.gold_lines) if table.gold_lines else 0.0
    function = line
    if len(table.function_lines):
        function = float((table.functions[picked].sum(axis=0) >= table.function_lines).mean())
    shown = {int(file) for file in table.file[picked][table.right_file[picked]]}
    right = len(table.case.gold_files)
    return Figures(function, line, len(shown) / right if right else 0.0, _mrr(table, order))


def _mrr(table: Table, order: npt.NDArray[np.intp]) -> float:
    right = table.right_file[order]
    if not right.any():
        return 0.0
    first = int(np.argmax(right))
    before = table.file[order][: first + 1][table.counted_file[order][: first + 1]]
    return 1.0 / len(np.unique(before))


def worth(figures: Sequence[Figures], fusion: Fusion) -> float:
    """What the fit maximises: mean recall of functions and lines, then files and their rank."""
    if not figures:
        return 0.0
    total = sum(1.2 * one.function + one.line + 0.5 * one.mrr + 0.3 * one.file for one in figures)
    return total / len(figures) - SHRINK * sum(part.weight for part in fusion.parts.values())


def fitted(tables: Sequence[Table], start: Fusion, names: Sequence[str], rounds: int) -> Fusion:
    """Coordinate ascent from `start`: one number changes at a time, as long as the worth grows."""

    def value(fusion: Fusion) -> float:
        return worth([replayed(table, scores(table, fusion, names)) for table in tables], fusion)

    best, held = start, value(start)
    for _ in range(rounds):
        before = held
        for step in _steps(names):
            for tried in step(best):
                gained = value(tried)
                if gained > held + GAIN:
                    best, held = tried, gained
        if held - before < 100 * GAIN:
            break
    return best


Step = Callable[[Fusion], list[Fusion]]


def _steps(names: Sequence[str]) -> list[Step]:
    steps: list[Step] = []
    for name in names:
        steps.append(lambda fusion, name=name: [_with_part(fusion, name, weight=w) for w in _near(fusion, name)])
        steps.append(lambda fusion, name=name: [_with_part(fusion, name, power=power) for power in POWERS])
    for kind in KINDS[1:]:
        step: Step = lambda fusion, kind=kind: [_with_kind(fusion, kind, share) for share in (0.8, 1.25)]  # noqa: E731
        steps.append(step)
    steps.append(lambda fusion: [replace(fusion, test_share=fusion.test_share * share) for share in (0.66, 1.5)])
    steps.append(
        lambda fusion: [replace(fusion, size_penalty=max(0.0, fusion.size_penalty + by)) for by in (-0.06, 0.06)]
    )
    return steps


def _near(fusion: Fusion, name: str) -> tuple[float, ...]:
    weight = fusion.part(name).weight
    return (weight * 1.6 + 0.03, weight * 0.6, 0.0, weight * 1.2 + 0.01, weight * 0.8)


def _with_part(fusion: Fusion, name: str, weight: float | None = None, power: float | None = None) -> Fusion:
    part = fusion.part(name)
    changed = PartWeight(part.weight if weight is None else weight, part.power if power is None else power)
    return replace(fusion, parts={**fusion.parts, name: changed})


def _with_kind(fusion: Fusion, kind: ChunkKind, share: float) -> Fusion:
    return replace(fusion, kinds={**fusion.kinds, kind: fusion.kinds[kind] * share})


@dataclass(frozen=True, slots=True)
class Fold:
    """One repository left out: its figures by weights that were fitted without it."""

    repository: str
    figures: tuple[Figures, ...]


def cross_validated(tables: Sequence[Table], start: Fusion, names: Sequence[str], rounds: int) -> list[Fold]:
    """Each repository in turn measured with weights fitted on all others."""
    folds: list[Fold] = []
    for repository in dict.fromkeys(_repository(table) for table in tables):
        others = [table for table in tables if _repository(table) != repository]
        own = [table for table in tables if _repository(table) == repository]
        fusion = fitted(others, start, names, rounds)
        folds.append(Fold(repository, tuple(replayed(table, scores(table, fusion, names)) for table in own)))
    return folds


def _repository(table: Table) -> str:
    return table.case.checkout.repository if table.case.checkout else table.case.workspace or ""


def means(figures: Sequence[Figures]) -> Mapping[str, float]:
    """Mean of each figure; zeros without any."""
    count = max(1, len(figures))
    return {name: sum(getattr(one, name) for one in figures) / count for name in ("function", "line", "file", "mrr")}


def fitted_names() -> tuple[str, ...]:
    """The parts that failures give; those that only users give (mentions, open files) are not fitted."""
    return tuple(name for name in FUSION.parts if name not in ("lsp", "mention", "open", "rule", "change"))
