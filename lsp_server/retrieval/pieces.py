"""Pieces of one function: a long function that holds named functions is several chunks of the index.

They are searched and reached one by one. A function that can be shown whole is shown whole, by the
evidence of all its pieces: half a function helps nobody.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

from ..index.snapshot import Snapshot, SymbolId
from ..model.facts import CALLABLE_KINDS, NOWHERE, ChunkKind
from ..model.lines import LineRange
from ..model.values import Value, replace
from .joining import joined
from .lead import Lead

MAX_BYTES = 8_000
"""Larger functions stay in pieces: at 12,000 bytes what one shows costs more than the rest of it brings."""


class Whole(Value):
    """A function of several chunks: its lines and its size in bytes."""

    symbol: SymbolId
    name: str
    range: LineRange
    bytes: int


def whole_functions(snapshot: Snapshot, leads: Iterable[Lead], max_bytes: int) -> tuple[Lead, ...]:
    """The leads, with the pieces of each function of at most `max_bytes` (and MAX_BYTES) brought together in one."""
    limit = min(MAX_BYTES, max_bytes)
    found: dict[str, Lead] = {}
    for lead in leads:
        whole = None if lead.symbol is None or lead.is_test else _whole(snapshot, lead, lead.symbol)
        if whole is not None and whole.bytes <= limit:
            lead = _shown_whole(lead, whole)
        place = lead.id
        held = found.get(place)
        found[place] = lead if held is None else joined(held, lead)
    return tuple(found.values())


def _whole(snapshot: Snapshot, lead: Lead, symbol: SymbolId) -> Whole | None:
    """The outermost function around a lead that shows only a piece of it."""
    view = snapshot.file(lead.path)
    if view is None:
        return None
    symbols, chunks = view.facts.symbols, view.facts.chunks
    outer, at = NOWHERE, symbol.index
    while at != NOWHERE:
        if symbols.kind[at] in CALLABLE_KINDS:
            outer = at
        at = symbols.parent[at]
    if outer == NOWHERE or (lead.range.start <= symbols.start[outer] and lead.range.end >= symbols.end[outer]):
        return None
    first, end = bisect_left(chunks.end, symbols.start[outer]), bisect_left(chunks.start, symbols.end[outer] + 1)
    if end - first < 2:
        return None
    lines = LineRange(chunks.start[first], chunks.end[end - 1])
    return Whole(SymbolId(lead.path, outer), view.facts.qualified_name(outer), lines, sum(chunks.bytes[first:end]))


def _shown_whole(lead: Lead, whole: Whole) -> Lead:
    return replace(
        lead, range=whole.range, symbol=whole.symbol, name=whole.name, kind=ChunkKind.FUNCTION, bytes=whole.bytes
    )
