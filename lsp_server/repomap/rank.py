"""Which files and definitions matter most: PageRank on the reference graph, personalised by what is in focus."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field

import numpy as np

from ..index.snapshot import Snapshot
from ..model.values import Value
from ..text.words import terms
from ..workspace.classify import PathFlag
from .graph import ReferenceGraph
from .pagerank import Floats, pagerank

MENTION_FACTOR = 10.0
"""An edge by a mentioned name counts so much more."""

FOCUS_SHARE = 0.6
"""Share of the teleport that starts at focus files and mentioned names; the rest starts at what the words find."""

SEARCHED_CHUNKS = 200
MAX_WORDS = 20_000
"""Characters of free words that are looked at."""

ROOT_SHARE = 0.02
"""Share of the teleport that every file gets, so that nothing has rank zero."""

_DEMOTED = PathFlag.TEST | PathFlag.GENERATED | PathFlag.VENDORED | PathFlag.LOCK
DEMOTION = 0.1
"""Tests, generated and vendored files are shown when little else is left."""

DIGITS = 9
"""Scores are compared to this many digits: below that lies the order of summation."""


class Focus(Value):
    """What the reader has in hand: files (canonical paths), symbols and identifiers by name, free words."""

    files: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    words: str = ""

    @property
    def size(self) -> int:
        """How much is in focus: files and names."""
        return len(self.files) + len(self.names) + (1 if self.words.strip() else 0)


class Ranking(Value):
    """Files by rank (best first, scores relative to the best), and per file the weight of its names."""

    files: tuple[tuple[str, float], ...]
    names: Mapping[str, Mapping[str, float]] = field(default_factory=dict[str, Mapping[str, float]])


def rank(snapshot: Snapshot, graph: ReferenceGraph, focus: Focus) -> Ranking:
    """Rank everything for `focus`. Total order: score, then path."""
    numbers = {path: index for index, path in enumerate(graph.paths)}
    mentioned = _mentioned(snapshot, focus)
    weights = graph.weights
    if mentioned:
        known = np.array(sorted(mentioned.values()), dtype=np.int64)
        weights = np.where(np.isin(graph.names, known), weights * MENTION_FACTOR, weights)
    start = _personalisation(snapshot, numbers, focus, mentioned)
    rows = graph.rows(weights)
    ranks = pagerank(rows, start)
    # What a file was found by counts for itself too, not only for what it points at.
    scores = (ranks + start / max(start.sum(), 1e-12)) * _standing(snapshot, graph)
    best = float(scores.max(initial=0.0))
    if best > 0:
        scores = scores / best
    order = sorted(range(len(graph.paths)), key=lambda at: (-round(float(scores[at]), DIGITS), graph.paths[at]))
    names = _name_scores(snapshot, graph, ranks, weights, rows.out_weights())
    found = frozenset(mentioned)
    for path, per_name in names.items():
        for name in found & per_name.keys():
            names[path][name] = per_name[name] * MENTION_FACTOR
    return Ranking(tuple((graph.paths[at], round(float(scores[at]), DIGITS)) for at in order), names)


def _mentioned(snapshot: Snapshot, focus: Focus) -> dict[str, int]:
    """Names that are in focus and defined somewhere, with their vocabulary numbers."""
    wanted: list[str] = [name.replace("::", ".").rsplit(".", 1)[-1] for name in focus.names]
    wanted += [word for word in _identifiers(focus.words[:MAX_WORDS]) if len(word) >= 3]
    found: dict[str, int] = {}
    for name in wanted:
        number = snapshot.vocabulary.number(name)
        if number is not None and snapshot.definition_count(name):
            found[name] = number
    return found


def _identifiers(words: str) -> Iterable[str]:
    """Words as written that could be names."""
    return dict.fromkeys("".join(char if char.isalnum() or char == "_" else " " for char in words).split())


def _personalisation(
    snapshot: Snapshot, numbers: Mapping[str, int], focus: Focus, mentioned: Mapping[str, int]
) -> Floats:
    named = np.zeros(len(numbers))
    for path in focus.files:
        if path in numbers:
            named[numbers[path]] += 1.0
    for name in mentioned:
        files = {target.path for target in snapshot.definitions(name)}
        for path in files:
            named[numbers[path]] += 1.0 / len(files)
    searched = np.zeros(len(numbers))
    if focus.words.strip():
        for hit in snapshot.search(terms(focus.words[:MAX_WORDS]), SEARCHED_CHUNKS):
            place = numbers[hit.path]
            searched[place] = max(searched[place], hit.score)
    start = np.full(len(numbers), 1.0 / max(1, len(numbers)))
    parts = [part / part.sum() for part in (named, searched) if part.sum() > 0]
    if len(parts) == 2:
        return FOCUS_SHARE * parts[0] + (1 - FOCUS_SHARE) * parts[1] + ROOT_SHARE * start
    return parts[0] + ROOT_SHARE * start if parts else start


def _standing(snapshot: Snapshot, graph: ReferenceGraph) -> Floats:
    return np.array([DEMOTION if snapshot.flags(path) & _DEMOTED else 1.0 for path in graph.paths])


def _name_scores(
    snapshot: Snapshot, graph: ReferenceGraph, ranks: Floats, weights: Floats, out: Floats
) -> dict[str, dict[str, float]]:
    """How much rank flows into each (file, name): the rank of the definitions of that name in that file."""
    if not len(graph.sources):
        return {}
    flow = ranks[graph.sources] * weights / out[graph.sources]
    width = int(graph.names.max()) + 1
    keys, inverse = np.unique(graph.targets * width + graph.names, return_inverse=True)
    sums = np.bincount(inverse, weights=flow)
    best = float(sums.max(initial=0.0)) or 1.0
    names = snapshot.vocabulary.strings((keys % width).tolist())
    found: dict[str, dict[str, float]] = {}
    files: list[int] = (keys // width).tolist()
    scores: list[float] = (sums / best).tolist()
    for file, name, score in zip(files, names, scores, strict=True):
        found.setdefault(graph.paths[file], {})[name] = round(score, DIGITS)
    return found
