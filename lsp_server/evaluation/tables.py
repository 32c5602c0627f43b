"""Gathered leads of one case as arrays: all that ranking, packing and scoring look at."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ..context.evidence import Evidence
from ..context.policies import comes_first
from ..model.errors import SourceError
from ..model.facts import ChunkKind
from ..model.lines import LineRange
from ..model.source import SourceReader
from ..model.values import Value, replace
from ..retrieval.lead import Lead
from ..retrieval.odds import NO_CLUES, TRAITS, Clues, traits
from ..retrieval.slicing import slices
from .cases import Case
from .counting import BenchmarkCounter, counted_text

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

KINDS = tuple(ChunkKind)


class Table(Value):
    """One case under one budget: a row a sliced lead, all that ranking and scoring look at."""

    case: Case
    budget: int
    parts: Floats
    kind: Ints
    test: Flags
    size: Floats
    cost: Ints
    first: Flags
    position: Ints
    tie: Ints
    gold: Floats
    gold_lines: int
    counted_lines: Floats
    functions: Floats
    function_lines: Floats
    file: Ints
    right_file: Flags
    counted_file: Flags
    critical: Flags
    of_test: Flags
    lines: Ints
    traits: Floats


def table_of(
    case: Case,
    leads: Sequence[Lead],
    evidence: Evidence,
    reader: SourceReader,
    budget: int,
    max_unit_bytes: int,
    names: Sequence[str],
    clues: Clues = NO_CLUES,
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
    given = {(span.path, line) for span in case.given for line in _lines(span.range)}
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
        first=np.array(
            [comes_first(evidence, row.path, row.range, is_test=row.is_test) for row in rows], dtype=np.bool_
        ),
        position=np.array([evidence.position(row.path) or 0 for row in rows], dtype=np.int64),
        tie=np.array([order[row.id] for row in rows], dtype=np.int64),
        gold=np.array([sum((row.path, line) in gold for line in _lines(row.range)) for row in rows], dtype=np.float64),
        gold_lines=len(gold),
        counted_lines=np.array(
            [sum((row.path, line) not in given for line in _lines(row.range)) for row in rows], dtype=np.float64
        ),
        functions=np.array(
            [[_shared(row, span.path, span.range) for span in case.functions] for row in rows], dtype=np.float64
        ).reshape(len(rows), len(case.functions)),
        function_lines=np.array([len(_lines(span.range)) for span in case.functions], dtype=np.float64),
        file=np.array([files[row.path] for row in rows], dtype=np.int64),
        right_file=np.array([row.path in right for row in rows], dtype=np.bool_),
        counted_file=np.array([row.path not in tests or row.path in right for row in rows], dtype=np.bool_),
        critical=np.array([evidence.holds_failing_line(row.path, row.range) for row in rows], dtype=np.bool_),
        of_test=np.array([row.is_test for row in rows], dtype=np.bool_),
        lines=np.array([len(row.range) for row in rows], dtype=np.int64),
        traits=np.array([traits(row, clues) for row in rows], dtype=np.float64).reshape(len(rows), len(TRAITS)),
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
