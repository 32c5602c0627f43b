"""`textDocument/documentSymbol`: the outline of a document, nested. Syntactic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from ...context.navigation import children_of, symbol_site
from ...model.facts import NOWHERE, SymbolFlag
from ..features import KINDS, Asked, answer

if TYPE_CHECKING:
    from ...index.snapshot import FileView
    from ...model.facts import Symbol
    from ..app import ContextServer

MAX_DEPTH = 50


async def handle(
    ls: ContextServer, params: types.DocumentSymbolParams
) -> list[types.DocumentSymbol] | list[types.SymbolInformation] | None:
    """Nested where the client can show that, else flat."""
    nested = ls.capability("text_document.document_symbol.hierarchical_document_symbol_support")
    return await answer(ls, params.text_document.uri, None, _nested if nested else _flat)


def _shown(view: FileView) -> list[Symbol]:
    return [symbol for symbol in view.facts.iter_symbols() if symbol.name]


def _nested(asked: Asked) -> list[types.DocumentSymbol]:
    view = asked.snapshot.file(asked.path)
    if view is None:
        return []
    children = children_of(_shown(view))
    known = {symbol.index for below in children.values() for symbol in below}

    def below(parent: int, depth: int) -> list[types.DocumentSymbol]:
        return [one(symbol, depth) for symbol in children.get(parent, ())] if depth < MAX_DEPTH else []

    def one(symbol: Symbol, depth: int) -> types.DocumentSymbol:
        name = asked.locations.name_range(symbol_site(view, symbol.index))
        whole = asked.locations.lines_range(view.path, symbol.range)
        return types.DocumentSymbol(
            name=symbol.name,
            kind=KINDS[symbol.kind],
            range=_around(whole, name),
            selection_range=name,
            detail=symbol.owner or None,
            tags=None,
            children=below(symbol.index, depth + 1),
        )

    found = below(NOWHERE, 0)
    for parent in children:  # members of something without a name of its own
        if parent != NOWHERE and parent not in known:
            found += below(parent, 0)
    return sorted(found, key=lambda symbol: (symbol.range.start.line, symbol.range.start.character))


def _around(whole: types.Range, name: types.Range) -> types.Range:
    """LSP wants the name inside the range."""
    start = min(whole.start, name.start, key=lambda at: (at.line, at.character))
    end = max(whole.end, name.end, key=lambda at: (at.line, at.character))
    return types.Range(start, end)


def _flat(asked: Asked) -> list[types.SymbolInformation]:
    view = asked.snapshot.file(asked.path)
    if view is None:
        return []
    uri = asked.locations.uri(asked.path)
    return [
        types.SymbolInformation(
            location=types.Location(uri, asked.locations.lines_range(asked.path, symbol.range)),
            name=symbol.name,
            kind=KINDS[symbol.kind],
            container_name=symbol.qualified_name.rpartition(".")[0] or None,
        )
        for symbol in _shown(view)
        if not symbol.flags & SymbolFlag.LOCAL
    ]
