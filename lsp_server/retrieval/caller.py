"""Source `caller`: who uses the failing code."""

from __future__ import annotations

from ..index.snapshot import ReferenceSite, SymbolId
from ..model.candidate import Reason
from ..model.facts import ReferenceKind
from .lead import Lead, SourceResult, best_first, keep_best, lead_of
from .scene import FailingUnit, Scene
from .units import unit_at

LIMIT = 40
MAX_SITES = 120
"""Sites looked at for one name: beyond it the name is too common to be evidence."""

USES = frozenset({ReferenceKind.CALL, ReferenceKind.INHERIT, ReferenceKind.DECORATOR, ReferenceKind.READ})


def candidates(scene: Scene) -> list[SourceResult]:
    """One result for `caller`."""
    found: dict[str, Lead] = {}
    for failing in scene.failing:
        target = failing.unit.symbol
        if target is None or failing.unit.is_test:
            continue
        for lead in _callers(scene, failing, target):
            keep_best(found, lead)
    return [best_first("caller", found, LIMIT)]


def _callers(scene: Scene, failing: FailingUnit, target: SymbolId) -> list[Lead]:
    snapshot = scene.snapshot
    name = snapshot.symbol(target).name
    sites = snapshot.references(name)
    if len(sites) > MAX_SITES:
        return []
    leads: list[Lead] = []
    for site in sites:
        lead = _caller(scene, failing, target, name, site)
        if lead:
            leads.append(lead)
    return leads


def _caller(scene: Scene, failing: FailingUnit, target: SymbolId, name: str, site: ReferenceSite) -> Lead | None:
    view = scene.snapshot.file(site.path)
    if view is None:
        return None
    reference = view.facts.reference(site.index)
    resolution = scene.resolver.resolve(site.path, reference)
    if reference.kind not in USES or target not in resolution.targets:
        return None
    unit = unit_at(scene.snapshot, site.path, reference.line)
    if unit is None or unit.id == failing.unit.id:
        return None
    return lead_of(
        unit,
        Reason.REFERENCE,
        "caller",
        failing.weight * resolution.confidence * (0.4 if unit.is_test else 0.8),
        f"uses `{name}`, which fails, on line {reference.line}",
        (f"{failing.unit.path}:{failing.location.line}", f"used by {unit.name or unit.path}"),
        (reference.line,),
    )
