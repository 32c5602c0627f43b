"""`context/search`: a query in words, ranked chunks with the lines that match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...model.source import Checkpoint
from ...session.freshness import with_freshness
from ..params import bounded, fields_of, required_text, scope_of
from ..running import run

if TYPE_CHECKING:
    from ..app import ContextServer


async def handle(ls: ContextServer, params: Any) -> Any:
    """`{query, limit?, include?, exclude?}` → `{hits, truncated}`."""
    from ...context.search import DEFAULT_LIMIT, MAX_LIMIT, search_code, search_to_dict

    fields = fields_of(params)
    query, scope = required_text(fields, "query"), scope_of(fields)
    limit = bounded(fields, "limit", DEFAULT_LIMIT, MAX_LIMIT)

    def work(checkpoint: Checkpoint) -> dict[str, object]:
        looking = ls.session.looking(checkpoint)
        result = search_code(looking, query, limit, scope)
        return with_freshness(search_to_dict(result, ls.edge()), looking.snapshot, ls.session.degraded)

    return await run(ls, work)
