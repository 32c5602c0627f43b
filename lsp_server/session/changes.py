"""Lines touched by the uncommitted diff and the last commit, asked of Git once per state of the index."""

from __future__ import annotations

import threading
from collections.abc import Mapping

from ..index.snapshot import Snapshot
from ..model.lines import LineRange
from ..retrieval.scene import ChangedLines
from ..workspace.git import commit_changes, working_tree_changes
from ..workspace.roots import Root, Roots

MAX_CHANGED = 2_000
"""Ranges that are kept; a diff larger than this says little about the failure."""


class RecentChanges:
    """A small cache; safe for several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._working: tuple[tuple[str | None, int], tuple[ChangedLines, ...]] | None = None
        self._committed: tuple[str | None, tuple[ChangedLines, ...]] | None = None

    def lines(self, roots: Roots, snapshot: Snapshot) -> tuple[ChangedLines, ...]:
        """Changed lines of indexed files; empty outside a repository."""
        if snapshot.head is None:
            return ()
        with self._lock:
            state = (snapshot.head, snapshot.revision)
            if self._working is None or self._working[0] != state:
                self._working = (state, _collect(roots, snapshot, committed=False))
            if self._committed is None or self._committed[0] != snapshot.head:
                self._committed = (snapshot.head, _collect(roots, snapshot, committed=True))
            return (*self._working[1], *self._committed[1])[:MAX_CHANGED]


def _collect(roots: Roots, snapshot: Snapshot, *, committed: bool) -> tuple[ChangedLines, ...]:
    found: list[ChangedLines] = []
    for root in roots.roots:
        changes = commit_changes(root.path) if committed else working_tree_changes(root.path)
        found += _of_root(roots, root, snapshot, changes or {}, committed)
    return tuple(found)


def _of_root(
    roots: Roots, root: Root, snapshot: Snapshot, changes: Mapping[str, tuple[LineRange, ...]], committed: bool
) -> list[ChangedLines]:
    found: list[ChangedLines] = []
    for inside, ranges in changes.items():
        path = roots.join(root, inside)
        if snapshot.has(path):
            found += [ChangedLines(path, lines, committed) for lines in ranges]
    return found
