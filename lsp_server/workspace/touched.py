"""Where lines that past changes touched are in the present text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lsp_server.model.lines import LineRange
from lsp_server.model.values import Value

from .hunks import FileDiff, Hunk

Diff = Mapping[str, FileDiff]
"""What one change did, by path."""

MOST_HUNKS = 2_000
"""A commit with more (a new formatter, a vendored tree) says nothing of any one place."""

MOST_IN_FILE = 200
"""A file with more hunks in one change is written anew: what touched it before is forgotten."""


class Touched(Value):
    """Lines of the present text that one change touched. `age` counts commits: 1 for the last one, 0 for what is
    not committed; `size` is how many places the change touched in all."""

    path: str
    range: LineRange
    age: int
    size: int


def touched(diffs: Sequence[Diff], uncommitted: Diff) -> tuple[Touched, ...]:
    """Where the lines of `diffs` (newest first) and of `uncommitted` are in the present text.

    Lines that a later change replaced are that change's. Ordered by age, path and line.
    """
    found: list[Touched] = []
    held: dict[str, list[Touched]] = {}
    for age in range(len(diffs), -1, -1):
        diff = diffs[age - 1] if age else uncommitted
        size = sum(len(file.hunks) for file in diff.values())
        for path, file in diff.items():
            rewritten = file.deleted or len(file.hunks) > MOST_IN_FILE
            kept = [] if rewritten else [moved for one in held.get(path, ()) if (moved := _moved(one, file.hunks))]
            if not file.deleted and size <= MOST_HUNKS:
                kept += [Touched(path, hunk.range, age, size) for hunk in file.hunks]
            held[path] = kept
    for each in held.values():
        found += each
    return tuple(sorted(found, key=lambda one: (one.age, one.path, one.range.start, one.range.end)))


def _moved(one: Touched, hunks: Sequence[Hunk]) -> Touched | None:
    """The range after the hunks; None when they replaced all of it."""
    start, end = one.range.start, one.range.end
    shift = inside = 0
    for hunk in hunks:
        first = hunk.old if hunk.removed else hunk.old + 1
        last = hunk.old + hunk.removed - 1 if hunk.removed else hunk.old
        if last < one.range.start:
            shift += hunk.added - hunk.removed
        elif first > one.range.end:
            break
        elif first <= one.range.start and last >= one.range.end:
            return None
        elif first <= one.range.start:  # its head is gone
            start, shift = last + 1, shift + hunk.added - hunk.removed
        elif last >= one.range.end:  # its tail is gone
            end = first - 1
        else:
            inside += hunk.added - hunk.removed
    start, end = start + shift, end + shift + inside
    return Touched(one.path, LineRange(start, end), one.age, one.size) if 1 <= start <= end else None
