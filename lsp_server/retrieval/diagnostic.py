"""Sources `diagnostic` and `traceback`: the enclosing unit of each failing line, most suspicious first."""

from __future__ import annotations

from collections import defaultdict

from ..model.candidate import Reason
from ..model.failure import FailureKind, Role
from .lead import Lead, SourceResult, best_first, keep_best
from .scene import FailingUnit, Scene
from .units import slices

LIMIT = 60


def candidates(scene: Scene) -> list[SourceResult]:
    """One result for `diagnostic`, one for `traceback`."""
    found: dict[str, dict[str, Lead]] = {"diagnostic": {}, "traceback": {}}
    by_unit: dict[str, list[FailingUnit]] = defaultdict(list)
    for failing in scene.failing:
        by_unit[failing.unit.id].append(failing)
    for group in by_unit.values():
        first = group[0]
        source = _source(first)
        lines = tuple(line for one in group for line in (one.location.line, one.location.last_line))
        for unit in slices(first.unit, lines, scene.max_unit_bytes):
            inside = [one for one in group if unit.range.contains(one.location.line)]
            best = inside[0] if inside else first
            keep_best(
                found[source],
                Lead(
                    path=unit.path,
                    range=unit.range,
                    reason=Reason.FAILURE,
                    source=source,
                    score=best.weight if inside else best.weight * 0.5,
                    why=_why(best, unit.name) if inside else f"beginning of `{unit.name or unit.path}`, which fails",
                    symbol=unit.symbol,
                    name=unit.name,
                    parent=unit.parent,
                    is_test=unit.is_test,
                ),
            )
    return [best_first(source, leads, LIMIT) for source, leads in found.items()]


def _source(failing: FailingUnit) -> str:
    editor = failing.failure.kind in (FailureKind.DIAGNOSTIC, FailureKind.WARNING, FailureKind.SYNTAX)
    return "diagnostic" if editor else "traceback"


def _why(failing: FailingUnit, name: str) -> str:
    place = f"`{name}`, " if name else ""
    line = failing.location.line
    match failing.location.role:
        case Role.PRIMARY:
            return f"{place}failing line {line}"
        case Role.FRAME:
            return f"{place}on the call stack at line {line}"
        case Role.TEST:
            return f"{place}the failing test, line {line}"
        case Role.CAUSE:
            return f"{place}cause of the failure, line {line}"
        case Role.RELATED:
            return f"{place}named by the failure, line {line}"
