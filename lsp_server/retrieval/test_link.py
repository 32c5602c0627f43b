"""Source `test-link`: the implementation that a failing test is named after.

`test_parse_range` and `ParseRangeTest` speak of `parse_range`; `tests/test_ranges.py` of `ranges.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, partial
from itertools import islice
from math import log1p
from posixpath import basename

from ..index.snapshot import FileView, SymbolId
from ..model.candidate import Reason
from ..model.facts import CALLABLE_KINDS, NOWHERE, TYPE_KINDS
from ..model.values import replace
from ..workspace.classify import PathFlag
from .lead import Lead, SourceResult, best_first, keep_best, lead_of
from .naming import file_stem, file_word, joined, name_parts, start_of_stem, stem, stems, words_of
from .scene import FailingUnit, Scene
from .units import is_test_symbol, unit_of_chunk, units_of_symbol

LIMIT = 150
MAX_TESTS = 20
MIN_SHARE = 0.3
"""At least this share of a definition's name parts must occur in the test's name."""

IMPORTED = 0.6
"""Nearness of a file that the test imports; one that is named like the test has 1."""

NAMED = 0.8
"""Nearness of a file whose whole name the test's own name says (`v-model` says `vModel.ts`)."""

IN_NAMED = 0.6
"""What stands in such a file counts at least this much, whatever it is called."""

ALIKE = 0.15
"""What stands in a file that is named like the test's counts at least this much, whatever it is called."""

MAX_ALIKE_FILES = 3
MAX_IN_ALIKE = 30
"""A file of more units than this says too little about each of them."""

MIN_NAME = 5
MAX_NAMED_FILES = 3
MAX_IN_NAMED = 30
NO_CODE = PathFlag.TEST | PathFlag.DOCS | PathFlag.GENERATED | PathFlag.VENDORED
DEFINES = 0.7
"""Nearness of a file that defines a name which the test imports, perhaps through others."""

MAX_IMPORTS = 80
MIN_ALIKE = 0.5
MAX_NEAR = 24


def candidates(scene: Scene) -> list[SourceResult]:
    """One result for `test-link`."""
    found: dict[str, Lead] = {}
    files: dict[str, dict[str, float]] = {}
    labels = _labels(scene)
    named = _named_files(scene, [label for _, label in labels])
    for (path, label), failing in labels.items():
        parts = set(map(stem, name_parts(f"{label} {file_stem(path)}")))
        near = files.get(path)
        if near is None:
            near = files[path] = tested_files(scene, path)
        own = {file: max(NAMED, near.get(file, 0.0)) for file, word in named.items() if word in _words(label)}
        for file, nearness in (near | own).items():
            view = scene.snapshot.file(file)
            if view is not None:
                for lead in _named_alike(scene, failing, view, parts, nearness):
                    keep_best(found, lead)
        for file in own:
            share = IN_NAMED * _rarity(scene, file_stem(file).lower())
            for lead in _whole_file(scene, failing, file, share, MAX_IN_NAMED):
                keep_best(found, lead)
        for file in [file for file, nearness in near.items() if nearness > DEFINES][:MAX_ALIKE_FILES]:
            leads = _whole_file(scene, failing, file, ALIKE * near[file], MAX_IN_ALIKE + 1)
            for lead in leads if len(leads) <= MAX_IN_ALIKE else ():
                keep_best(found, lead)
    return [best_first("test-link", found, LIMIT)]


def _labels(scene: Scene) -> dict[tuple[str, str], FailingUnit]:
    """What the failing tests are called, by file and name, each once: also those that fail at one place."""
    found: dict[tuple[str, str], FailingUnit] = {}
    tests = [failing for failing in scene.failing if failing.unit.is_test]
    for failing in tests[:MAX_TESTS]:
        found.setdefault((failing.unit.path, f"{failing.unit.name}\n{failing.failure.test or ''}"), failing)
    by_path = {failing.unit.path: failing for failing in sorted(tests, key=lambda one: one.weight)}
    for failure in scene.report.failures[:MAX_TESTS] if len(scene.report.failures) > 1 else ():
        units = [by_path[each.path] for each in failure.locations if each.path in by_path]
        shared = max(units, key=lambda one: (not one.helper, one.weight), default=None)
        if shared is not None and failure.test and not any(failure.test in label for _, label in found):
            found[shared.unit.path, failure.test] = replace(shared, failure=failure)
    return found


