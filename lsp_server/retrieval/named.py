"""Source `named`: definitions whose name stands in a message, in the task, or in a string of the failing code.

Names in strings are how registries, `getattr` and patching reach code.
"""

from __future__ import annotations

import re

from ..model.candidate import Reason
from ..model.errors import SourceError
from ..workspace.classify import PathFlag
from .lead import Lead, SourceResult, best_first, keep_best, lead_of
from .scene import Scene
from .units import units_of_symbol

LIMIT = 60
MAX_NAMES = 120
MAX_DEFINITIONS = 6
IN_MESSAGE = 1.0
IN_CODE = 0.5
WORD = re.compile(r"[^\W\d]\w{2,}")


def candidates(scene: Scene) -> list[SourceResult]:
    """One result for `named`."""
    found: dict[str, Lead] = {}
    for name, (weight, where) in _names(scene).items():
        flags = scene.snapshot.flags
        targets = [each for each in scene.snapshot.definitions(name) if not flags(each.path) & PathFlag.TEST]
        if not targets or len(targets) > MAX_DEFINITIONS:
            continue
        score = weight * scene.links.rarity(name) / len(targets) ** 0.5
        for target in targets:
            for unit in units_of_symbol(scene.snapshot, target)[:1]:
                line = scene.snapshot.symbol(target).name_line
                keep_best(
                    found, lead_of(unit, Reason.REFERENCE, "named", score, f"`{name}` is named in {where}", (), (line,))
                )
    return [best_first("named", found, LIMIT)]


def _names(scene: Scene) -> dict[str, tuple[float, str]]:
    names: dict[str, tuple[float, str]] = {}
    texts = [(scene.request.task, IN_MESSAGE, "the task")]
    texts += [(failure.message[:2_000], IN_MESSAGE, "the message") for failure in scene.report.failures[:10]]
    for failing in scene.failing[:10]:
        try:
            lines = scene.reader.read(failing.unit.path).lines
        except SourceError:
            continue
        text = "\n".join(lines[failing.unit.range.start - 1 : failing.unit.range.end])[:6_000]
        texts.append((text, IN_CODE, f"the failing code of {failing.unit.path}"))
    for text, weight, where in texts:
        for word in WORD.findall(text):
            if word not in names and len(names) < MAX_NAMES:
                names[word] = (weight, where)
    return names
