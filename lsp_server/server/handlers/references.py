"""`textDocument/references`: uses that resolve to the same definitions. Syntactic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from ...context.navigation import definitions_at, uses_of
from ..features import Asked, answer

if TYPE_CHECKING:
    from ..app import ContextServer


async def handle(ls: ContextServer, params: types.ReferenceParams) -> list[types.Location]:
    """The uses, by path and position, with the definitions when they are asked for."""

    def work(asked: Asked) -> list[types.Location]:
        targets = definitions_at(asked.resolver, asked.path, asked.line, asked.column)
        found = asked.locations.of_symbols(asked.snapshot, targets) if params.context.include_declaration else []
        uses = uses_of(asked.resolver, targets, asked.checkpoint)
        found += [asked.locations.location(site) for site, _ in uses if asked.locations.allowed(site.path)]
        return found

    found = await answer(ls, params.text_document.uri, params.position, work)
    return ls.partial(params.partial_result_token, found or [])
