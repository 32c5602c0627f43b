"""Units: the pieces of code that are shown whole. A unit is a chunk of the index, or a slice of a huge one."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from ..index.snapshot import FileView, Snapshot, SymbolId
from ..model.facts import NOWHERE, Chunk, SymbolFlag, SymbolKind
from ..model.lines import LineRange
from ..workspace.classify import PathFlag

SLICE_HEAD_LINES = 6
"""Lines of a huge unit's beginning that always go with a slice of it (name, parameters, first checks)."""

SLICE_RADIUS = 14
"""Lines shown on either side of a line of interest in a huge unit."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of code that stands for itself: a function, a class head, a block of top-level code."""

    path: str
    range: LineRange
    symbol: SymbolId | None
    name: str
    is_test: bool
    bytes: int
    parent: str | None = None

    @property
    def id(self) -> str:
        """`path:start-end`."""
        return f"{self.path}:{self.range.start}-{self.range.end}"


def is_test_symbol(view: FileView, symbol: int) -> bool:
    """True when the definition or one around it is a test."""
    flags, parents = view.facts.symbols.flags, view.facts.symbols.parent
    while symbol != NOWHERE:
        if flags[symbol] & SymbolFlag.TEST:
            return True
        symbol = parents[symbol]
    return False


def unit_of_chunk(view: FileView, chunk: Chunk) -> Unit:
    """The unit that shows `chunk`."""
    in_test_file = bool(view.flags & PathFlag.TEST)
    if chunk.symbol == NOWHERE:
        return Unit(view.path, chunk.range, None, "", in_test_file, chunk.bytes)
    name = view.facts.qualified_name(chunk.symbol)
    is_test = in_test_file or is_test_symbol(view, chunk.symbol)
    return Unit(view.path, chunk.range, SymbolId(view.path, chunk.symbol), name, is_test, chunk.bytes)


def chunk_at(view: FileView, line: int) -> Chunk | None:
    """The chunk that holds the 1-based `line`, or the nearest before it; None for a file without chunks."""
    columns = view.facts.chunks
    if not len(columns):
        return None
    return view.facts.chunk(max(0, bisect_right(columns.start, line) - 1))


def unit_at(snapshot: Snapshot, path: str, line: int) -> Unit | None:
    """The unit that holds the 1-based `line` of `path`; None when the file is not indexed."""
    view = snapshot.file(path)
    chunk = chunk_at(view, line) if view else None
    if view is None or chunk is None:
        return None
    return unit_of_chunk(view, chunk)


def units_of_symbol(snapshot: Snapshot, target: SymbolId) -> list[Unit]:
    """The units that show a definition: itself, and with a type its constructor."""
    view = snapshot.file(target.path)
    if view is None:
        return []
    columns = view.facts.symbols
    chunk = chunk_at(view, columns.name_line[target.index])
    units = [unit_of_chunk(view, chunk)] if chunk else []
    for index in range(target.index + 1, len(columns)):
        if columns.start[index] > columns.end[target.index]:
            break
        if columns.parent[index] == target.index and columns.kind[index] == SymbolKind.CONSTRUCTOR:
            inner = chunk_at(view, columns.name_line[index])
            if inner and all(inner.range != unit.range for unit in units):
                units.append(unit_of_chunk(view, inner))
    return units


def slices(unit: Unit, lines: tuple[int, ...], max_bytes: int) -> list[Unit]:
    """The unit itself when it has at most `max_bytes`; else its head and windows around `lines`.

    Windows that touch are one. Each slice names the whole unit as its parent.
    """
    if unit.bytes <= max_bytes or len(unit.range) <= 2 * SLICE_RADIUS + SLICE_HEAD_LINES:
        return [unit]
    first, last = unit.range.start, unit.range.end
    windows = [LineRange(first, min(last, first + SLICE_HEAD_LINES - 1))]
    for line in sorted(set(lines)):
        if not unit.range.contains(line):
            continue
        window = LineRange(max(first, line - SLICE_RADIUS), min(last, line + SLICE_RADIUS))
        if windows[-1].touches(window):
            windows[-1] = windows[-1].union(window)
        else:
            windows.append(window)
    a_line = unit.bytes // len(unit.range)
    return [
        Unit(unit.path, window, unit.symbol, unit.name, unit.is_test, a_line * len(window), parent=unit.id)
        for window in windows
    ]
