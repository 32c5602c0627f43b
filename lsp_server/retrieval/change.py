"""Source `change`: units that the uncommitted diff and the last commit touch.

Most failures come from one's own last change. A change far from the failing code is weaker evidence, and one
that touches a hundred places says little about each of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

from ..index.snapshot import Snapshot
from ..model.candidate import Reason
from ..workspace.touched import Touched
from .lead import Lead, SourceResult, best_first, keep_best, lead_of
from .scene import Scene
from .units import Unit, units_in

LIMIT = 60
UNCOMMITTED = 1.0
COMMITTED = 0.6
"""The last commit's share is worth what it was fitted to (docs/decisions/ranking-policy.md); no corpus has a diff that
is not committed yet, which cannot be worth less."""

FAR = 0.3
"""A change in a file that neither fails nor is imported by a failing file counts this share."""

LAST = 1
"""Older commits told no more of where a fix belongs, by themselves (but see `cochange`)."""

SMALL = 10
"""Places up to which a change speaks for each of them in full; then by the root of their number."""


def candidates(scene: Scene) -> list[SourceResult]:
    """One result for `change`."""
    found: dict[str, Lead] = {}
    near = _near_files(scene)
    for change in scene.changes:
        if change.age > LAST:
            break
        score = weight_of_size(change.size) * (COMMITTED if change.age else UNCOMMITTED)
        score *= 1.0 if change.path in near else FAR
        reason = Reason.REFERENCE if change.path in near else Reason.SEARCH
        why = "changed in the last commit" if change.age else "changed and not yet committed"
        for unit, line in units_touched(scene.snapshot, change):
            keep_best(found, lead_of(unit, reason, "change", score, why, lines=(line,)))
    return [best_first("change", found, LIMIT)]


def units_touched(snapshot: Snapshot, change: Touched) -> Iterator[tuple[Unit, int]]:
    """The units that a change touches, each with the first line of it that it does."""
    for unit in units_in(snapshot, change.path, change.range.start, change.range.end):
        yield unit, min(max(change.range.start, unit.range.start), unit.range.end)


def weight_of_size(places: int) -> float:
    """How much a change of so many places says of each, in (0, 1]."""
    return sqrt(min(1.0, SMALL / places))


def _near_files(scene: Scene) -> set[str]:
    """Failing files, files on a stack, and the files that these import."""
    near = {failing.unit.path for failing in scene.failing}
    for path in list(near):
        view = scene.snapshot.file(path)
        for entry in view.facts.imports if view else ():
            near.update(scene.resolver.import_files(view, entry) if view else ())
    return near
