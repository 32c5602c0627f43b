"""Source `import`: where a name that the failure calls undefined would be brought in.

`name 'logger' is not defined` is fixed above the code that fails: among the imports of its file.
"""

from __future__ import annotations

import re

from ..model.candidate import Reason
from .lead import Lead, SourceResult, best_first, keep_best, lead_of
from .scene import Scene
from .units import unit_at

LIMIT = 8
MAX_BLOCKS = 3
UNKNOWN = re.compile(
    r"name ['‘](?P<python>\w+)['’] is not defined"
    r"|cannot import name ['‘](?P<imported>\w+)"
    r"|undefined: (?P<go>\w+)"
    r"|[Cc]annot find (?:name|type|value|function|macro|module)[^\w`'\n]{0,12}[`'‘](?P<ts>\w+)"
    r"|\b(?P<js>[A-Za-z_$][\w$]*) is not defined\b"
    r"|uninitialized constant (?P<ruby>\w+)"
    r"|['‘](?P<c>\w+)['’] was not declared"
    r"|The name ['‘](?P<csharp>\w+)['’] does not exist"
)
"""What the tools of the supported languages say of a name that nothing defines."""


def candidates(scene: Scene) -> list[SourceResult]:
    """One result for `import`: the import blocks of the files in which an unknown name is used."""
    found: dict[str, Lead] = {}
    for failing in scene.failing:
        match = UNKNOWN.search(failing.failure.message)
        view = scene.snapshot.file(failing.unit.path) if match else None
        if match is None or view is None:
            continue
        name = next(part for part in match.groups() if part)
        lines = sorted({entry.line for entry in view.facts.imports}) or [1]
        units = {unit.id: unit for line in lines if (unit := unit_at(scene.snapshot, view.path, line))}
        for unit in list(units.values())[:MAX_BLOCKS]:
            why = f"the imports of the code that does not know `{name}`"
            trail = (f"{failing.unit.path}:{failing.location.line}", f"unknown name {name}")
            shown = tuple(line for line in lines if unit.range.contains(line))[-1:]
            score = failing.weight * (0.5 if failing.unit.is_test else 1.0)
            if unit.id != failing.unit.id:
                keep_best(found, lead_of(unit, Reason.REFERENCE, "import", score, why, trail, shown))
    return [best_first("import", found, LIMIT)]
