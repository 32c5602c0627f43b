"""Step 5: numbers of an older version of the file → the lines of today, with a confidence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from lsp_server.model.facts import Symbol
from lsp_server.model.source import SourceText
from lsp_server.model.values import Value

MOVED = 0.9
"""The printed source line was found elsewhere."""
SHIFTED = 0.8
"""The diff since the run says how far the line moved."""
UNCONFIRMED = 0.6
"""The printed source line is not in the file any more."""
BEYOND = 0.3
"""The number is past the end of the file."""


class LineShift(Value):
    """One hunk of the change since the run: `removed` lines at 1-based `line` of the old text became `added`."""

    line: int
    removed: int
    added: int


class Anchored(Value):
    """The line of today, and how sure that is."""

    line: int
    confidence: float


def anchor(
    line: int,
    printed: str | None,
    source: SourceText | None,
    shifts: Sequence[LineShift] = (),
    named: Callable[[], Symbol | None] = lambda: None,
) -> Anchored:
    """Where the place that `line` (1-based) named when the tool ran is now.

    `printed` is the source line shown beside it, if any; `named` finds the definition the tool named.
    """
    if source is None:
        return Anchored(line, 1.0)
    count = len(source.lines)
    wanted = _essence(printed) if printed else ""
    if wanted:
        if 1 <= line <= count and _same(source.lines[line - 1], wanted):
            return Anchored(line, 1.0)
        moved = _nearest(source.lines, wanted, line)
        if moved is not None:
            return Anchored(moved, MOVED)
    if shifts:
        shifted = _shift(line, shifts)
        if 1 <= shifted <= count and shifted != line:
            return Anchored(shifted, SHIFTED)
    if wanted and len(wanted) >= 8:
        symbol = named()
        if symbol is not None and not symbol.range.contains(line):
            return Anchored(min(symbol.name_line, count) or 1, UNCONFIRMED)
        return Anchored(max(1, min(line, count)), UNCONFIRMED if line <= count else BEYOND)
    if line > count:
        symbol = named()
        inside = symbol.name_line if symbol is not None else count
        return Anchored(max(1, min(inside, count)), BEYOND)
    return Anchored(line, 1.0)


def _essence(text: str) -> str:
    return "".join(text.split())


def _same(line: str, wanted: str) -> bool:
    own = _essence(line)
    return own == wanted or (len(wanted) >= 12 and wanted in own)


def _nearest(lines: Sequence[str], wanted: str, line: int) -> int | None:
    """The line nearest to `line` that reads `wanted`; very short texts (`}`) prove nothing."""
    if len(wanted) < 6:
        return None
    best: int | None = None
    for number, text in enumerate(lines, start=1):
        if (best is None or abs(number - line) < abs(best - line)) and _same(text, wanted):
            best = number
    return best


def _shift(line: int, shifts: Sequence[LineShift]) -> int:
    moved = line
    for shift in shifts:
        if shift.line + shift.removed <= line:
            moved += shift.added - shift.removed
        elif shift.line <= line:
            return max(1, moved)
    return moved


def shifts_of(changes: Mapping[str, Sequence[LineShift]], path: str) -> Sequence[LineShift]:
    """The hunks of `path`, in order; none when it did not change."""
    return changes.get(path, ())
