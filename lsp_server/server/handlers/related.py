"""`context/related`: definitions, callers, tests, callees and importers of a symbol or a place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...model.errors import RequestError
from ...model.source import Checkpoint
from ...session.freshness import with_freshness
from ..params import bounded, fields_of, optional_lines, optional_path
from ..running import run

if TYPE_CHECKING:
    from ..app import ContextServer


async def handle(ls: ContextServer, params: Any) -> Any:
    """`{symbol?, path? or uri?, lines? or range?, limit?}` → `{items, truncated}`."""
    from ...context.related import DEFAULT_LIMIT, MAX_LIMIT, related_code, related_to_dict

    fields = fields_of(params)
    symbol, path = fields.text("symbol"), optional_path(fields, ls.places())
    lines = optional_lines(fields, path, ls.places())
    limit = bounded(fields, "limit", DEFAULT_LIMIT, MAX_LIMIT)
    if not symbol and path is None:
        raise RequestError("symbol", "give a symbol, or a path (with lines)")

    def work(checkpoint: Checkpoint) -> dict[str, object]:
        looking = ls.session.looking(checkpoint)
        result = related_code(looking, symbol, path, lines, limit)
        return with_freshness(related_to_dict(result, ls.edge()), looking.snapshot, ls.session.degraded)

    return await run(ls, work)
