"""Lines touched by the uncommitted diff and the last commits, asked of Git once per state of the index."""

from __future__ import annotations

import threading
from pathlib import Path

from ..index.snapshot import Snapshot
from ..model.values import replace
from ..workspace.git import head_commit, working_tree_diff
from ..workspace.history import recent_commits
from ..workspace.roots import Root, Roots
from ..workspace.touched import Diff, Touched, touched

Heads = tuple[tuple[Path, str | None], ...]
"""Each root with the commit that its HEAD names."""


class _Asked:
    """What the last commits of each root changed, newest first; asked in a thread of its own."""

    def __init__(self, heads: Heads) -> None:
        self.heads = heads
        self._found: tuple[tuple[Diff, ...], ...] = ()
        self._thread = threading.Thread(target=self._ask, name="git-history", daemon=True)
        self._thread.start()

    def _ask(self) -> None:
        self._found = tuple((recent_commits(root, head) or ()) if head else () for root, head in self.heads)

    def answer(self) -> tuple[tuple[Diff, ...], ...]:
        self._thread.join()
        return self._found


class RecentChanges:
    """A small cache; safe for several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asked: _Asked | None = None
        self._touched: tuple[tuple[Heads, int], tuple[Touched, ...]] | None = None

    def ask(self, roots: Roots) -> _Asked:
        """Begin to ask for the last commits, unless they are known: a build needs them later than this."""
        heads = tuple((root.path, head_commit(root.path)) for root in roots.roots)
        with self._lock:
            if self._asked is None or self._asked.heads != heads:
                self._asked = _Asked(heads)
            return self._asked

    def lines(self, roots: Roots, snapshot: Snapshot) -> tuple[Touched, ...]:
        """Touched lines of indexed files; empty outside a repository."""
        if snapshot.head is None:
            return ()
        asked = self.ask(roots)
        state = (asked.heads, snapshot.revision)
        with self._lock:
            if self._touched is not None and self._touched[0] == state:
                return self._touched[1]
        found: list[Touched] = []
        for root, commits in zip(roots.roots, asked.answer(), strict=True):
            found += _of_root(roots, root, snapshot, commits)
        with self._lock:
            self._touched = (state, tuple(found))
            return self._touched[1]


def _of_root(roots: Roots, root: Root, snapshot: Snapshot, commits: tuple[Diff, ...]) -> list[Touched]:
    found: list[Touched] = []
    for one in touched(commits, working_tree_diff(root.path) or {}):
        path = roots.join(root, one.path)
        if snapshot.has(path):
            found.append(replace(one, path=path))
    return found
