"""What the last commits changed, asked of Git."""

from __future__ import annotations

import re
from pathlib import Path

from .git import DIFF_OPTIONS, paths_below, run_git
from .hunks import parse_diff
from .touched import Diff

COMMITS = 50
"""How far back. A hundred or four hundred commits told no more of where a fix belongs (docs/decisions/)."""

SECONDS = 3.0
"""Fifty commits take 0.1 s; a history that takes longer than this is left alone."""

_COMMIT_LINE = re.compile(rb"^(?:[0-9a-f]{40}|[0-9a-f]{64})\n", re.MULTILINE)


def recent_commits(folder: Path, revision: str = "HEAD", count: int = COMMITS) -> tuple[Diff, ...] | None:
    """What each of the last commits changed against its first parent, newest first, along first parents.

    Paths are relative to `folder`. The oldest commit of a shallow clone is left out, as its parent is not there.
    None when there is no such commit, or Git gives no answer in time.
    """
    listing = ("rev-list", "--parents", "--first-parent", f"--max-count={count}", "--end-of-options", revision, "--")
    listed = run_git(folder, listing, seconds=SECONDS)
    if listed is None:
        return None
    pairs = [line.split()[:2] for line in listed.decode("ascii", "replace").splitlines()]
    pairs = [pair for pair in pairs if len(pair) == 2]
    if not pairs:
        return ()
    asked = "".join(f"{commit} {parent}\n" for commit, parent in pairs).encode()
    told = run_git(folder, ("diff-tree", "--stdin", "-r", *DIFF_OPTIONS, "--", "."), asked, seconds=SECONDS)
    if told is None:
        return None
    # A commit that changes nothing below `folder` prints nothing, not even its own line.
    blocks = _COMMIT_LINE.split(told)[1:]
    names = [mark.decode().strip() for mark in _COMMIT_LINE.findall(told)]
    found = dict(zip(names, blocks, strict=True))
    return tuple(paths_below(folder, parse_diff(found.get(commit, b""))) for commit, _ in pairs)
