"""Sources `assertion-call` and `definition`: what the failing code calls and uses.

An assertion never prints its culprit, so what is called on the asserting line counts most.
"""

from __future__ import annotations

from ..index.snapshot import SymbolId
from ..model.candidate import Reason
from ..model.facts import NOWHERE, SymbolFlag
from ..model.failure import FailureKind
from ..model.lines import LineRange
from .lead import Lead, SourceResult, best_first, keep_best, lead_of
from .links import Link
from .scene import ASSERTION_HELPER, FailingUnit, Scene
from .units import units_of_symbol

LIMIT = 100

ELSEWHERE_IN_UNIT = 0.6
"""A use in the failing unit above its failing line counts this much."""

BEFORE_ASSERTION = 0.9
"""An assertion judges values that the lines above it made."""

NOT_RUN = 0.2
"""What stands below the failing line did not run; it still says what the code is about."""

PREPARATION = 0.35
"""A use in what prepares a failing test: the fixtures and helpers of its class."""

MAX_PREPARING = 6


def candidates(scene: Scene) -> list[SourceResult]:
    """One result for `assertion-call`, one for `definition`."""
    found: dict[str, dict[str, Lead]] = {"assertion-call": {}, "definition": {}}
    for failing in scene.failing:
        for link, share, where in first_links(scene, failing):
            on_line = where == FAILING_LINE
            asserting = (
                on_line and failing.stopped and failing.failure.kind is FailureKind.ASSERTION and link.verb == "calls"
            )
            for lead in _leads(scene, failing, link, share, where, "assertion-call" if asserting else "definition"):
                keep_best(found[lead.source], lead)
    for place in found["assertion-call"]:
        found["definition"].pop(place, None)
    return [best_first(source, leads, LIMIT) for source, leads in found.items()]


FAILING_LINE = "failing line"


def first_links(scene: Scene, failing: FailingUnit) -> list[tuple[Link, float, str]]:
    """The links out of a failing unit, with the share of its weight that each gets and a word for where it is."""
    view = scene.snapshot.file(failing.unit.path)
    if view is None:
        return []
    found = [(link, 1.0, FAILING_LINE) for link in scene.links.of_lines(view, failing.lines)]
    seen = {link.target for link, _, _ in found}
    asserted = failing.failure.kind is FailureKind.ASSERTION
    for link in scene.links.of_lines(view, failing.unit.range):
        if link.target not in seen:
            after = failing.stopped and link.line > failing.lines.end
            found.append((link, NOT_RUN if after else BEFORE_ASSERTION if asserted else ELSEWHERE_IN_UNIT, "line"))
    comparing = comparing_helpers(scene)
    found = [
        (link, share * ASSERTION_HELPER if link.target in comparing else share, where) for link, share, where in found
    ]
    if failing.unit.is_test:
        seen.update(link.target for link, _, _ in found)
        for symbol in _preparing(scene, failing):
            links = scene.links.of_lines(view, symbol)
            found += [(link, PREPARATION, "line") for link in links if link.target not in seen]
            seen.update(link.target for link in links)
    return found


def comparing_helpers(scene: Scene) -> set[SymbolId]:
    """Test helpers that failed only because what they were given is wrong."""
    return {
        failing.unit.symbol
        for failing in scene.failing
        if failing.unit.symbol and failing.unit.is_test and failing.helper
    }


def _preparing(scene: Scene, failing: FailingUnit) -> list[LineRange]:
    """What prepares a failing test: the heads of the blocks around it, innermost first (`describe Parser do`), and the
    members of each that are no tests themselves (fixtures, `setUp`, `let`)."""
    view = scene.snapshot.file(failing.unit.path)
    if view is None or failing.unit.symbol is None:
        return []
    symbols = view.facts.symbols
    found: list[LineRange] = []
    parent = symbols.parent[failing.unit.symbol.index]
    while parent != NOWHERE:
        start, end = symbols.start[parent], symbols.end[parent]
        found.append(LineRange(start, max(start, symbols.name_line[parent])))
        members = 0
        for index in range(parent + 1, len(symbols)):
            if symbols.start[index] > end or members >= MAX_PREPARING:
                break
            if symbols.parent[index] == parent and not symbols.flags[index] & SymbolFlag.TEST:
                found.append(LineRange(symbols.start[index], symbols.end[index]))
                members += 1
        parent = symbols.parent[parent]
    return found


def _leads(scene: Scene, failing: FailingUnit, link: Link, share: float, where: str, source: str) -> list[Lead]:
    place = f"{where} {link.line} of {failing.unit.path}"
    view = scene.snapshot.file(link.target.path)
    lines = () if view is None else (view.facts.symbols.name_line[link.target.index],)
    return [
        lead_of(
            unit,
            Reason.REFERENCE,
            source,
            failing.weight * share * link.weight,
            f"definition of `{link.name}`, which {place} {link.verb}",
            trail=(f"{failing.unit.path}:{link.line}", f"{link.verb} {link.name}"),
            lines=lines,
        )
        for unit in units_of_symbol(scene.snapshot, link.target)
        if unit.id != failing.unit.id
    ]
