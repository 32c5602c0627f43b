"""Slices: a unit too large to be shown whole becomes its beginning, the windows that matter, and the rest."""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType

from ..model.facts import ChunkKind
from ..model.lines import LineRange
from ..model.values import replace
from .lead import Lead

HEAD_LINES = 6
"""Lines of a large unit's beginning that always go with a slice of it (name, parameters, first checks)."""

RADIUS = 14
"""Lines shown on either side of a line of interest in a large unit."""

REST_SHARE = 0.5
"""What is neither the beginning nor near a line of interest counts this much of the unit."""

LOOSE_SHARE = 0.4
"""Blocks and text windows hold together less than functions: they are sliced from this share of the limit."""

LOOSE_KINDS = frozenset({ChunkKind.BLOCK, ChunkKind.WINDOW})


def sliced(leads: Iterable[Lead], max_bytes: int) -> tuple[Lead, ...]:
    """The leads, with each one that has more than `max_bytes` replaced by its slices."""
    return tuple(part for lead in leads for part in slices(lead, max_bytes))


def slices(lead: Lead, max_bytes: int) -> list[Lead]:
    """`lead` itself when it is small enough; else its windows, each naming the whole as its parent."""
    limit = max_bytes * LOOSE_SHARE if lead.kind in LOOSE_KINDS else max_bytes
    if lead.required or lead.bytes <= limit or len(lead.range) <= 2 * RADIUS + HEAD_LINES:
        return [lead]
    windows = _windows(lead)
    a_line = lead.bytes / len(lead.range)
    rest = _gaps(lead.range, windows, max(2 * RADIUS, int(limit / a_line / 2)))
    less = MappingProxyType({part: score * REST_SHARE for part, score in lead.parts.items()})
    found = [replace(lead, range=window, parent=lead.id, bytes=int(a_line * len(window))) for window in windows]
    found += [
        replace(
            lead, range=gap, parent=lead.id, bytes=int(a_line * len(gap)), parts=less, score=lead.score * REST_SHARE
        )
        for gap in rest
    ]
    return found


def _windows(lead: Lead) -> list[LineRange]:
    first, last = lead.range.start, lead.range.end
    windows = [LineRange(first, min(last, first + HEAD_LINES - 1))]
    for line in sorted(set(lead.lines)):
        if not lead.range.contains(line):
            continue
        window = LineRange(max(first, line - RADIUS), min(last, line + RADIUS))
        if windows[-1].touches(window):
            windows[-1] = windows[-1].union(window)
        else:
            windows.append(window)
    return windows


def _gaps(whole: LineRange, windows: list[LineRange], most: int) -> list[LineRange]:
    """What `windows` leave of `whole`, in pieces of at most `most` lines."""
    gaps: list[LineRange] = []
    ends = [*(window.start for window in windows[1:]), whole.end + 1]
    for window, next_start in zip(windows, ends, strict=True):
        start = window.end + 1
        while start < next_start:
            end = min(next_start - 1, start + most - 1)
            gaps.append(LineRange(start, end))
            start = end + 1
    return gaps
