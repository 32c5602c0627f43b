"""`context/contribute`: another tool hands in places; its latest contribution replaces its earlier one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..app import ContextServer


async def handle(ls: ContextServer, params: Any) -> Any:
    """`{source, items: [{path or uri, lines or range, reason?, score?, why?, required?, contentHash?}]}` → `{held}`."""
    from ...session.contributions import contribution_from

    source, items = contribution_from(params or {}, ls.places())
    return {"source": source, "held": ls.session.contributions.put(source, items)}
