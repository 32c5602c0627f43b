"""`context/build`: a context pack for what is failing."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from ...model.source import Checkpoint
from ..params import with_defaults
from ..running import run_with_progress

if TYPE_CHECKING:
    from ...model.request import BuildRequest
    from ..app import ContextServer


async def handle(ls: ContextServer, params: Any) -> Any:
    """The pack as JSON; a newer request of the same `clientKey` takes the place of this one."""
    from ...context.raw_request import request_from

    raw = with_defaults(params, ls.settings)
    request = request_from(raw, ls.places())
    key, loop = client_key(params), asyncio.get_running_loop()

    def work(checkpoint: Checkpoint) -> dict[str, object]:
        return build(ls, request, loop, checkpoint)

    return await run_with_progress(ls, params, "Building context", work, key and f"build:{key}")


def client_key(params: Any) -> str | None:
    """Requests with the same `clientKey` replace one another; without one each stands for itself."""
    from ...context.raw_fields import Fields

    return Fields(params, "").text("clientKey")


def build(
    ls: ContextServer, request: BuildRequest, loop: asyncio.AbstractEventLoop, checkpoint: Checkpoint
) -> dict[str, object]:
    """The work, off the loop."""
    from ...context.json import pack_to_dict
    from ...session.building import ClientSide
    from ..resolve_definition import ClientDefinitions

    edge = ls.edge()
    asker = ClientDefinitions(ls, loop) if "resolveDefinition" in ls.opted_in else None
    return pack_to_dict(ls.session.build(request, checkpoint, ClientSide(edge, asker)), edge)
