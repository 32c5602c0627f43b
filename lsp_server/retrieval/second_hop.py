"""Source `hop2`: what the definitions that the failing code uses use themselves."""

from __future__ import annotations

from ..model.candidate import Reason
from ..model.facts import ReferenceKind
from .definition import KIND_WEIGHT, rarity
from .lead import Lead, SourceResult, best_first, keep_best
from .scene import Scene, references_in
from .units import Unit, slices, units_of_symbol

LIMIT = 80
MAX_STARTS = 40
"""How many first-hop leads are followed."""

DECAY = 0.5
"""One more hop away counts this much; measured: +.02 line recall, no better with a full walk."""

FOLLOWED = frozenset({"assertion-call", "definition", "traceback", "diagnostic", "test-link"})


def candidates(scene: Scene, leads: tuple[Lead, ...]) -> list[SourceResult]:
    """One result for `hop2`, from the best of `leads`."""
    starts = sorted(
        (lead for lead in leads if lead.source in FOLLOWED and not lead.is_test),
        key=lambda lead: (-lead.score, lead.path, lead.range),
    )[:MAX_STARTS]
    found: dict[str, Lead] = {}
    for start in starts:
        unit = Unit(start.path, start.range, start.symbol, "", start.is_test, 0)
        for reference in references_in(scene.snapshot, unit):
            if reference.kind is ReferenceKind.IMPORT:
                continue
            resolution = scene.resolver.resolve(start.path, reference)
            score = start.score * DECAY * KIND_WEIGHT[reference.kind] * resolution.confidence
            score *= rarity(scene.snapshot, reference.name)
            for target in resolution.targets[:4]:
                for whole in units_of_symbol(scene.snapshot, target):
                    if whole.id == start.id:
                        continue
                    for part in slices(whole, (), scene.max_unit_bytes):
                        keep_best(found, _lead(part, start, reference.name, reference.line, score))
    return [best_first("hop2", found, LIMIT)]


def _lead(part: Unit, start: Lead, name: str, line: int, score: float) -> Lead:
    return Lead(
        path=part.path,
        range=part.range,
        reason=Reason.REFERENCE,
        source="hop2",
        score=score,
        why=f"`{name}` is used on line {line} of {start.path}, which is {_short(start)}",
        symbol=part.symbol,
        name=part.name,
        parent=part.parent,
        is_test=part.is_test,
        trail=(*start.trail, f"{start.path}:{line}", f"uses {name}"),
    )


def _short(lead: Lead) -> str:
    return lead.why.split(",")[0]
