"""`textDocument/codeLens`: how many places use each function. Off by default; syntactic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from ...context.navigation import symbol_site, uses_of
from ...index.snapshot import SymbolId
from ..features import Asked, answer

if TYPE_CHECKING:
    from ..app import ContextServer

MAX_LENSES = 200


async def handle(ls: ContextServer, params: types.CodeLensParams) -> list[types.CodeLens]:
    """One lens a function or method."""
    return await answer(ls, params.text_document.uri, None, _lenses) or []


def _lenses(asked: Asked) -> list[types.CodeLens]:
    view = asked.snapshot.file(asked.path)
    lenses: list[types.CodeLens] = []
    for symbol in view.facts.iter_symbols() if view is not None else ():
        if view is None or not symbol.is_callable or len(lenses) >= MAX_LENSES:
            continue
        asked.checkpoint()
        count = len(uses_of(asked.resolver, [SymbolId(asked.path, symbol.index)], asked.checkpoint))
        title = f"{count} use" if count == 1 else f"{count} uses"
        where = asked.locations.name_range(symbol_site(view, symbol.index))
        lenses.append(types.CodeLens(where, types.Command(title, "")))
    return lenses
