"""Units: the pieces of code that are shown whole. A unit is a chunk of the index, or a slice of a huge one."""

from __future__ import annotations

from bisect import bisect_right

from ..index.snapshot import FileView, Snapshot, SymbolId
from ..model.facts import NOWHERE, Chunk, ChunkKind, SymbolFlag, SymbolKind
from ..model.lines import LineRange
from ..model.values import Value
from ..workspace.classify import PathFlag

_TEST, _CONSTRUCTOR = int(SymbolFlag.TEST), int(SymbolKind.CONSTRUCTOR)


class Unit(Value):
    """A piece of code that stands for itself: a function, a class head, a block of top-level code."""

    path: str
    range: LineRange
    symbol: SymbolId | None
    name: str
    is_test: bool
    bytes: int
    parent: str | None = None
    kind: ChunkKind | None = None

    @property
    def id(self) -> str:
        """`path:start-end`."""
        return f"{self.path}:{self.range.start}-{self.range.end}"


def is_test_symbol(view: FileView, symbol: int) -> bool:
    """True when the definition or one around it is a test."""
    columns = view.facts.symbols
    flags, parents = columns.flags, columns.parent
    while symbol != NOWHERE:
        if flags[symbol] & _TEST:
            return True
        symbol = parents[symbol]
    return False


def unit_of_chunk(view: FileView, chunk: Chunk) -> Unit:
    """The unit that shows `chunk`."""
    in_test_file = PathFlag.TEST in view.flags
    if chunk.symbol == NOWHERE:
        return Unit(view.path, chunk.range, None, "", in_test_file, chunk.bytes, None, chunk.kind)
    name = view.facts.qualified_name(chunk.symbol)
    is_test = in_test_file or is_test_symbol(view, chunk.symbol)
    return Unit(view.path, chunk.range, SymbolId(view.path, chunk.symbol), name, is_test, chunk.bytes, None, chunk.kind)


def chunk_at(view: FileView, line: int) -> Chunk | None:
    """The chunk that holds the 1-based `line`, or the nearest before it; None for a file without chunks."""
    facts = view.facts
    starts = facts.chunks.start
    return facts.chunk(max(0, bisect_right(starts, line) - 1)) if starts else None


def unit_at(snapshot: Snapshot, path: str, line: int) -> Unit | None:
    """The unit that holds the 1-based `line` of `path`; None when the file is not indexed."""
    view = snapshot.file(path)
    chunk = chunk_at(view, line) if view else None
    if view is None or chunk is None:
        return None
    return unit_of_chunk(view, chunk)


def units_in(snapshot: Snapshot, path: str, first: int, last: int) -> list[Unit]:
    """The units of `path` that the 1-based lines `first..last` touch; none when the file is not indexed."""
    view = snapshot.file(path)
    if view is None or not len(view.facts.chunks):
        return []
    columns = view.facts.chunks
    at = max(0, bisect_right(columns.start, first) - 1)
    found = [unit_of_chunk(view, view.facts.chunk(at))]
    for index in range(at + 1, len(columns)):
        if columns.start[index] > last:
            break
        found.append(unit_of_chunk(view, view.facts.chunk(index)))
    return found


def units_of_symbol(snapshot: Snapshot, target: SymbolId) -> list[Unit]:
    """The units that show a definition: itself, and with a type its constructor."""
    view = snapshot.file(target.path)
    if view is None:
        return []
    columns = view.facts.symbols
    chunk = chunk_at(view, columns.name_line[target.index])
    units = [unit_of_chunk(view, chunk)] if chunk else []
    for index in range(target.index + 1, bisect_right(columns.start, columns.end[target.index])):
        if columns.kind[index] == _CONSTRUCTOR and columns.parent[index] == target.index:
            inner = chunk_at(view, columns.name_line[index])
            if inner and all(inner.range != unit.range for unit in units):
                units.append(unit_of_chunk(view, inner))
    return units
