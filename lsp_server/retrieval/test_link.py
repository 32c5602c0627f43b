"""Source `test-link`: the implementation that a failing test is named after, and the files it imports.

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
from .lead import Lead, SourceResult, best_first, keep_best
from .scene import FailingUnit, Scene
from .units import is_test_symbol, slices, units_of_symbol

LIMIT = 60
AFFIXES = frozenset({"test", "tests", "testing", "spec", "should", "it", "when", "case", "suite", "check", "benchmark"})
MIN_SHARE = 0.5
"""At least this share of a definition's name parts must occur in the test's name."""


def name_parts(text: str) -> list[str]:
    """Lower-case parts of a test's or file's name, without the words that only say it is a test."""
    words = [part.lower() for word in re.findall(r"\w+", text) for part in (split_identifier(word) or (word,))]
    return [word for word in words if word not in AFFIXES and len(word) > 1]


def candidates(scene: Scene) -> list[SourceResult]:
    """One result for `test-link`."""
    found: dict[str, Lead] = {}
    tests = [failing for failing in scene.failing if failing.unit.is_test]
    for failing in tests[:20]:
        parts = set(name_parts(f"{failing.unit.name} {failing.failure.test or ''}"))
        file_parts = set(name_parts(basename(failing.unit.path).split(".")[0]))
        for path, nearness in _tested_files(scene, failing, file_parts).items():
            view = scene.snapshot.file(path)
            if view is not None:
                for lead in _named_alike(scene, failing, view, parts, nearness):
                    keep_best(found, lead)
    return [best_first("test-link", found, LIMIT)]


def _tested_files(scene: Scene, failing: FailingUnit, file_parts: set[str]) -> dict[str, float]:
    """Files that the test probably tests: those it imports, and those named alike; with a nearness in (0, 1]."""
    snapshot = scene.snapshot
    view = snapshot.file(failing.unit.path)
    near: dict[str, float] = {}
    if view is None:
        return near
    if not view.flags & PathFlag.TEST:
        near[view.path] = 1.0
    for entry in view.facts.imports:
        for path in scene.resolver.import_files(view, entry):
            near[path] = max(near.get(path, 0.0), 0.6)
    stem_names = {"".join(file_parts), "_".join(file_parts)}
    suffix = "." + view.path.rsplit(".", 1)[-1]
    for stem in stem_names:
        for path in snapshot.paths_named(stem + suffix):
            near[path] = 1.0
    for path in list(near):
        if file_parts and set(name_parts(basename(path).split(".")[0])) == file_parts:
            near[path] = 1.0
    return {path: value for path, value in near.items() if path != view.path or not view.flags & PathFlag.TEST}


def _named_alike(scene: Scene, failing: FailingUnit, view: FileView, parts: set[str], nearness: float) -> list[Lead]:
    leads: list[Lead] = []
    symbols = view.facts.symbols
    for index in range(len(symbols)):
        if symbols.kind[index] not in CALLABLE_KINDS | TYPE_KINDS or is_test_symbol(view, index):
            continue
        own = name_parts(view.facts.names[symbols.name[index]])
        parent = symbols.parent[index]
        outer = name_parts(view.facts.names[symbols.name[parent]]) if parent != NOWHERE else []
        if not own:
            continue
        share = sum(part in parts for part in own) / len(own)
        if share < MIN_SHARE:
            continue
        score = failing.weight * nearness * share * (0.7 + 0.3 * any(part in parts for part in outer))
        name = view.facts.names[symbols.name[index]]
        units = units_of_symbol(scene.snapshot, SymbolId(view.path, index))
        leads += [
            Lead(
                path=part.path,
                range=part.range,
                reason=Reason.REFERENCE,
                source="test-link",
                score=min(1.0, score),
                why=f"`{name}` is named by the failing test `{failing.unit.name or failing.failure.test}`",
                symbol=part.symbol,
                name=part.name,
                is_test=part.is_test,
                parent=part.parent,
                trail=(f"{failing.unit.path}:{failing.location.line}", f"tests {name}"),
            )
            for unit in units
            for part in slices(unit, (), scene.max_unit_bytes)
        ]
    return leads
