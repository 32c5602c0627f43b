"""Where lines that past changes touched are in the present text."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence

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


MOST_HELD = 300
"""Ranges of one file that are followed, the youngest: a file that every commit rewrites says little by older ones."""

Held = Mapping[str, Sequence[Touched]]
"""Touched ranges by path, oldest first."""


def touched(diffs: Sequence[Diff]) -> Held:
    """Where the lines of `diffs` (newest first) are after the newest of them.

    Lines that a later change replaced are that change's.
    """
    held: Held = {}
    for age in range(len(diffs), 0, -1):
        held = moved(held, diffs[age - 1], age)
    return held


def moved(held: Held, diff: Diff, age: int) -> Held:
    """The ranges after one more change, with what that touches itself under `age`."""
    size = sum(len(file.hunks) for file in diff.values())
    after = dict(held)
    for path, file in diff.items():
        rewritten = file.deleted or len(file.hunks) > MOST_IN_FILE
        kept = [] if rewritten else _all_moved(after.get(path, ()), file.hunks)
        if not file.deleted and size <= MOST_HUNKS:
            kept += [Touched(path, hunk.range, age, size) for hunk in file.hunks]
        after[path] = kept[-MOST_HELD:]
    return after


def in_order(ranges: Iterable[Touched]) -> list[Touched]:
    """By age, path and line."""
    return sorted(ranges, key=lambda one: (one.age, one.path, one.range.start, one.range.end))


def _all_moved(ranges: Sequence[Touched], hunks: Sequence[Hunk]) -> list[Touched]:
    """Each range is compared with the hunks that touch it alone; those above it count by their sum."""
    lasts = [hunk.last for hunk in hunks]
    shifts = [0]
    for hunk in hunks:
        shifts.append(shifts[-1] + hunk.added - hunk.removed)
    found: list[Touched] = []
    for one in ranges:
        above = bisect_left(lasts, one.range.start)
        lines = _moved(one.range, hunks[above : bisect_right(lasts, one.range.end) + 1], shifts[above])
        if lines is not None:
            found.append(Touched(one.path, lines, one.age, one.size))
    return found


def _moved(lines: LineRange, hunks: Sequence[Hunk], shift: int) -> LineRange | None:
    """`lines` after the hunks that end in or behind them, `shift` lines further down; None when all were replaced."""
    start, end, inside = lines.start, lines.end, 0
    for hunk in hunks:
        first, last = hunk.first, hunk.last
        if first > lines.end:
            break
        elif first <= lines.start and last >= lines.end:
            return None
        elif first <= lines.start:  # its head is gone
            start, shift = last + 1, shift + hunk.added - hunk.removed
        elif last >= lines.end:  # its tail is gone
            end = first - 1
        else:
            inside += hunk.added - hunk.removed
    start, end = start + shift, end + shift + inside
    return LineRange(start, end) if 1 <= start <= end else None
