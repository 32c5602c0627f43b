"""`textDocument/documentHighlight`: the same name in the same file. Syntactic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from ...context.navigation import highlights
from ..features import Asked, answer

if TYPE_CHECKING:
    from ..app import ContextServer


async def handle(ls: ContextServer, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
    """Definitions count as writing, uses as reading."""
    found = await answer(ls, params.text_document.uri, params.position, _highlights)
    return ls.partial(params.partial_result_token, found or [])


def _highlights(asked: Asked) -> list[types.DocumentHighlight]:
    kinds = {True: types.DocumentHighlightKind.Write, False: types.DocumentHighlightKind.Read}
    return [
        types.DocumentHighlight(asked.locations.name_range(site), kinds[site.kind is None])
        for site in highlights(asked.resolver, asked.path, asked.line, asked.column)
    ]
