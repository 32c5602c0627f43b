"""The columns of a file with those of one region replaced, and what follows it moved."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from lsp_server.model.facts import (
    BindingColumns,
    ChunkColumns,
    FileFacts,
    Import,
    ReferenceColumns,
    SymbolColumns,
)
from lsp_server.model.values import replace

from .columns import Ints, column_of
from .region_rows import Edited, Rows

Columns = TypeVar("Columns", SymbolColumns, ReferenceColumns, BindingColumns, ChunkColumns)

_LINES = frozenset({"start", "end", "doc", "body", "name_line", "line"})
_SYMBOLS = frozenset({"parent", "symbol"})


def spliced_facts(facts: FileFacts, edited: Edited, rows: Rows, numbers: Sequence[int]) -> FileFacts:
    """`facts` with `rows` in the place of the region's. `numbers` are those of the region's terms in the file.
    Hash, names and terms stay those of `facts`."""
    region, added = edited.region, edited.added_lines
    symbols = facts.symbols
    begin, end = _within(symbols.start, edited)
    move = _Move(region.last, added, end, len(rows.symbols) - (end - begin))
    chunk_begin, chunk_end = _within(facts.chunks.start, edited)
    first = facts.chunks.first
    begin_term, end_term = first[chunk_begin], first[chunk_end]
    inner = rows.terms
    new_first = [each + begin_term for each in inner.chunks.first[:-1]]
    grown = begin_term + len(inner.term) - end_term
    later_first = (_ints(first)[chunk_end:] + grown).astype(np.int32)
    chunks = _replaced(facts.chunks, inner.chunks, chunk_begin, chunk_end, move)
    chunks = replace(chunks, first=first[:chunk_begin] + array("i", new_first) + column_of(later_first))
    term = array("i", [numbers[each] for each in inner.term])
    return replace(
        facts,
        size=len(edited.lines.source),
        lines=edited.lines.count,
        symbols=_replaced(symbols, rows.symbols, begin, end, move),
        references=_replaced(facts.references, rows.references, *_within(facts.references.line, edited), move),
        bindings=_replaced(facts.bindings, rows.bindings, *_within(facts.bindings.line, edited), move),
        imports=_imports(facts.imports, rows.imports, edited),
        chunks=chunks,
        term=facts.term[:begin_term] + term + facts.term[end_term:],
        term_count=facts.term_count[:begin_term] + inner.count + facts.term_count[end_term:],
    )


def _imports(old: Sequence[Import], new: Sequence[Import], edited: Edited) -> tuple[Import, ...]:
    region, added = edited.region, edited.added_lines
    before = [each for each in old if each.line < region.first]
    behind = [each for each in old if each.line > region.last]
    return (*before, *new, *([replace(each, line=each.line + added) for each in behind] if added else behind))


def _within(lines: array[int], edited: Edited) -> tuple[int, int]:
    """The rows whose line is in the old region, of a column of ascending lines."""
    column = _ints(lines)
    return int(column.searchsorted(edited.region.first)), int(column.searchsorted(edited.region.last, side="right"))


class _Move:
    """How lines and symbol numbers behind the region change."""

    def __init__(self, last: int, lines: int, symbol: int, symbols: int) -> None:
        self._last, self._lines, self._symbol, self._symbols = last, lines, symbol, symbols

    def of(self, name: str, column: array[int]) -> array[int]:
        """The column `name` of rows outside the region."""
        if name in _LINES and self._lines:
            values = _ints(column)
            return column_of(np.where(values > self._last, values + self._lines, values))
        if name in _SYMBOLS and self._symbols:
            values = _ints(column)
            return column_of(np.where(values >= self._symbol, values + self._symbols, values))
        return column


def _replaced(old: Columns, new: Columns, begin: int, end: int, move: _Move) -> Columns:
    """`old` with rows `begin..end` (exclusive) replaced by `new`."""
    columns: dict[str, array[int]] = {}
    for name in type(old).__slots__:
        if name == "first":
            continue
        column: array[int] = getattr(old, name)
        columns[name] = move.of(name, column[:begin]) + getattr(new, name) + move.of(name, column[end:])
    return type(old)(**columns)


def _ints(column: array[int]) -> Ints:
    return np.frombuffer(column, dtype=np.int32) if len(column) else np.empty(0, dtype=np.int32)
