"""`context/status`: what is indexed, how fresh, what is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...session.status import status_json
from ..params import fields_of
from ..running import run

if TYPE_CHECKING:
    from ..app import ContextServer


async def handle(ls: ContextServer, params: Any) -> Any:
    """The state, with `wait: true` once nothing is pending any more."""
    wait = fields_of(params).flag("wait")

    def work(checkpoint: Any) -> dict[str, Any]:
        if wait:
            ls.session.wait_fresh(None, checkpoint)
        state = status_json(ls.session.status())
        state["lastError"] = state["lastError"] or ls.last_error
        return state

    return await run(ls, work)