def _words(label: str) -> set[str]:
    """Words that a file may be called after: those of the label, and two neighbours in one."""
    return {stem(word) for word in (*joined(label), *words_of(label)) if len(word) >= MIN_NAME}


def _named_files(scene: Scene, labels: Iterable[str]) -> dict[str, str]:
    """Files outside tests whose whole name is a word of a label, with that word; of one word at most a few."""
    wanted = set[str]().union(*map(_words, labels))
    names = scene.snapshot.base_names()
    named: dict[str, str] = {}
    for word in sorted(wanted):
        called = names.starting(start_of_stem(word), partial(_is_called, word))
        few = list(islice((path for path in called if not scene.snapshot.flags(path) & NO_CODE), MAX_NAMED_FILES + 1))
        if len(few) <= MAX_NAMED_FILES:
            named |= dict.fromkeys(few, word)
    return {path: word for path, word in named.items() if (view := scene.snapshot.file(path)) and view.language}


def _is_called(word: str, name: str) -> bool:
    return file_word(name) == word


def _whole_file(scene: Scene, failing: FailingUnit, path: str, share: float, limit: int) -> list[Lead]:
    view = scene.snapshot.file(path)
    if view is None:
        return []
    why = f"`{basename(path)}` is named by the failing test `{failing.unit.name or failing.failure.test}` or its file"
    trail = (f"{failing.unit.path}:{failing.location.line}", f"tests {basename(path)}")
    units = [unit_of_chunk(view, chunk) for chunk in islice(view.facts.iter_chunks(), limit)]
    return [lead_of(unit, Reason.REFERENCE, "test-link", failing.weight * share, why, trail) for unit in units]


def _rarity(scene: Scene, word: str) -> float:
    """1 for a word that few chunks say (up to the root of their number), 0 for one that all say.

    `reactive` tells less than `vmodel`.
    """
    snapshot = scene.snapshot
    said = log1p(snapshot.chunk_frequency(word)) / log1p(max(1, snapshot.totals.chunks))
    return min(1.0, 2.0 * (1.0 - said))


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

    @cache
    def alike(name: str) -> float:
        theirs = set(name_parts(name.split(".")[0]))
        return len(own & theirs) / len(own | theirs) if theirs else 0.0

    names = scene.snapshot.base_names()
    for part in own:
        for path in names.holding(part, lambda name: alike(name) >= MIN_ALIKE):
            name = basename(path)
            found[path] = alike(name) if name.endswith(suffix) else alike(name) * 0.5
    return found


def _named_alike(scene: Scene, failing: FailingUnit, view: FileView, parts: set[str], nearness: float) -> list[Lead]:
    leads: list[Lead] = []
    symbols = view.facts.symbols
    for index in range(len(symbols)):
        if symbols.kind[index] not in CALLABLE_KINDS | TYPE_KINDS:
            continue
        name = view.facts.names[symbols.name[index]]
        own = stems(name)
        if not own:
            continue
        share = sum(part in parts for part in own) / len(own)
        if share < MIN_SHARE or is_test_symbol(view, index):
            continue
        parent = symbols.parent[index]
        outer = stems(view.facts.names[symbols.name[parent]]) if parent != NOWHERE else ()
        score = failing.weight * nearness * share * (0.7 + 0.3 * any(part in parts for part in outer))
        why = f"`{name}` is named by the failing test `{failing.unit.name or failing.failure.test}`"
        trail = (f"{failing.unit.path}:{failing.location.line}", f"tests {name}")
        leads += [
            lead_of(unit, Reason.REFERENCE, "test-link", score, why, trail, (symbols.name_line[index],))
            for unit in units_of_symbol(scene.snapshot, SymbolId(view.path, index))
        ]
    return leads
