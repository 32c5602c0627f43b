"""Source `hop2`: what lies further along the links from the failing code, by the strongest path to it.

Ranks by all paths together (personalised PageRank over the part that was walked) were measured beside
it and added nothing. The path is known, so an item can say why.
"""

from __future__ import annotations

from heapq import heappop, heappush

from ..index.snapshot import SymbolId
from ..model.candidate import Reason
from ..model.values import Value
from .bm25 import shared_words
from .definition import first_links
from .lead import Lead, SourceResult, best_first, keep_best, lead_of
from .links import Link
from .scene import Scene
from .units import units_of_symbol

LIMIT = 250
MAX_EXPANDED = 150
"""How many definitions are followed, strongest path first."""

MAX_HOPS = 8
DECAY = 0.8
"""Each further hop counts this much of the one before."""

STEER = 3.0
"""How much sooner a definition is followed that shares the most words with the failure."""

LEAST = 0.001
"""Paths weaker than this are not followed."""


class Step(Value):
    """How the walk came to a definition first: from `previous` (None: from the failing code) by `link`."""

    score: float
    hops: int
    link: Link
    origin: str
    previous: SymbolId | None


def candidates(scene: Scene) -> list[SourceResult]:
    """One result for `hop2`."""
    found: dict[str, Lead] = {}
    steps = _walk(scene)
    for target, step in steps.items():
        if step.hops < 2:
            continue
        view = scene.snapshot.file(target.path)
        lines = () if view is None else (view.facts.symbols.name_line[target.index],)
        between = "one step" if step.hops == 2 else f"{step.hops - 1} steps"
        why = f"`{step.link.name}` is used {between} after the failing code, {step.origin}"
        for unit in units_of_symbol(scene.snapshot, target):
            keep_best(found, lead_of(unit, Reason.REFERENCE, "hop2", step.score, why, _trail(steps, target), lines))
    return [best_first("hop2", found, LIMIT)]


def _walk(scene: Scene) -> dict[SymbolId, Step]:
    """The best step to each definition that the walk reaches."""
    steps: dict[SymbolId, Step] = {}
    heap: list[tuple[float, SymbolId]] = []
    words = shared_words(scene)

    def reach(target: SymbolId, step: Step) -> None:
        held = steps.get(target)
        if held is None or step.score > held.score:
            steps[target] = step
            heappush(heap, (-step.score * (1.0 + STEER * words.get(target, 0.0)), target))

    for failing in scene.failing:
        for link, share, _ in first_links(scene, failing):
            origin = f"{failing.unit.path}:{link.line}"
            reach(link.target, Step(failing.weight * share * link.weight, 1, link, origin, None))
    done: set[SymbolId] = set()
    while heap and len(done) < MAX_EXPANDED:
        _, at = heappop(heap)
        step = steps[at]
        if at in done or step.hops >= MAX_HOPS:
            continue
        done.add(at)
        for link in scene.links.of_symbol(at):
            score = step.score * DECAY * link.weight
            if score >= LEAST:
                reach(link.target, Step(score, step.hops + 1, link, f"{at.path}:{link.line}", at))
    return steps


def _trail(steps: dict[SymbolId, Step], target: SymbolId) -> tuple[str, ...]:
    parts: list[str] = []
    at: SymbolId | None = target
    for _ in range(MAX_HOPS + 1):
        if at is None:
            break
        step = steps[at]
        parts = [step.origin, f"{step.link.verb} {step.link.name}", *parts]
        at = step.previous
    return tuple(parts)
