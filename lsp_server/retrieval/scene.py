"""What a failure gives retrieval to work with: its failing units and the references inside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..index.resolve import Resolver
from ..index.snapshot import Snapshot
from ..model.facts import Reference, ReferenceKind
from ..model.failure import Failure, FailureReport, Location, Role
from ..model.lines import LineRange
from ..model.pack import Unresolved
from ..model.request import BuildRequest
from ..model.source import SourceReader
from .lead import Lead
from .units import Unit, unit_at

ROLE_WEIGHT = {Role.PRIMARY: 1.0, Role.CAUSE: 0.95, Role.FRAME: 0.8, Role.TEST: 0.6, Role.RELATED: 0.5}
"""How far a location of each role is trusted to be near the culprit."""

DEPTH_DECAY = 0.92
"""Each further location of one failure counts this much of the one before."""

FAILURE_DECAY = 0.9
"""Each further failure counts this much of the one before; the first is usually the one being fixed."""

MAX_FAILURES = 30
MAX_LOCATIONS = 40


@dataclass(frozen=True, slots=True)
class FailingUnit:
    """The unit around one location of a failure; `weight` in (0, 1]."""

    failure: Failure
    location: Location
    unit: Unit
    weight: float


@dataclass(frozen=True, slots=True)
class ChangedLines:
    """Lines of the present text that a change touched; `committed` tells the last commit from the working tree."""

    path: str
    range: LineRange
    committed: bool


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything a source may look at. Pure data over one snapshot."""

    snapshot: Snapshot
    resolver: Resolver
    request: BuildRequest
    report: FailureReport
    reader: SourceReader
    failing: tuple[FailingUnit, ...]
    max_unit_bytes: int
    changes: tuple[ChangedLines, ...] = ()
    exact: Iterable[Lead] = ()

    @property
    def failing_files(self) -> tuple[str, ...]:
        """Files of the primary locations, in order, each once."""
        return failing_files(self.report)


def failing_files(report: FailureReport) -> tuple[str, ...]:
    """Files of the primary locations, in order, each once."""
    return tuple(dict.fromkeys(failure.primary.path for failure in report.failures if failure.primary))


def failing_units(snapshot: Snapshot, report: FailureReport) -> tuple[FailingUnit, ...]:
    """The units around all locations of all failures, most suspicious first, each place once."""
    found: dict[tuple[str, int], FailingUnit] = {}
    for order, failure in enumerate(report.failures[:MAX_FAILURES]):
        for depth, location in enumerate(failure.locations[:MAX_LOCATIONS]):
            unit = unit_at(snapshot, location.path, location.line)
            if unit is None:
                continue
            weight = ROLE_WEIGHT[location.role] * DEPTH_DECAY**depth * FAILURE_DECAY**order * location.confidence
            key = (location.path, location.line)
            if key not in found or found[key].weight < weight:
                found[key] = FailingUnit(failure, location, unit, weight)
    return tuple(sorted(found.values(), key=lambda unit: (-unit.weight, unit.unit.path, unit.location.line)))


MAX_UNRESOLVED_NAMES = 20


def unresolved_near(scene: Scene) -> Unresolved:
    """Calls in the failing units for which no confident definition is known; library calls among them."""
    calls = 0
    names: dict[str, None] = {}
    for unit in {failing.unit.id: failing.unit for failing in scene.failing}.values():
        for reference in references_in(scene.snapshot, unit):
            if reference.kind is ReferenceKind.CALL and not scene.resolver.resolve(unit.path, reference).confident:
                calls += 1
                names.setdefault(reference.name)
    return Unresolved(calls, tuple(names)[:MAX_UNRESOLVED_NAMES])


def references_in(snapshot: Snapshot, unit: Unit) -> Iterator[Reference]:
    """All uses of names inside the unit, in order of position."""
    view = snapshot.file(unit.path)
    if view is None:
        return
    lines = view.facts.references.line
    for index in range(len(lines)):
        if lines[index] > unit.range.end:
            break
        if lines[index] >= unit.range.start:
            yield view.facts.reference(index)
