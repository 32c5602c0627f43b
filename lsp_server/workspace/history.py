"""What the last commits changed, asked of Git."""

from __future__ import annotations

import re
from pathlib import Path

from .git import DIFF_OPTIONS, Ending, paths_below, printed_by_git, run_git
from .hunks import parse_diff
from .touched import Diff

COMMITS = 50
"""How far back. A hundred or four hundred commits told no more of where a fix belongs (docs/decisions/)."""

SECONDS = 3.0
"""Fifty commits take 0.1 s; of a history that takes longer, what was told by then is taken."""

_SMALL_FILES = ("core.bigFileThreshold=2m",)
"""Git compares no larger files: they are data, and their diffs would fill the memory."""

_COMMIT_LINE = re.compile(rb"^(?:[0-9a-f]{40}|[0-9a-f]{64})\n", re.MULTILINE)


def recent_commits(
    folder: Path, revision: str = "HEAD", count: int = COMMITS, seconds: float = SECONDS
) -> tuple[Diff, ...] | None:
    """What each of the last commits changed against its first parent, newest first, along first parents.

    Paths are relative to `folder`. Fewer than `count` when the history is shorter (the oldest commit has nothing to be
    compared with, in a shallow clone either), or when Git takes longer than `seconds` or an object is missing.
    None when there is no such commit, or Git does not answer at all.
    """
    listing = ("rev-list", "--parents", "--first-parent", f"--max-count={count}", "--end-of-options", revision, "--")
    listed = run_git(folder, listing, seconds=seconds)
    if listed is None:
        return None
    pairs = [line.split()[:2] for line in listed.decode("ascii", "replace").splitlines()]
    pairs = [pair for pair in pairs if len(pair) == 2]
    if not pairs:
        return ()
    asked = "".join(f"{commit} {parent}\n" for commit, parent in pairs).encode()
    command = ("diff-tree", "--stdin", "-r", *DIFF_OPTIONS, "--", ".")
    told, ending = printed_by_git(folder, command, asked, _SMALL_FILES, seconds)
    # A commit that changes nothing below `folder` prints nothing, not even its own line.
    blocks = _COMMIT_LINE.split(told)[1:]
    names = [mark.decode().strip() for mark in _COMMIT_LINE.findall(told)]
    if ending is Ending.CUT:  # the last one may lack its end
        blocks, names = blocks[:-1], names[:-1]
        last = names[-1] if names else None
        known = next((place + 1 for place, pair in enumerate(pairs) if pair[0] == last), 0)
        pairs = pairs[:known]
    found = dict(zip(names, blocks, strict=True))
    return tuple(paths_below(folder, parse_diff(found.get(commit, b""))) for commit, _ in pairs)
