"""Source `cochange`: what was committed together with the lines around a failing test.

A commit that brought a test, or one beside it, mostly brought the code that it tests: what changed together
belongs together. The idea is Zimmermann et al., "Mining Version Histories to Guide Software Changes" (ICSE 2004).
"""

from __future__ import annotations

from math import sqrt

from ..model.candidate import Reason
from ..workspace.touched import Touched
from .change import units_touched, weight_of_size
from .lead import Lead, SourceResult, best_first, keep_best, lead_of
from .scene import Scene

LIMIT = 60
AROUND = 20
"""Lines around a failing test that count as its own: tests of one subject stand together."""

FADING = 30
"""The score fades with the root of `1 + commits / FADING`: 0.7 after thirty commits, half after ninety."""


def candidates(scene: Scene) -> list[SourceResult]:
    """One result for `cochange`."""
    commits = _commits_around(scene)
    found: dict[str, Lead] = {}
    for change in scene.changes:
        if change.age not in commits:
            continue
        score = weight_of_size(change.size) / sqrt(1 + (change.age - 1) / FADING)
        why = f"committed together with lines near {commits[change.age]}, {_ago(change.age)}"
        for unit, line in units_touched(scene.snapshot, change):
            keep_best(found, lead_of(unit, Reason.REFERENCE, "cochange", score, why, lines=(line,)))
    return [best_first("cochange", found, LIMIT)]


def _commits_around(scene: Scene) -> dict[int, str]:
    """Age of each commit that touched lines around a failing test → that test's name."""
    tests = [failing.unit for failing in scene.failing if failing.unit.is_test]
    changes: dict[str, list[Touched]] = {test.path: [] for test in tests}
    for change in scene.changes:
        if change.age and change.path in changes:
            changes[change.path].append(change)
    found: dict[int, str] = {}
    for test in tests:
        first, last = test.range.start - AROUND, test.range.end + AROUND
        for change in changes[test.path]:
            if change.range.end >= first and change.range.start <= last:
                found.setdefault(change.age, test.name or test.path)
    return found


def _ago(age: int) -> str:
    return "in the last commit" if age == 1 else f"{age} commits ago"
