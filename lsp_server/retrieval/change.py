"""Source `change`: enclosing units of the uncommitted diff and of the last commit, when near the failure.

Most failures come from one's own last change. A change far from the failing code is no evidence.
"""

from __future__ import annotations

from ..model.candidate import Reason
from .lead import Lead, SourceResult, best_first, keep_best, lead_of
from .scene import Scene
from .units import unit_at

LIMIT = 30
UNCOMMITTED = 0.6
COMMITTED = 0.35
FAR = 0.3
"""A change in a file that neither fails nor is imported by a failing file counts this share."""


def candidates(scene: Scene) -> list[SourceResult]:
    """One result for `change`."""
    found: dict[str, Lead] = {}
    near = _near_files(scene)
    for change in scene.changes:
        for line in {change.range.start, change.range.end}:
            unit = unit_at(scene.snapshot, change.path, line)
            if unit is None:
                continue
            base = COMMITTED if change.committed else UNCOMMITTED
            lead = lead_of(
                unit,
                Reason.REFERENCE if unit.path in near else Reason.SEARCH,
                "change",
                base * (1.0 if unit.path in near else FAR),
                "changed in the last commit" if change.committed else "changed and not yet committed",
                lines=(line,),
            )
            keep_best(found, lead)
    return [best_first("change", found, LIMIT)]


def _near_files(scene: Scene) -> set[str]:
    """Failing files, files on a stack, and the files that these import."""
    near = {failing.unit.path for failing in scene.failing}
    for path in list(near):
        view = scene.snapshot.file(path)
        for entry in view.facts.imports if view else ():
            near.update(scene.resolver.import_files(view, entry) if view else ())
    return near
