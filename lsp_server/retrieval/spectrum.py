"""Source `spectrum`: definitions that many failing tests reach and few of the other tests do.

Spectrum-based fault localisation without a run: what a test executes is taken from the links that its
code leads along, tests of the same files that are not among the failures are presumed to pass, and a
definition scores by DStar (Wong, Debroy, Gao, Li 2014): failing² / (passing + failing elsewhere).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from ..index.snapshot import FileView, SymbolId
from ..model.candidate import Reason
from ..model.facts import CALLABLE_KINDS, SymbolFlag
from ..workspace.classify import PathFlag
from .lead import Lead, SourceResult, best_first, keep_best, lead_of
from .scene import Scene
from .units import units_of_symbol

LIMIT = 60
MIN_FAILING = 6
"""Fewer failing tests share too much by chance: from three on it cost .015 to .04 recall on the benchmark."""

MAX_FAILING = 40
MAX_PASSING = 24
MAX_HOPS = 5
HOP_DECAY = 0.97
"""Each further link counts this much: what all failing tests share may lie deep below them."""

MANY = 12
"""From so many failing tests on the evidence counts in full; fewer share more by chance."""

SMOOTH = 0.5
"""Of two definitions that only failing tests reach, neither is infinitely suspicious."""

NOT_RUN = 0.5
"""What is no function is named on the way, but does not run."""

LEAST = 0.1
"""Weaker links are not taken for something that runs."""

IDENTIFIER = re.compile(r"[^\W\d]\w*")


def candidates(scene: Scene) -> list[SourceResult]:
    """One result for `spectrum`. Follows only links that earlier sources have looked at."""
    failing = failing_tests(scene)
    if len(failing) < MIN_FAILING:
        return [SourceResult("spectrum")]
    passing = _passing(scene, failing)
    found: dict[str, Lead] = {}
    reached = _reached(scene, (*failing, *passing))
    full = min(1.0, len(failing) / MANY)
    mask = (1 << len(failing)) - 1
    stars: dict[SymbolId, tuple[float, int, int]] = {}
    for target, (tests, hops) in reached.items():
        fails, passes = (tests & mask).bit_count(), (tests & ~mask).bit_count()
        if fails >= MIN_FAILING and not scene.snapshot.flags(target.path) & PathFlag.TEST:
            star = fails**2 / max(SMOOTH, passes + len(failing) - fails) * HOP_DECAY ** (hops - 1)
            stars[target] = (star * (1.0 if scene.snapshot.symbol(target).is_callable else NOT_RUN), fails, passes)
    top = max((star for star, _, _ in stars.values()), default=1.0)
    for target, (star, fails, passes) in stars.items():
        why = f"{fails} of {len(failing)} failing tests lead here, {passes} of {len(passing)} others of their files"
        for unit in units_of_symbol(scene.snapshot, target)[:1]:
            if not unit.is_test:
                lead = lead_of(unit, Reason.REFERENCE, "spectrum", full * star / top, why, lines=(unit.range.start,))
                keep_best(found, lead)
    return [best_first("spectrum", found, LIMIT)]


def failing_tests(scene: Scene) -> tuple[SymbolId, ...]:
    """The test functions of the failures, by their locations or else by their names, in order."""
    found: dict[SymbolId, None] = {}
    for failure in scene.report.failures:
        paths = {location.path for location in failure.locations}
        own = [
            symbol
            for name in reversed(IDENTIFIER.findall((failure.test or "").split("[")[0]))
            for symbol in (target for target in scene.snapshot.definitions(name) if target.path in paths)
            if _is_test(scene, symbol)
        ]
        found.update(dict.fromkeys(own[:1]))
    for unit in scene.failing:
        if unit.unit.symbol is not None and unit.unit.is_test and not unit.helper and _is_test(scene, unit.unit.symbol):
            found.setdefault(unit.unit.symbol)
    return tuple(found)[:MAX_FAILING]


def _is_test(scene: Scene, symbol: SymbolId) -> bool:
    view = scene.snapshot.file(symbol.path)
    return view is not None and _is_test_function(view, symbol.index)


def _is_test_function(view: FileView, index: int) -> bool:
    symbols = view.facts.symbols
    return bool(symbols.flags[index] & SymbolFlag.TEST) and symbols.kind[index] in CALLABLE_KINDS


def _passing(scene: Scene, failing: Iterable[SymbolId]) -> tuple[SymbolId, ...]:
    """Other tests of the failing tests' files, evenly picked."""
    known = set(failing)
    others: list[SymbolId] = []
    for path in sorted({test.path for test in known}):
        view = scene.snapshot.file(path)
        if view is not None:
            tests = (index for index in range(len(view.facts.symbols)) if _is_test_function(view, index))
            others += [test for index in tests if (test := SymbolId(path, index)) not in known]
    step = -(-len(others) // MAX_PASSING) if others else 1
    return tuple(others[::step])


def _reached(scene: Scene, tests: Iterable[SymbolId]) -> Mapping[SymbolId, tuple[int, int]]:
    """For each definition the tests that lead to it, as bits in their order, and over how many links at least."""
    links = scene.links
    found: dict[SymbolId, tuple[int, int]] = {}
    fresh: dict[SymbolId, int] = {}
    for place, test in enumerate(tests):
        for link in links.of_symbol(test):
            if link.weight >= LEAST:
                fresh[link.target] = fresh.get(link.target, 0) | 1 << place
    for hops in range(1, MAX_HOPS + 1):
        coming: dict[SymbolId, int] = {}
        for target, bits in fresh.items():
            known, first = found.get(target, (0, hops))
            new = bits & ~known
            if not new:
                continue
            found[target] = (known | new, first)
            for link in links.known(target):
                if link.weight >= LEAST:
                    coming[link.target] = coming.get(link.target, 0) | new
        fresh = coming
    return found
