"""Sources `hop2` and `ppr`: what lies further along the links from the failing code.

`hop2` scores a definition by its strongest single path, `ppr` by all paths together (personalised
PageRank over the part of the graph that was walked). Both know the path, so an item can say why.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush

from ..index.pagerank import graph_of, personalised_pagerank
from ..index.snapshot import SymbolId
from ..model.candidate import Reason
from .bm25 import shared_words
from .definition import first_links
from .lead import Lead, SourceResult, best_first, keep_best, lead_of
from .links import Link
from .scene import Scene
from .units import units_of_symbol

LIMIT = 250
MAX_EXPANDED = 220
"""How many definitions are followed, strongest path first."""

MAX_HOPS = 8
DECAY = 0.8
"""Each further hop counts this much of the one before."""

STEER = 3.0
"""How much sooner a definition is followed that shares the most words with the failure."""

LEAST = 0.001
"""Paths weaker than this are not followed."""


@dataclass(frozen=True, slots=True)
class Step:
    """How the walk came to a definition first: from `previous` (None: from the failing code) by `link`."""

    score: float
    hops: int
    link: Link
    origin: str
    previous: SymbolId | None


def candidates(scene: Scene) -> list[SourceResult]:
    """One result for `hop2`, one for `ppr`."""
    steps, expanded = _walk(scene)
    if not steps:
        return [SourceResult("hop2"), SourceResult("ppr")]
    ranks = _ranks(scene, steps, expanded)
    top = max(ranks.values(), default=0.0) or 1.0
    by_path: dict[str, Lead] = {}
    by_rank: dict[str, Lead] = {}
    for target, step in steps.items():
        for unit in units_of_symbol(scene.snapshot, target):
            view = scene.snapshot.file(target.path)
            lines = () if view is None else (view.facts.symbols.name_line[target.index],)
            trail = _trail(steps, target)
            if step.hops > 1:
                why = f"`{step.link.name}` is used {step.hops - 1} steps after the failing code, {step.origin}"
                keep_best(by_path, lead_of(unit, Reason.REFERENCE, "hop2", step.score, why, trail, lines))
            rank = (ranks.get(target, 0.0) / top) ** 0.5
            why = f"`{step.link.name}` is often reached from the failing code"
            keep_best(by_rank, lead_of(unit, Reason.REFERENCE, "ppr", rank, why, trail, lines))
    return [best_first("hop2", by_path, LIMIT), best_first("ppr", by_rank, LIMIT)]


def _walk(scene: Scene) -> tuple[dict[SymbolId, Step], list[SymbolId]]:
    """The best step to each definition, and the definitions that were followed, in order."""
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
    expanded: list[SymbolId] = []
    done: set[SymbolId] = set()
    while heap and len(expanded) < MAX_EXPANDED:
        _, at = heappop(heap)
        step = steps[at]
        if at in done or step.hops >= MAX_HOPS:
            continue
        done.add(at)
        expanded.append(at)
        for link in scene.links.of_symbol(at):
            score = step.score * DECAY * link.weight
            if score >= LEAST:
                reach(link.target, Step(score, step.hops + 1, link, f"{at.path}:{link.line}", at))
    return steps, expanded


def _ranks(scene: Scene, steps: dict[SymbolId, Step], expanded: list[SymbolId]) -> dict[SymbolId, float]:
    numbers = {target: number for number, target in enumerate(steps)}
    sources: list[int] = []
    targets: list[int] = []
    weights: list[float] = []
    for at in expanded:
        for link in scene.links.of_symbol(at):
            number = numbers.get(link.target)
            if number is not None and link.weight > 0:
                sources.append(numbers[at])
                targets.append(number)
                weights.append(link.weight)
    seeds = [0.0] * len(numbers)
    for target, step in steps.items():
        if step.previous is None:
            seeds[numbers[target]] = step.score
    if not any(seeds):
        return {}
    ranks = personalised_pagerank(graph_of(len(numbers), sources, targets, weights), seeds)
    return {target: float(ranks[number]) for target, number in numbers.items()}


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
