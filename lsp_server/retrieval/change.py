"""Source `change`: units that the uncommitted diff and the last commit touch.

Most failures come from one's own last change. A change far from the failing code is weaker evidence, and one
that touches a hundred places says little about each of them.
"""

from __future__ import annotations

from collections import Counter
from math import sqrt

from ..model.candidate import Reason
from .lead import Lead, SourceResult, best_first, keep_best, lead_of
from .scene import Scene
from .units import units_in

LIMIT = 60
UNCOMMITTED = 1.0
COMMITTED = 0.6
"""The last commit's share is worth what it was fitted to (docs/decisions/ranking-policy.md); no corpus has a diff that
is not committed yet, which cannot be worth less."""

FAR = 0.3
"""A change in a file that neither fails nor is imported by a failing file counts this share."""

SMALL = 10
"""Changed ranges up to which a change speaks for each place in full; then by the root of their number."""


def candidates(scene: Scene) -> list[SourceResult]:
    """One result for `change`."""
    found: dict[str, Lead] = {}
    near = _near_files(scene)
    ranges = Counter(change.committed for change in scene.changes)
    for change in scene.changes:
        score = COMMITTED if change.committed else UNCOMMITTED
        score *= sqrt(min(1.0, SMALL / ranges[change.committed]))
        score *= 1.0 if change.path in near else FAR
        reason = Reason.REFERENCE if change.path in near else Reason.SEARCH
        why = "changed in the last commit" if change.committed else "changed and not yet committed"
        for unit in units_in(scene.snapshot, change.path, change.range.start, change.range.end):
            line = min(max(change.range.start, unit.range.start), unit.range.end)
            keep_best(found, lead_of(unit, reason, "change", score, why, lines=(line,)))
    return [best_first("change", found, LIMIT)]


def _near_files(scene: Scene) -> set[str]:
    """Failing files, files on a stack, and the files that these import."""
    near = {failing.unit.path for failing in scene.failing}
    for path in list(near):
        view = scene.snapshot.file(path)
        for entry in view.facts.imports if view else ():
            near.update(scene.resolver.import_files(view, entry) if view else ())
    return near
