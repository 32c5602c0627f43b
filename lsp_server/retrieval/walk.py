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
from .lead import Lead, SourceResult, lead_of
from .links import Link
from .scene import Scene
from .units import Unit, units_of_symbol

LIMIT = 250
MAX_EXPANDED = 75
"""How many definitions are followed, strongest path first: with 150 recall on the benchmark is the same, with 50 less
at 8,000 tokens."""

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
    best: dict[str, tuple[float, Unit, SymbolId]] = {}
    steps = _walk(scene)
    for target, step in steps.items():
        if step.hops < 2:
            continue
        for unit in units_of_symbol(scene.snapshot, target):
            place, score = unit.id, min(1.0, step.score)
            held = best.get(place)
            if held is None or score > held[0]:
                best[place] = score, unit, target
    # Only what is offered is worth words: the walk reaches about twice as much.
    ordered = sorted(best.values(), key=lambda one: (-one[0], one[1].path, one[1].range.start, one[1].range.end))
    leads = tuple(_lead(scene, steps, unit, target) for _, unit, target in ordered[:LIMIT])
    return [SourceResult("hop2", leads, max(0, len(ordered) - LIMIT))]


def _lead(scene: Scene, steps: dict[SymbolId, Step], unit: Unit, target: SymbolId) -> Lead:
    step = steps[target]
    view = scene.snapshot.file(target.path)
    lines = () if view is None else (view.facts.symbols.name_line[target.index],)
    between = "one step" if step.hops == 2 else f"{step.hops - 1} steps"
    why = f"`{step.link.name}` is used {between} after the failing code, {step.origin}"
    return lead_of(unit, Reason.REFERENCE, "hop2", step.score, why, _trail(steps, target), lines)


def _walk(scene: Scene) -> dict[SymbolId, Step]:
    """The best step to each definition that the walk reaches."""
    steps: dict[SymbolId, Step] = {}
    heap: list[tuple[float, SymbolId]] = []
    words = shared_words(scene)

    def reach(link: Link, score: float, hops: int, path: str, previous: SymbolId | None) -> None:
        target = link.target
        held = steps.get(target)
        if held is None or score > held.score:
            steps[target] = Step(score, hops, link, f"{path}:{link.line}", previous)
            heappush(heap, (-score * (1.0 + STEER * words.get(target, 0.0)), target))

    for failing in scene.failing:
        for link, share, _ in first_links(scene, failing):
            reach(link, failing.weight * share * link.weight, 1, failing.unit.path, None)
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
                reach(link, score, step.hops + 1, at.path, at)
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
