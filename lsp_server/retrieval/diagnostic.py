"""Sources `diagnostic` and `traceback`: the enclosing unit of each failing line, most suspicious first."""

from __future__ import annotations

from ..model.candidate import Reason
from ..model.failure import FailureKind, Role
from .lead import Lead, SourceResult, best_first, keep_best, lead_of
from .scene import FailingUnit, Scene

LIMIT = 60


def candidates(scene: Scene) -> list[SourceResult]:
    """One result for `diagnostic`, one for `traceback`."""
    found: dict[str, dict[str, Lead]] = {"diagnostic": {}, "traceback": {}}
    groups: dict[str, list[FailingUnit]] = {}
    for failing in scene.failing:
        groups.setdefault(failing.unit.id, []).append(failing)
    for group in groups.values():
        first = group[0]
        source = _source(first)
        lines = {line for one in group for line in (one.location.line, one.location.last_line)}
        shown = tuple(sorted(line for line in lines if first.unit.range.contains(line)))
        why = _why(first, first.unit.name)
        keep_best(found[source], lead_of(first.unit, Reason.FAILURE, source, first.weight, why, lines=shown))
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
