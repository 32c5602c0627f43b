"""`expand`: more of the code around an item: the whole unit, its container, its neighbours. Freshly read."""

from __future__ import annotations

import re
from enum import StrEnum

from ..index.snapshot import FileView
from ..model.candidate import Origin
from ..model.errors import RangeError, RequestError
from ..model.lines import LineRange
from ..model.values import Value
from ..retrieval.units import chunk_at
from ..text.hashing import content_hash
from .json import PLAIN_EDGE, Edge, lines_to_dict, lsp_range
from .looking import Looking

_ID = re.compile(r"(.+):(\d{1,9})-(\d{1,9})")

DEFAULT_NEIGHBOURS, MAX_NEIGHBOURS = 20, 1_000


class Extent(StrEnum):
    """How far to go."""

    UNIT = "unit"
    """The smallest definition or chunk that holds the range and more than it."""
    RANGE = "range"
    """The range itself, read again."""
    NEIGHBOURS = "neighbours"
    """The range and some lines on either side."""


class Expanded(Value):
    """Text as it is now, secrets masked. `symbol` is the definition shown, if it is one."""

    path: str
    range: LineRange
    content: str
    content_hash: str
    symbol: str
    origin: Origin
    version: int | None


def place_of_id(id: str) -> tuple[str, LineRange]:
    """Path and lines of an item's id (`path:start-end`). Raises RequestError naming `id`."""
    match = _ID.fullmatch(id)
    if match is None:
        raise RequestError("id", f"must look like path:start-end, got {id!r}")
    try:
        return match[1], LineRange(int(match[2]), int(match[3]))
    except RangeError as error:
        raise RequestError("id", str(error)) from None


def expand(
    looking: Looking, path: str, lines: LineRange, extent: Extent = Extent.UNIT, neighbours: int = DEFAULT_NEIGHBOURS
) -> Expanded:
    """The text around `lines` of `path`. Raises SourceError, or RangeError past the end of the file."""
    text = looking.shown(path)
    if lines.start > len(text.lines):
        raise RangeError("lines", f"the file has {len(text.lines)} lines")
    view = looking.snapshot.file(path)
    span, symbol = lines, ""
    if extent is Extent.NEIGHBOURS:
        span = LineRange(max(1, lines.start - neighbours), lines.end + neighbours)
    elif extent is Extent.UNIT and view is not None:
        span, symbol = _unit_around(view, lines)
    span = LineRange(span.start, min(span.end, len(text.lines)))
    content = text.slice(span)
    return Expanded(path, span, content, content_hash(content), symbol, text.origin, text.version)


def _unit_around(view: FileView, lines: LineRange) -> tuple[LineRange, str]:
    """The smallest thing with a name, or chunk, that covers `lines` and is not equal to them."""
    found = [(LineRange(symbol.doc, symbol.range.end), symbol.qualified_name) for symbol in view.facts.iter_symbols()]
    chunk = chunk_at(view, lines.start)
    if chunk is not None:
        found.append((chunk.range, ""))
    larger = [one for one in found if one[0].covers(lines) and len(one[0]) > len(lines)]
    return min(larger, key=lambda one: (len(one[0]), one[1] == ""), default=(lines, ""))


def expanded_to_dict(expanded: Expanded, edge: Edge = PLAIN_EDGE) -> dict[str, object]:
    """The plain form."""
    return {
        "id": f"{expanded.path}:{expanded.range}",
        "path": expanded.path,
        "uri": edge.uri(expanded.path),
        "lines": lines_to_dict(expanded.range),
        "range": lsp_range(expanded.range, expanded.content, edge),
        "content": expanded.content,
        "contentHash": expanded.content_hash,
        "symbol": expanded.symbol or None,
        "origin": str(expanded.origin),
        "version": expanded.version,
    }
