"""What a failure gives retrieval to work with: its failing units and the references inside them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator

from ..index.resolve import Resolver
from ..index.snapshot import Snapshot
from ..model.facts import Reference, ReferenceKind
from ..model.failure import Failure, FailureKind, FailureReport, Location, Role
from ..model.lines import LineRange
from ..model.pack import Unresolved
from ..model.request import BuildRequest
from ..model.source import SourceReader
from ..model.values import Value
from ..workspace.classify import PathFlag
from ..workspace.touched import Touched
from .lead import Lead
from .links import Links
from .searches import Searches
from .units import Unit, units_in

ROLE_WEIGHT = {Role.PRIMARY: 1.0, Role.CAUSE: 0.95, Role.FRAME: 0.8, Role.TEST: 0.6, Role.RELATED: 0.5}
"""How far a location of each role is trusted to be near the culprit."""

DEPTH_DECAY = 0.92
"""Each further location of one failure counts this much of the one before."""

ASSERTION_HELPER = 0.35
"""Weight of a test helper that only compares, below the test that calls it."""

FAILURE_DECAY = 0.9
"""Each further failure counts this much of the one before; the first is usually the one being fixed."""

MAX_FAILURES = 30
MAX_LOCATIONS = 40
MAX_UNITS = 8
"""A location may span several units (a test with nested parts)."""


class FailingUnit(Value):
    """A unit that one location of a failure touches, with the 1-based lines of it that do; `weight` in (0, 1].

    `stopped` when the failure names one line in it: what stands below did not run. `helper`
    for a test helper that only compares.
    """

    failure: Failure
    location: Location
    unit: Unit
    weight: float
    lines: LineRange
    stopped: bool
    helper: bool = False


class Scene(Value):
    """Everything a source may look at. Pure data over one snapshot."""

    snapshot: Snapshot
    resolver: Resolver
    links: Links
    searches: Searches
    request: BuildRequest
    report: FailureReport
    reader: SourceReader
    failing: tuple[FailingUnit, ...]
    max_unit_bytes: int
    changes: tuple[Touched, ...] = ()
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
            share = FAILURE_DECAY**order * location.confidence
            for unit in units_in(snapshot, location.path, location.line, location.last_line)[:MAX_UNITS]:
                if _narrower(failure, location, unit):
                    continue
                weight = share * _trust(snapshot, failure, depth, unit)
                first = min(unit.range.end, max(location.line, unit.range.start))
                lines = LineRange(first, max(first, min(location.last_line, unit.range.end)))
                key = (location.path, first)
                if key not in found or found[key].weight < weight:
                    found[key] = FailingUnit(
                        failure,
                        location,
                        unit,
                        weight,
                        lines,
                        len(lines) == 1,
                        _compares(snapshot, failure, depth, unit),
                    )
    return tuple(sorted(found.values(), key=lambda unit: (-unit.weight, unit.unit.path, unit.location.line)))


def _narrower(failure: Failure, location: Location, unit: Unit) -> bool:
    """True when the failure names a single line of `unit` beside a `location` that spans several."""
    return location.last_line > location.line and any(
        other.path == unit.path and other.last_line == other.line and unit.range.contains(other.line)
        for other in failure.locations
    )


def _trust(snapshot: Snapshot, failure: Failure, depth: int, unit: Unit) -> float:
    """How far the unit of the location at `depth` is trusted to be near the culprit."""
    if _compares(snapshot, failure, depth, unit):
        return ASSERTION_HELPER
    if failure.kind is FailureKind.ASSERTION and unit.is_test:
        return 1.0
    return ROLE_WEIGHT[failure.locations[depth].role] * DEPTH_DECAY**depth


def _compares(snapshot: Snapshot, failure: Failure, depth: int, unit: Unit) -> bool:
    """True for a test helper below the test that fails in an assertion: the test made what the helper compares."""
    if failure.kind is not FailureKind.ASSERTION or not unit.is_test:
        return False
    outer = [other for other in failure.locations[depth + 1 :] if snapshot.flags(other.path) & PathFlag.TEST]
    return any(other.path != unit.path or not unit.range.contains(other.line) for other in outer)


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
    for index in range(bisect_left(lines, unit.range.start), bisect_right(lines, unit.range.end)):
        yield view.facts.reference(index)
