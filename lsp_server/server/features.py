"""What the standard features share: a place in a document turned into the index's terms, off the loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from lsprotocol import types

from ..model.facts import SymbolKind
from ..model.source import Checkpoint
from ..model.values import Value
from .locations import Locations, byte_column
from .running import run

if TYPE_CHECKING:
    from ..index.resolve import Resolver
    from ..index.snapshot import Snapshot
    from .app import ContextServer

T = TypeVar("T")

KINDS = {
    SymbolKind.FUNCTION: types.SymbolKind.Function,
    SymbolKind.METHOD: types.SymbolKind.Method,
    SymbolKind.CONSTRUCTOR: types.SymbolKind.Constructor,
    SymbolKind.CLASS: types.SymbolKind.Class,
    SymbolKind.STRUCT: types.SymbolKind.Struct,
    SymbolKind.INTERFACE: types.SymbolKind.Interface,
    SymbolKind.TRAIT: types.SymbolKind.Interface,
    SymbolKind.ENUM: types.SymbolKind.Enum,
    SymbolKind.TYPE: types.SymbolKind.Class,
    SymbolKind.MODULE: types.SymbolKind.Module,
    SymbolKind.NAMESPACE: types.SymbolKind.Namespace,
    SymbolKind.CONSTANT: types.SymbolKind.Constant,
    SymbolKind.VARIABLE: types.SymbolKind.Variable,
    SymbolKind.FIELD: types.SymbolKind.Field,
    SymbolKind.PROPERTY: types.SymbolKind.Property,
    SymbolKind.MACRO: types.SymbolKind.Function,
    SymbolKind.IMPL: types.SymbolKind.Class,
    SymbolKind.ENUM_MEMBER: types.SymbolKind.EnumMember,
}


class Asked(Value):
    """A question about the code: the snapshot it is answered from, and how places are written."""

    snapshot: Snapshot
    resolver: Resolver
    locations: Locations
    path: str
    line: int
    column: int
    checkpoint: Checkpoint


async def answer(ls: ContextServer, uri: str, position: types.Position | None, work: Callable[[Asked], T]) -> T | None:
    """What `work` says about a place in a document (no position: about the document); None for denied files."""
    path = ls.session.key_of(uri)

    def do(checkpoint: Checkpoint) -> T | None:
        from ..index.resolve import Resolver

        snapshot = ls.session.settled(checkpoint, [path])
        locations = Locations(ls)
        if not snapshot.has(path) or not locations.allowed(path):
            return None
        line, column = 1, 0
        if position is not None:
            line = position.line + 1
            column = byte_column(locations.line(path, line), position.character, ls.position_encoding)
        return work(Asked(snapshot, Resolver(snapshot), locations, path, line, column, checkpoint))

    return await run(ls, do)
