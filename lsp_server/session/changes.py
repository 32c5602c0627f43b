"""Lines touched by the uncommitted diff and the last commits, asked of Git once per state of the index."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

from ..index.snapshot import Snapshot
from ..model.values import replace
from ..workspace.git import head_commit, working_tree_diff
from ..workspace.history import SECONDS, recent_commits
from ..workspace.roots import Root, Roots
from ..workspace.touched import Held, Touched, in_order, moved, touched

Heads = tuple[tuple[Path, str | None], ...]
"""Each root with the commit that its HEAD names."""


class _Asked:
    """Lines that the last commits of each root touched, where HEAD has them; asked in a thread of its own."""

    def __init__(self, heads: Heads) -> None:
        self.heads = heads
        self._found: list[Held] = [{} for _ in heads]
        self._thread = threading.Thread(target=self._ask, name="git-history", daemon=True)
        self._thread.start()

    def _ask(self) -> None:
        for place, (root, head) in enumerate(self.heads):
            if head:
                commits = recent_commits(root, head, seconds=SECONDS / len(self.heads))
                self._found[place] = touched(commits or ())

    def answer(self) -> Sequence[Held]:
        self._thread.join()
        return self._found


class RecentChanges:
    """A small cache; safe for several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asked: _Asked | None = None
        self._lines: tuple[tuple[Heads, int], tuple[Touched, ...]] | None = None

    def ask(self, roots: Roots) -> _Asked:
        """Begin to ask for the last commits, unless they are known: a build needs them later than this."""
        heads = tuple((root.path, head_commit(root.path)) for root in roots.roots)
        with self._lock:
            if self._asked is None or self._asked.heads != heads:
                self._asked = _Asked(heads)
            return self._asked

    def lines(self, roots: Roots, snapshot: Snapshot) -> tuple[Touched, ...]:
        """Touched lines of indexed files, by age; empty outside a repository."""
        if snapshot.head is None:
            return ()
        asked = self.ask(roots)
        state = (asked.heads, snapshot.revision)
        with self._lock:
            if self._lines is not None and self._lines[0] == state:
                return self._lines[1]
        found: list[Touched] = []
        for root, held in zip(roots.roots, asked.answer(), strict=True):
            found += _of_root(roots, root, snapshot, held)
        lines = tuple(in_order(found))
        with self._lock:
            self._lines = (state, lines)
        return lines


def _of_root(roots: Roots, root: Root, snapshot: Snapshot, held: Held) -> list[Touched]:
    found: list[Touched] = []
    for inside, ranges in moved(held, working_tree_diff(root.path) or {}, 0).items():
        path = roots.join(root, inside)
        if snapshot.has(path):
            found += ranges if path == inside else [replace(one, path=path) for one in ranges]
    return found
