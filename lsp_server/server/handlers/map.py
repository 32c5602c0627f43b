"""`context/map`: a ranked outline of the workspace, signatures only, within a token budget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from ...model.source import Checkpoint
from ..params import fields_of, optional_path
from ..running import run_with_progress

if TYPE_CHECKING:
    from ..app import ContextServer


async def handle(ls: ContextServer, params: Any) -> Any:
    """`{budget?, focus?: [{uri or path}], symbols?, query?, depth?, folder?, include?, exclude?}` → the map."""
    from ...context.map import map_request, map_to_dict
    from ...context.raw_fields import Fields

    fields = fields_of(params)
    focus = [
        entry if isinstance(entry, str) else optional_path(Fields(entry, at), ls.places())
        for entry, at in fields.list("focus")
    ]
    request = map_request({**cast(dict[str, Any], params or {}), "focus": focus})

    def work(checkpoint: Checkpoint) -> dict[str, object]:
        return map_to_dict(ls.session.map(request, checkpoint), ls.edge())

    return await run_with_progress(ls, params, "Drawing the map", work)
