"""`context/map`: a ranked outline of the workspace, signatures only, within a token budget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from ...context.raw_fields import Fields
from ...model.source import Checkpoint
from ...session.uris import scheme_of
from ..params import fields_of, optional_path
from ..running import run_with_progress

if TYPE_CHECKING:
    from ..app import ContextServer


async def handle(ls: ContextServer, params: Any) -> Any:
    """`{budget?, focus?, symbols?, mentions?, query?, depth?, folder?, include?, exclude?}` → the map.

    `focus` holds paths, URIs or `{uri or path}`; `mentions` are those of `context/build`; `budget` is a
    number of tokens or `{maxTokens}`. `rendered` is the text for people and models.
    """
    from ...context.map import map_request, map_to_dict

    request = map_request(_plain(ls, fields_of(params), params))

    def work(checkpoint: Checkpoint) -> dict[str, object]:
        drawn = ls.session.map(request, checkpoint)
        return {**map_to_dict(drawn, ls.edge()), "rendered": drawn.text}

    return await run_with_progress(ls, params, "Drawing the map", work)


def _plain(ls: ContextServer, fields: Fields, params: Any) -> dict[str, Any]:
    """The request in the words of `map_request`."""
    raw: dict[str, Any] = dict(cast(dict[str, Any], params or {}))
    focus = [_file(ls, entry, at) for entry, at in fields.list("focus")]
    symbols = list(fields.texts("symbols"))
    for entry, at in fields.list("mentions"):
        mention = Fields(entry, at)
        symbol, path = mention.text("symbol"), optional_path(mention, ls.places())
        symbols += [symbol] if symbol else []
        focus += [path] if path else []
    if isinstance(raw.get("budget"), dict):
        budget = fields.object("budget")
        raw["budget"] = None if budget is None else budget.amount("maxTokens")
    return raw | {"focus": focus, "symbols": symbols}


def _file(ls: ContextServer, entry: object, at: str) -> object:
    if isinstance(entry, str):
        return ls.session.key_of(entry) if scheme_of(entry) else entry
    return optional_path(Fields(entry, at), ls.places())
