"""`context/explain`: why is a line or symbol in the last pack, or not?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...model.errors import RequestError
from ...model.source import Checkpoint
from ..params import fields_of, optional_path
from ..running import run

if TYPE_CHECKING:
    from ..app import ContextServer


async def handle(ls: ContextServer, params: Any) -> Any:
    """`{path? or uri?, line?, symbol?, fingerprint?}` → `{verdict, explanation}`; `line` is 1-based."""
    from ...context.explain import explain, explanation_to_dict

    fields = fields_of(params)
    path, line, symbol = optional_path(fields, ls.places()), fields.whole("line"), fields.text("symbol")
    if path is None and not symbol:
        raise RequestError("path", "give a path (with a line), or a symbol")
    if line is not None and line < 1:
        raise RequestError("line", "must be at least 1")
    fingerprint = fields.text("fingerprint")
    pack = ls.session.packs.last() if fingerprint is None else ls.session.packs.by_fingerprint(fingerprint)

    def work(checkpoint: Checkpoint) -> dict[str, object]:
        return explanation_to_dict(explain(ls.session.looking(checkpoint), pack, path, line, symbol))

    return await run(ls, work)
