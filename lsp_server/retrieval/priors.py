"""Parts that say something of a whole file: each lead gets them from the file it stands in.

A culprit that nothing points at directly often stands beside code that much points at. A sum of a
file's links was measured beside these and added nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..workspace.classify import PathFlag
from .lead import Lead
from .scene import Scene
from .test_link import DEFINES, IMPORTED, tested_files

PLAIN_FOLDERS = frozenset({"src", "lib", "main", "test", "tests", "__tests__", "spec", "specs", "testing", "unit"})
"""Folders that say nothing of what is in them."""

LARGE = 60
"""That a test imports a file of more units than this says less of each: by the root of how many times as many it
has."""

API_TESTS = frozenset({"rust"})
"""Languages in which LARGE counts: tests outside of the code see a library only through the few files of its interface,
and what is wrong is mostly below them. In others it cost a case of the benchmark."""

BY_IMPORT = frozenset({IMPORTED, DEFINES})

TOP = 6
"""A file counts by the sum of this many of its best places."""


def file_parts(scene: Scene, leads: Iterable[Lead]) -> dict[str, Mapping[str, float]]:
    """For each part (`file:words`, `file:test`, `file:near`) the scores of files, 1 for the best."""
    words: dict[str, list[float]] = {}
    for lead in leads:
        if lead.is_test:
            continue
        words.setdefault(lead.path, []).append(max(lead.parts.get(part, 0.0) for part in ("bm25", "bm25:message")))
    return {
        "file:words": _normalised({path: _sum(scores) for path, scores in words.items()}),
        "file:test": _tested(scene),
        "file:near": _near(scene, words),
    }


def _near(scene: Scene, paths: Iterable[str]) -> dict[str, float]:
    """How much of a failing file's way down the folders another file shares, test folders left out of it."""
    ways = {_folders(failing.unit.path) for failing in scene.failing}
    found: dict[str, float] = {}
    for path in paths:
        own = _folders(path)
        for way in ways:
            shared = 0
            for one, other in zip(own, way, strict=False):
                if one != other:
                    break
                shared += 1
            found[path] = max(found.get(path, 0.0), (1 + shared) / (1 + max(len(way), len(own))))
    return found


def _folders(path: str) -> tuple[str, ...]:
    return tuple(part for part in path.split("/")[:-1] if part.lower() not in PLAIN_FOLDERS)


def _sum(scores: list[float]) -> float:
    return sum(sorted(scores, reverse=True)[:TOP])


def _normalised(scores: dict[str, float]) -> dict[str, float]:
    top = max(scores.values(), default=0.0)
    return {path: score / top for path, score in scores.items() if score > 0} if top > 0 else {}


def _tested(scene: Scene) -> dict[str, float]:
    found: dict[str, float] = {}
    for test in dict.fromkeys(failing.unit.path for failing in scene.failing if failing.unit.is_test):
        for path, near in tested_files(scene, test).items():
            if not scene.snapshot.flags(path) & PathFlag.TEST:
                found[path] = max(found.get(path, 0.0), near if near not in BY_IMPORT else near * _part(scene, path))
    return found


def _part(scene: Scene, path: str) -> float:
    view = scene.snapshot.file(path)
    units = 0 if view is None or view.language not in API_TESTS else len(view.facts.chunks)
    return (LARGE / max(LARGE, units)) ** 0.5
