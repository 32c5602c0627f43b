"""Sources `assertion-call` and `definition`: what the failing code calls and uses.

An assertion never prints its culprit, so what is called on the asserting line counts most.
"""

from __future__ import annotations

from math import log2

from ..index.snapshot import Snapshot, SymbolId
from ..model.candidate import Reason
from ..model.facts import Reference, ReferenceKind
from ..model.failure import FailureKind
from .lead import Lead, SourceResult, best_first, keep_best
from .scene import FailingUnit, Scene, references_in
from .units import slices, units_of_symbol

LIMIT = 80

KIND_WEIGHT = {
    ReferenceKind.CALL: 1.0,
    ReferenceKind.INHERIT: 0.8,
    ReferenceKind.TYPE: 0.7,
    ReferenceKind.DECORATOR: 0.6,
    ReferenceKind.ATTRIBUTE: 0.5,
    ReferenceKind.READ: 0.5,
    ReferenceKind.IMPORT: 0.3,
}
"""How much each kind of use says about the behaviour of the failing code."""

ELSEWHERE_IN_UNIT = 0.6
"""A use in the failing unit, but not on its failing line, counts this much."""

VERB = {ReferenceKind.CALL: "called", ReferenceKind.INHERIT: "inherited from", ReferenceKind.TYPE: "named as a type"}


def candidates(scene: Scene) -> list[SourceResult]:
    """One result for `assertion-call`, one for `definition`."""
    found: dict[str, dict[str, Lead]] = {"assertion-call": {}, "definition": {}}
    for failing in scene.failing:
        for reference in references_in(scene.snapshot, failing.unit):
            source = _source(failing, reference)
            for lead in _leads(scene, failing, reference, source):
                keep_best(found[source], lead)
    for place in found["assertion-call"]:
        found["definition"].pop(place, None)
    return [best_first(source, leads, LIMIT) for source, leads in found.items()]


def _on_failing_line(failing: FailingUnit, reference: Reference) -> bool:
    return failing.location.line <= reference.line <= failing.location.last_line


def _source(failing: FailingUnit, reference: Reference) -> str:
    asserting = failing.failure.kind is FailureKind.ASSERTION and _on_failing_line(failing, reference)
    return "assertion-call" if asserting and reference.kind is ReferenceKind.CALL else "definition"


def rarity(snapshot: Snapshot, name: str) -> float:
    """Damps names that many files use: 1 for a name of one file, about 0.3 for one of a thousand."""
    return 1.0 / (1.0 + 0.25 * log2(1 + len(snapshot.files_using(name))))


def _leads(scene: Scene, failing: FailingUnit, reference: Reference, source: str) -> list[Lead]:
    resolution = scene.resolver.resolve(failing.unit.path, reference)
    near = 1.0 if _on_failing_line(failing, reference) else ELSEWHERE_IN_UNIT
    score = failing.weight * near * KIND_WEIGHT[reference.kind] * resolution.confidence
    score *= rarity(scene.snapshot, reference.name)
    return [
        lead for target in resolution.targets for lead in _of_target(scene, failing, reference, target, source, score)
    ]


def _of_target(
    scene: Scene, failing: FailingUnit, reference: Reference, target: SymbolId, source: str, score: float
) -> list[Lead]:
    where = f"line {reference.line} of {failing.unit.path}"
    line = f"failing {where}" if _on_failing_line(failing, reference) else where
    verb = VERB.get(reference.kind, "used")
    return [
        Lead(
            path=part.path,
            range=part.range,
            reason=Reason.REFERENCE,
            source=source,
            score=min(1.0, score),
            why=f"definition of `{reference.name}`, {verb} on {line}",
            symbol=part.symbol,
            name=part.name,
            parent=part.parent,
            is_test=part.is_test,
            trail=(f"{failing.unit.path}:{reference.line}", f"{verb} {reference.name}"),
        )
        for unit in units_of_symbol(scene.snapshot, target)
        if unit.id != failing.unit.id
        for part in slices(unit, (), scene.max_unit_bytes)
    ]
