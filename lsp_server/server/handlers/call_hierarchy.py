"""Call hierarchy: who calls a function, and what it calls. Syntactic; calls of unknown receivers are left out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from lsprotocol import types

from ...context.navigation import Calls, definitions_at, incoming_calls, outgoing_calls, symbol_named, symbol_site
from ...index.snapshot import SymbolId
from ..features import KINDS, Asked, answer

if TYPE_CHECKING:
    from ..app import ContextServer


async def prepare(ls: ContextServer, params: types.CallHierarchyPrepareParams) -> list[types.CallHierarchyItem] | None:
    """The functions at a place, as starting points."""
    return await answer(ls, params.text_document.uri, params.position, _start)


def _start(asked: Asked) -> list[types.CallHierarchyItem]:
    targets = definitions_at(asked.resolver, asked.path, asked.line, asked.column)
    if not targets:
        view = asked.snapshot.file(asked.path)
        around = None if view is None else view.facts.enclosing(asked.line)
        targets = () if around is None else (SymbolId(asked.path, around.index),)
    return [_item(asked, target.path, target) for target in targets if asked.locations.allowed(target.path)]


def _item(asked: Asked, path: str, target: SymbolId | None) -> types.CallHierarchyItem:
    """A definition as an item; code at the top level of a file is an item that stands for the file."""
    view = asked.snapshot.file(path)
    uri = asked.locations.uri(path)
    if target is None or view is None:
        top = types.Range(types.Position(0, 0), types.Position(0, 0))
        return types.CallHierarchyItem(path.rsplit("/", 1)[-1], types.SymbolKind.File, uri, top, top, detail=path)
    symbol = view.facts.symbol(target.index)
    name = asked.locations.name_range(symbol_site(view, target.index))
    return types.CallHierarchyItem(
        name=symbol.name,
        kind=KINDS[symbol.kind],
        uri=uri,
        range=asked.locations.lines_range(path, symbol.range),
        selection_range=name,
        detail=symbol.qualified_name,
        data={"path": path, "name": symbol.name, "line": symbol.name_line},
    )


async def incoming(
    ls: ContextServer, params: types.CallHierarchyIncomingCallsParams
) -> list[types.CallHierarchyIncomingCall] | None:
    """Who calls the item."""

    def work(asked: Asked, target: SymbolId) -> list[types.CallHierarchyIncomingCall]:
        return [
            types.CallHierarchyIncomingCall(_item(asked, calls.path, calls.other), _ranges(asked, calls))
            for calls in incoming_calls(asked.resolver, target, asked.checkpoint)
            if asked.locations.allowed(calls.path)
        ]

    return ls.partial(params.partial_result_token, await _of_item(ls, params.item, work) or [])


async def outgoing(
    ls: ContextServer, params: types.CallHierarchyOutgoingCallsParams
) -> list[types.CallHierarchyOutgoingCall] | None:
    """What the item calls."""

    def work(asked: Asked, source: SymbolId) -> list[types.CallHierarchyOutgoingCall]:
        return [
            types.CallHierarchyOutgoingCall(_item(asked, calls.path, calls.other), _ranges(asked, calls))
            for calls in outgoing_calls(asked.resolver, source)
            if asked.locations.allowed(calls.path)
        ]

    return ls.partial(params.partial_result_token, await _of_item(ls, params.item, work) or [])


async def _of_item(
    ls: ContextServer, item: types.CallHierarchyItem, work: Callable[[Asked, SymbolId], list[Any]]
) -> list[Any] | None:
    """Find the item's definition again, which may have moved since."""
    data = cast(dict[str, Any], item.data) if isinstance(item.data, dict) else {}
    name, line = data.get("name"), data.get("line")

    def find(asked: Asked) -> list[Any]:
        if not isinstance(name, str) or not isinstance(line, int):
            return []
        target = symbol_named(asked.snapshot, asked.path, name, line)
        return [] if target is None else work(asked, target)

    return await answer(ls, item.uri, None, find)


def _ranges(asked: Asked, calls: Calls) -> list[types.Range]:
    return [asked.locations.name_range(site) for site in calls.sites]
