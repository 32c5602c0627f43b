"""`workspace/symbol`: definitions whose name holds the letters of the query, best first. Syntactic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from ...context.navigation import symbol_site
from ...model.source import Checkpoint
from ..features import KINDS
from ..locations import Locations
from ..running import run

if TYPE_CHECKING:
    from ..app import ContextServer

LIMIT = 200
"""Symbols of one answer; a longer query finds fewer."""


async def handle(ls: ContextServer, params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
    """At most `LIMIT` symbols; sent in one partial result when the client asks for those."""

    def work(checkpoint: Checkpoint) -> list[types.WorkspaceSymbol]:
        snapshot = ls.session.settled(checkpoint)
        locations = Locations(ls)
        found: list[types.WorkspaceSymbol] = []
        for match in snapshot.fuzzy_symbols(params.query.strip(), LIMIT):
            checkpoint()
            view = snapshot.file(match.id.path)
            if view is not None and locations.allowed(match.id.path):
                symbol = view.facts.symbol(match.id.index)
                found.append(
                    types.WorkspaceSymbol(
                        location=locations.location(symbol_site(view, symbol.index)),
                        name=symbol.name,
                        kind=KINDS[symbol.kind],
                        container_name=symbol.qualified_name.rpartition(".")[0] or match.id.path,
                    )
                )
        return found

    found = await run(ls, work, "workspace/symbol")
    return ls.partial(params.partial_result_token, found)
