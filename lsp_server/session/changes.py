"""Lines touched by the uncommitted diff and the last commits, asked of Git once per state of the index."""

from __future__ import annotations

import threading

from ..index.snapshot import Snapshot
from ..model.values import replace
from ..workspace.git import working_tree_diff
from ..workspace.history import recent_commits
from ..workspace.roots import Root, Roots
from ..workspace.touched import Diff, Touched, touched

Commits = tuple[tuple[Diff, ...], ...]
"""What the last commits changed, newest first, by root."""


class RecentChanges:
    """A small cache; safe for several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._commits: tuple[str, Commits] | None = None
        self._touched: tuple[tuple[str, int], tuple[Touched, ...]] | None = None

    def lines(self, roots: Roots, snapshot: Snapshot) -> tuple[Touched, ...]:
        """Touched lines of indexed files; empty outside a repository."""
        if snapshot.head is None:
            return ()
        with self._lock:
            state = (snapshot.head, snapshot.revision)
            if self._touched is None or self._touched[0] != state:
                commits = self._commits_of(roots, snapshot.head)
                found: list[Touched] = []
                for root, diffs in zip(roots.roots, commits, strict=True):
                    found += _of_root(roots, root, snapshot, diffs)
                self._touched = (state, tuple(found))
            return self._touched[1]

    def _commits_of(self, roots: Roots, head: str) -> Commits:
        if self._commits is None or self._commits[0] != head:
            self._commits = (head, tuple(recent_commits(root.path) or () for root in roots.roots))
        return self._commits[1]


def _of_root(roots: Roots, root: Root, snapshot: Snapshot, commits: tuple[Diff, ...]) -> list[Touched]:
    found: list[Touched] = []
    for one in touched(commits, working_tree_diff(root.path) or {}):
        path = roots.join(root, one.path)
        if snapshot.has(path):
            found.append(replace(one, path=path))
    return found
