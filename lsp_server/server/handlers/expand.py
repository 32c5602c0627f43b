"""`context/expand`: more of the code around an item, freshly read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...model.errors import RangeError, RequestError, SourceError
from ...model.source import Checkpoint
from ..params import bounded, fields_of, optional_lines, optional_path
from ..running import run

if TYPE_CHECKING:
    from ..app import ContextServer


async def handle(ls: ContextServer, params: Any) -> Any:
    """`{id}` or `{path or uri, lines or range}`, `extent?`, `neighbours?` → the text around."""
    from ...context.expand import (
        DEFAULT_NEIGHBOURS,
        MAX_NEIGHBOURS,
        Extent,
        expand,
        expanded_to_dict,
        place_of_id,
    )

    fields = fields_of(params)
    item = fields.text("id")
    path = optional_path(fields, ls.places())
    lines = optional_lines(fields, path, ls.places())
    if item is not None and path is None:
        path, lines = place_of_id(item)
    if path is None:
        raise RequestError("path", "give an id, or a path with lines")
    if lines is None:
        raise RangeError("lines", "is missing")
    place, span = path, lines
    extent = fields.choice("extent", Extent) or Extent.UNIT
    neighbours = bounded(fields, "neighbours", DEFAULT_NEIGHBOURS, MAX_NEIGHBOURS)

    def work(checkpoint: Checkpoint) -> dict[str, object]:
        try:
            expanded = expand(ls.session.looking(checkpoint), place, span, extent, neighbours)
        except SourceError as error:
            raise RequestError("path", str(error)) from None
        return expanded_to_dict(expanded, ls.edge())

    return await run(ls, work)
