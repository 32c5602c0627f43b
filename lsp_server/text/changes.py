"""Several LSP changes of one text, each of them relative to what those before it made.

Editors send "replace all" as one notification with thousands of changes, from the last place to the first.
Applied one by one, each would copy the whole text; those that do not touch each other are applied together.
"""

from __future__ import annotations

from collections.abc import Iterable

from .line_table import LineTable
from .positions import PositionEncoding, WirePosition, WireRange, offset_of, position_of


def apply_changes(
    table: LineTable, changes: Iterable[tuple[WireRange | None, str]], encoding: PositionEncoding
) -> LineTable:
    """The text after all changes, in order. A change without a range replaces the whole text."""
    run: list[tuple[int, int, str]] = []
    bound: WirePosition | None = None
    for span, text in changes:
        if span is None:
            table, run, bound = LineTable.of(text), [], None
            continue
        if bound is None or max(span.start, span.end) > bound:
            table, run = _applied(table, run), []
        start, end = sorted((offset_of(table, span.start, encoding), offset_of(table, span.end, encoding)))
        run.append((start, end, text))
        bound = _bound(table, start, min(span.start, span.end), encoding)
    return _applied(table, run)


def _bound(table: LineTable, start: int, first: WirePosition, encoding: PositionEncoding) -> WirePosition | None:
    """Positions up to here mean the same before and after a change that begins here; None when that is not sure.

    It is not where the position was clamped: afterwards it may lie inside the new text. Nor behind a `\\r`,
    which may become half of a line end.
    """
    if start and table.text[start - 1] == "\r":
        return None
    return first if position_of(table, start, encoding) == first else None


def _applied(table: LineTable, run: list[tuple[int, int, str]]) -> LineTable:
    """The text after edits that lie one before the other, given from the last to the first."""
    if not run:
        return table
    if len(run) == 1:
        return table.replace(*run[0])
    parts: list[str] = []
    at = 0
    for start, end, text in reversed(run):
        parts += (table.text[at:start], text)
        at = end
    parts.append(table.text[at:])
    return LineTable.of("".join(parts))
