"""Sources `type` and `head`: the class around a shown unit, and the types its signature names.

Without them an agent reads the file again to see what `self` is.
"""

from __future__ import annotations

from ..index.snapshot import SymbolId
from ..model.candidate import Reason
from ..model.facts import CONTAINER_KINDS, NOWHERE, ReferenceKind
from .lead import Lead, SourceResult, best_first, keep_best, lead_of
from .scene import Scene
from .units import Unit, unit_at, units_of_symbol

LIMIT = 40
MAX_STARTS = 25
HEAD_SHARE = 0.35
TYPE_SHARE = 0.3
"""A head or a type counts this share of the unit that needs it."""


def candidates(scene: Scene, leads: tuple[Lead, ...]) -> list[SourceResult]:
    """One result for `head`, one for `type`, from the best of `leads`."""
    starts = sorted(
        (lead for lead in leads if lead.symbol is not None and not lead.is_test),
        key=lambda lead: (-lead.score, lead.path, lead.range.start, lead.range.end),
    )[:MAX_STARTS]
    heads: dict[str, Lead] = {}
    types: dict[str, Lead] = {}
    for start in starts:
        for unit in _heads(scene, start):
            why = f"head of the class around `{_name(scene, start)}`"
            keep_best(heads, _lead(unit, start, "head", start.score * HEAD_SHARE, why))
        for unit, name in _types(scene, start):
            why = f"type `{name}` in the signature of `{_name(scene, start)}`"
            keep_best(types, _lead(unit, start, "type", start.score * TYPE_SHARE, why))
    return [best_first("head", heads, LIMIT), best_first("type", types, LIMIT)]


def _name(scene: Scene, lead: Lead) -> str:
    return scene.snapshot.symbol(lead.symbol).name if lead.symbol else lead.path


def _heads(scene: Scene, start: Lead) -> list[Unit]:
    view = scene.snapshot.file(start.path)
    if view is None or start.symbol is None:
        return []
    symbols = view.facts.symbols
    parent = symbols.parent[start.symbol.index]
    while parent != NOWHERE and symbols.kind[parent] not in CONTAINER_KINDS:
        parent = symbols.parent[parent]
    if parent == NOWHERE:
        return []
    head = unit_at(scene.snapshot, start.path, symbols.name_line[parent])
    return [head] if head and head.range != start.range else []


def _types(scene: Scene, start: Lead) -> list[tuple[Unit, str]]:
    view = scene.snapshot.file(start.path)
    if view is None or start.symbol is None:
        return []
    signature = view.facts.symbol(start.symbol.index).signature
    references = view.facts.references
    found: list[tuple[Unit, str]] = []
    for index in range(len(references)):
        line = references.line[index]
        if line > signature.end:
            break
        if line < signature.start or references.kind[index] not in (ReferenceKind.TYPE, ReferenceKind.INHERIT):
            continue
        reference = view.facts.reference(index)
        resolution = scene.resolver.resolve(start.path, reference)
        for target in resolution.targets[:2] if resolution.confident else ():
            found += [(unit, reference.name) for unit in _shown(scene, target) if unit.range != start.range]
    return found


def _shown(scene: Scene, target: SymbolId) -> list[Unit]:
    return units_of_symbol(scene.snapshot, target)[:1]


def _lead(unit: Unit, start: Lead, source: str, score: float, why: str) -> Lead:
    return lead_of(unit, Reason.REFERENCE, source, score, why, (*start.trail, source), (unit.range.start,))
