"""Source `test-link`: the implementation that a failing test is named after.

`test_parse_range` and `ParseRangeTest` speak of `parse_range`; `tests/test_ranges.py` of `ranges.py`.
"""

from __future__ import annotations

import re
from posixpath import basename

from ..index.snapshot import FileView, SymbolId
from ..model.candidate import Reason
from ..model.facts import CALLABLE_KINDS, NOWHERE, TYPE_KINDS
from ..text.words import split_identifier
from ..workspace.classify import PathFlag
from .lead import Lead, SourceResult, best_first, keep_best, lead_of
from .scene import FailingUnit, Scene
from .units import is_test_symbol, units_of_symbol

LIMIT = 80
AFFIXES = frozenset({"test", "tests", "testing", "spec", "should", "it", "when", "case", "suite", "check", "benchmark"})
MIN_SHARE = 0.5
"""At least this share of a definition's name parts must occur in the test's name."""

IMPORTED = 0.6
"""Nearness of a file that the test imports; one that is named like the test has 1."""

DEFINES = 0.7
"""Nearness of a file that defines a name which the test imports, perhaps through others."""

MAX_IMPORTS = 80
MIN_ALIKE = 0.5
MAX_NEAR = 24


def name_parts(text: str) -> list[str]:
    """Lower-case parts of a test's or file's name, without the words that only say it is a test."""
    found: list[str] = []
    for word in re.findall(r"\w+", text):
        whole = word.lower()
        parts = [part.lower() for part in split_identifier(word)]
        found += [part for part in parts if part != whole] or [whole]
    return [word for word in found if word not in AFFIXES and len(word) > 1]


def candidates(scene: Scene) -> list[SourceResult]:
    """One result for `test-link`."""
    found: dict[str, Lead] = {}
    tests = [failing for failing in scene.failing if failing.unit.is_test]
    files: dict[str, dict[str, float]] = {}
    asked: set[tuple[str, str]] = set()
    for failing in tests[:20]:
        label = f"{failing.unit.name} {failing.failure.test or ''}"
        if (failing.unit.path, label) in asked:
            continue
        asked.add((failing.unit.path, label))
        parts = set(name_parts(label))
        near = files.get(failing.unit.path)
        if near is None:
            near = files[failing.unit.path] = tested_files(scene, failing.unit.path)
        for path, nearness in near.items():
            view = scene.snapshot.file(path)
            if view is not None:
                for lead in _named_alike(scene, failing, view, parts, nearness):
                    keep_best(found, lead)
    return [best_first("test-link", found, LIMIT)]


def tested_files(scene: Scene, test: str) -> dict[str, float]:
    """Files that the test file probably tests, with a nearness in (0, 1]: those it imports, and those named alike."""
    snapshot = scene.snapshot
    view = snapshot.file(test)
    near: dict[str, float] = {}
    if view is None:
        return near
    for entry in view.facts.imports:
        for path in scene.resolver.import_files(view, entry):
            near[path] = max(near.get(path, 0.0), IMPORTED)
        # What an index file or a package only passes on is tested where it is defined.
        name = entry.alias or entry.name
        if name and name != "*" and len(near) < MAX_IMPORTS:
            for target in scene.resolver.resolve_name(view, name, NOWHERE).targets[:2]:
                near[target.path] = max(near.get(target.path, 0.0), DEFINES)
    for path, alike in _alike(scene, test).items():
        near[path] = max(near.get(path, 0.0), alike)
    kept = {path: value for path, value in near.items() if not snapshot.flags(path) & PathFlag.TEST}
    if not view.flags & PathFlag.TEST:
        kept[test] = 1.0
    return dict(sorted(kept.items(), key=lambda item: (-item[1], item[0]))[:MAX_NEAR])


def _alike(scene: Scene, test: str) -> dict[str, float]:
    """Files whose name shares at least half of its parts with the test file's, by the share they have in common."""
    own = set(name_parts(basename(test).split(".")[0]))
    suffix = test.rsplit(".", 1)[-1]
    found: dict[str, float] = {}
    if not own:
        return found
    for path in scene.snapshot.paths():
        name = basename(path)
        lowered = name.lower()
        if not any(part in lowered for part in own):
            continue
        theirs = set(name_parts(name.split(".")[0]))
        alike = len(own & theirs) / len(own | theirs) if theirs else 0.0
        if alike >= MIN_ALIKE:
            found[path] = alike if name.endswith(suffix) else alike * 0.5
    return found


def _named_alike(scene: Scene, failing: FailingUnit, view: FileView, parts: set[str], nearness: float) -> list[Lead]:
    leads: list[Lead] = []
    symbols = view.facts.symbols
    for index in range(len(symbols)):
        if symbols.kind[index] not in CALLABLE_KINDS | TYPE_KINDS:
            continue
        name = view.facts.names[symbols.name[index]]
        own = name_parts(name)
        if not own:
            continue
        share = sum(part in parts for part in own) / len(own)
        if share < MIN_SHARE or is_test_symbol(view, index):
            continue
        parent = symbols.parent[index]
        outer = name_parts(view.facts.names[symbols.name[parent]]) if parent != NOWHERE else []
        score = failing.weight * nearness * share * (0.7 + 0.3 * any(part in parts for part in outer))
        why = f"`{name}` is named by the failing test `{failing.unit.name or failing.failure.test}`"
        trail = (f"{failing.unit.path}:{failing.location.line}", f"tests {name}")
        leads += [
            lead_of(unit, Reason.REFERENCE, "test-link", score, why, trail, (symbols.name_line[index],))
            for unit in units_of_symbol(scene.snapshot, SymbolId(view.path, index))
        ]
    return leads
