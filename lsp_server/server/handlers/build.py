"""`context/build`: a context pack for what is failing."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from ...context.raw_fields import Fields
from ...model.source import Checkpoint
from ..params import with_defaults
from ..progress import notify
from ..running import run_with_progress

if TYPE_CHECKING:
    from ...model.pack import ContextPack
    from ...model.request import BuildRequest
    from ..app import ContextServer


async def handle(ls: ContextServer, params: Any) -> Any:
    """The pack as JSON; a newer request of the same `clientKey` takes the place of this one."""
    from ...context.raw_request import request_from

    raw = with_defaults(ls.session.contributions.with_budget(params), ls.settings)
    request = request_from(raw, ls.places())
    key, loop = client_key(params), asyncio.get_running_loop()
    token = Fields(params, "").get("partialResultToken")

    def work(checkpoint: Checkpoint) -> dict[str, object]:
        return build(ls, request, loop, token, checkpoint)

    return await run_with_progress(ls, params, "Building context", work, key and f"build:{key}")


def client_key(params: Any) -> str | None:
    """Requests with the same `clientKey` replace one another; without one each stands for itself."""
    return Fields(params, "").text("clientKey")


def build(
    ls: ContextServer, request: BuildRequest, loop: asyncio.AbstractEventLoop, token: object, checkpoint: Checkpoint
) -> dict[str, object]:
    """The work, off the loop. With a token the failing code is sent ahead as a partial result `{items}`."""
    from ...context.json import item_to_dict, pack_to_dict
    from ...session.building import ClientSide
    from ..resolve_definition import ClientDefinitions

    edge = ls.edge()
    asker = ClientDefinitions(ls, loop) if "resolveDefinition" in ls.opted_in else None

    def send_first(pack: ContextPack) -> None:
        value = {"items": [item_to_dict(item, edge) for item in pack.selection.items]}
        if value["items"]:
            loop.call_soon_threadsafe(notify, ls, token, value)

    client = ClientSide(edge, asker, send_first if isinstance(token, (str, int)) else None)
    return pack_to_dict(ls.session.build(request, checkpoint, client), edge)
