"""The reference graph of a snapshot: files point at the files that define the names they use.

Made from the snapshot's columns, with no facts decoded. Files are numbered in order of path, so that the
graph of equal workspaces is equal however their index came about.
"""

from __future__ import annotations

import re

import numpy as np

from ..index.snapshot import NamePairs, Snapshot
from ..model.values import Record
from .pagerank import Floats, Places, SparseRows

MAX_DEFINERS = 12
"""A name defined in more files than this says nothing about which one is meant."""

_SPECIFIC = re.compile(r"[a-z0-9][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]")
MIN_SPECIFIC = 8


class ReferenceGraph(Record):
    """`paths` are the nodes; edge i says that file `sources[i]` uses `names[i]`, defined in file `targets[i]`.

    `names` are vocabulary numbers. `weights` grow with the square root of the number of uses, with how
    telling the name is, and fall with the number of files that define it. A file's use of its own names is
    no edge.
    """

    paths: tuple[str, ...]
    sources: Places
    targets: Places
    names: Places
    weights: Floats

    def rows(self, weights: Floats) -> SparseRows:
        """Edges merged over names, with other weights if wanted."""
        return SparseRows.of(len(self.paths), self.sources, self.targets, weights)


def reference_graph(snapshot: Snapshot) -> ReferenceGraph:
    """The graph of everything that is indexed."""
    paths = tuple(snapshot.paths())
    number = {path: index for index, path in enumerate(paths)}
    places = np.array([number.get(path, -1) for path in snapshot.file_table()], dtype=np.int64)
    defining = _distinct(snapshot.definition_pairs(), places)
    using = _distinct(snapshot.reference_pairs(), places)
    names, first, definers = np.unique(defining.names, return_index=True, return_counts=True)
    at = np.searchsorted(names, using.names)
    at[at == len(names)] = 0
    known = np.zeros(0, dtype=bool) if not len(names) else (names[at] == using.names) & (definers[at] <= MAX_DEFINERS)
    at, users, uses = at[known], using.files[known], using.counts[known]
    fan = definers[at]
    owner = np.repeat(np.arange(len(at)), fan)
    step = np.arange(len(owner)) - np.repeat(np.cumsum(fan) - fan, fan)
    targets = defining.files[first[at[owner]] + step]
    sources = users[owner]
    weights = np.sqrt(uses[owner]) * _telling(snapshot, names)[at[owner]] / fan[owner]
    foreign = sources != targets
    edge_names = names[at[owner]][foreign]
    return ReferenceGraph(paths, sources[foreign], targets[foreign], edge_names, weights[foreign])


class _Pairs(Record):
    """Distinct (name, file) pairs, by name then file, with how often each occurs."""

    names: Places
    files: Places
    counts: Places


def _distinct(pairs: NamePairs, places: Places) -> _Pairs:
    files = places[pairs.files] if len(pairs.files) else np.empty(0, dtype=np.int64)
    alive = files >= 0
    width = max(1, len(places) + 1)
    keys, counts = np.unique(pairs.names[alive].astype(np.int64) * width + files[alive], return_counts=True)
    return _Pairs(keys // width, keys % width, counts.astype(np.int64))


def _telling(snapshot: Snapshot, names: Places) -> Floats:
    """How telling each name is: long compound names most, private and very short ones least."""
    return np.array([telling(name) for name in snapshot.vocabulary.strings(names.tolist())], dtype=np.float64)


def telling(name: str) -> float:
    """Weight of a name by its looks. The factors are Aider's (`aider/repomap.py`), softened by measurement."""
    if len(name) < 3:
        return 0.1
    if name.startswith("_"):
        return 0.2
    return 4.0 if len(name) >= MIN_SPECIFIC and _SPECIFIC.search(name) else 1.0
