"""`context/verify`: is a pack, or a list of items, still what the code says?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...context.raw_fields import Fields
from ...model.errors import RequestError
from ...model.source import Checkpoint
from ..params import fields_of, optional_lines, optional_path, required_text
from ..running import run

if TYPE_CHECKING:
    from ...context.verify import Claim
    from ..app import ContextServer


async def handle(ls: ContextServer, params: Any) -> Any:
    """`{fingerprint}` of a recent pack, or `{items: [{id?, path, lines, contentHash}]}` → `{valid, items}`."""
    from ...context.verify import verdicts_to_dict, verify

    fields = fields_of(params)
    claims = [_claim(ls, Fields(entry, at)) for entry, at in fields.list("items")]
    fingerprint = fields.text("fingerprint")
    if fingerprint is not None:
        claims += _of_pack(ls, fingerprint)
    elif not fields.has("items"):
        raise RequestError("items", "give items, or the fingerprint of a recent pack")

    def work(checkpoint: Checkpoint) -> dict[str, object]:
        return verdicts_to_dict(verify(ls.session.looking(checkpoint), claims))

    return await run(ls, work)


def _claim(ls: ContextServer, fields: Fields) -> Claim:
    from ...context.verify import Claim

    path = optional_path(fields, ls.places())
    lines = optional_lines(fields, path, ls.places())
    if path is None or lines is None:
        raise RequestError(fields.path("path" if path is None else "lines"), "is missing")
    return Claim(fields.text("id") or f"{path}:{lines}", path, lines, required_text(fields, "contentHash"))


def _of_pack(ls: ContextServer, fingerprint: str) -> list[Claim]:
    from ...context.verify import Claim

    pack = ls.session.packs.by_fingerprint(fingerprint)
    if pack is None:
        raise RequestError("fingerprint", "is not one of the packs built last; give the items instead")
    return [Claim(item.id, item.path, item.range, item.content_hash) for item in pack.selection.items]
