"""Chunks: the units of search. A function is one chunk, a container gives its head without its members.

Spans are planned first (closed lines, in order, never overlapping, skipping only blank lines), then each
gets its search terms.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from operator import sub

from lsp_server.model.facts import (
    CALLABLE_KINDS,
    CONTAINER_KINDS,
    NOWHERE,
    TYPE_KINDS,
    ChunkColumns,
    ChunkKind,
    SymbolColumns,
    SymbolFlag,
)
from lsp_server.model.values import Value

from .byte_lines import ByteLines
from .terms import Spans, count_terms

MAX_BLOCK_LINES = 60
"""Top-level code and heads longer than this are split, at blank lines where there are any."""

MAX_TYPE_LINES = 120
"""A type without functions up to this length is one chunk."""

MAX_FUNCTION_LINES = 120
"""A longer function that holds named functions is treated as a container of them."""

MAX_TERMS_BYTES = 65_536
"""Of one longer chunk only so many bytes give terms (data in code)."""

_CALLABLE = frozenset(int(kind) for kind in CALLABLE_KINDS)
_BLOCK, _HEAD, _WHOLE_FUNCTION = ChunkKind.BLOCK, ChunkKind.HEAD, ChunkKind.FUNCTION
_TEST = int(SymbolFlag.TEST)
_DECLARATION = int(SymbolFlag.DECLARATION)
_TYPE = frozenset(int(kind) for kind in TYPE_KINDS)
_CONTAINER = frozenset(int(kind) for kind in CONTAINER_KINDS)


class Span(Value):
    """A planned chunk: closed 1-based lines."""

    start: int
    end: int
    kind: ChunkKind
    symbol: int = NOWHERE


class Terms(Value):
    """Search terms of all chunks of a file, in columns; see FileFacts."""

    chunks: ChunkColumns
    words: tuple[str, ...]
    term: array[int]
    count: array[int]


def plan_chunks(symbols: SymbolColumns, lines: ByteLines) -> list[Span]:
    """The spans of a parsed file. Every non-blank line is in exactly one."""
    blank = blank_lines(lines)
    planner = _Planner(symbols, lines.count, blank)
    return planner.plan()


def blank_lines(lines: ByteLines) -> bytearray:
    """1 for each blank line, at its 1-based number."""
    return bytearray((0, *map(bytes.isspace, lines.rows), 0))


def plan_region(symbols: SymbolColumns, enclosing: int, lines: ByteLines, first: int, last: int) -> list[Span]:
    """The spans of lines `first..last`, between chunks that show whole definitions. The first `enclosing` of
    `symbols` begin above and end below, and hold functions."""
    blank = bytearray(lines.count + 2)
    blank[first : last + 1] = bytes(map(bytes.isspace, lines.rows[first - 1 : last]))
    return _Planner(symbols, last, blank, first, enclosing).plan()


class _Planner:
    """Walks the symbols once in order of start, emitting units and the gaps between them."""

    def __init__(
        self, symbols: SymbolColumns, line_count: int, blank: bytearray, first: int = 1, enclosing: int = 0
    ) -> None:
        self.symbols = symbols
        self.line_count = line_count
        self.blank = blank
        self.spans: list[Span] = []
        self.next_line = first
        self.enclosing = enclosing

    def plan(self) -> list[Span]:
        units = self._units()
        stack: list[int] = []
        for index, whole in units:
            first = min(self.symbols.doc[index], self.symbols.start[index])
            self._close(stack, first)
            self._gap(first - 1, stack[-1] if stack else NOWHERE)
            if whole is None:
                stack.append(index)
            else:
                self._emit(first, self.symbols.end[index], whole, index)
        self._close(stack, self.line_count + 1)
        self._gap(self.line_count, stack[-1] if stack else NOWHERE)
        return self.spans

    def _units(self) -> Iterator[tuple[int, ChunkKind | None]]:
        """(symbol, chunk kind), or None for one that is opened and holds units of its own."""
        columns = self.symbols
        holds_functions = self._holds_functions()
        covered = 0
        for index in range(len(columns)):
            start, end = columns.start[index], columns.end[index]
            if end <= covered:
                continue
            kind = columns.kind[index]
            opened = holds_functions[index]
            if self._is_declaration(index):
                continue
            if kind in _CALLABLE:
                is_suite = bool(columns.flags[index] & _TEST)
                if opened and (is_suite or end - start >= MAX_FUNCTION_LINES):
                    yield index, None
                    continue
                covered = end
                yield index, _WHOLE_FUNCTION
            elif opened and end > start:
                yield index, None
            elif kind in _TYPE and end - start < MAX_TYPE_LINES:
                covered = end
                yield index, ChunkKind.TYPE
            elif kind in _CONTAINER and end > start:
                yield index, None

    def _holds_functions(self) -> bytearray:
        columns = self.symbols
        holds = bytearray(len(columns))
        for index in range(len(columns) - 1, -1, -1):
            parent = columns.parent[index]
            is_function = columns.kind[index] in _CALLABLE and not self._is_declaration(index)
            if parent != NOWHERE and (holds[index] or is_function):
                holds[parent] = 1
        holds[: self.enclosing] = b"\1" * self.enclosing
        return holds

    def _is_declaration(self, index: int) -> bool:
        """True for a prototype or interface method: it says little without what stands around it."""
        return bool(self.symbols.flags[index] & _DECLARATION)

    def _close(self, stack: list[int], line: int) -> None:
        """Finish the open containers that end before `line`."""
        while stack and self.symbols.end[stack[-1]] < line:
            index = stack.pop()
            self._gap(self.symbols.end[index], index)

    def _gap(self, last: int, symbol: int) -> None:
        """Emit the lines from `next_line` to `last` that belong to `symbol` itself."""
        kind = _BLOCK if symbol == NOWHERE else _HEAD
        if last < self.next_line:
            return
        for start, end in split_at_blanks(self.next_line, last, self.blank, MAX_BLOCK_LINES):
            self._emit(start, end, kind, symbol)

    def _emit(self, start: int, end: int, kind: ChunkKind, symbol: int) -> None:
        start = max(start, self.next_line)
        while start <= end and self.blank[start]:
            start += 1
        while end >= start and self.blank[end]:
            end -= 1
        if start <= end:
            self.spans.append(Span(start, end, kind, symbol))
            self.next_line = end + 1


def split_at_blanks(first: int, last: int, blank: bytearray, most: int) -> Iterator[tuple[int, int]]:
    """Cut lines `first..last` into pieces of at most `most` lines, at the latest blank line in the
    second half of a piece where there is one."""
    while first <= last:
        while first <= last and blank[first]:
            first += 1
        end = min(last, first + most - 1)
        if end < last:
            cut = blank.rfind(1, first + most // 2, end + 2)
            end = cut - 1 if cut > 0 else end
        if first <= end:
            yield first, end
        first = end + 1


def chunk_terms(planned: Sequence[tuple[Sequence[Span], ByteLines]]) -> list[Terms]:
    """Columns of the spans of each of some files, with their search terms."""
    texts: list[Spans] = []
    sizes: list[array[int]] = []
    for spans, lines in planned:
        starts = [lines.starts[span.start - 1] for span in spans]
        ends = [lines.starts[span.end] for span in spans]
        limits = [min(end, start + MAX_TERMS_BYTES) for start, end in zip(starts, ends, strict=True)]
        texts.append(Spans(lines.source, starts, limits))
        sizes.append(array("i", map(sub, ends, starts)))
    found: list[Terms] = []
    for (spans, _), size, counted in zip(planned, sizes, count_terms(texts), strict=True):
        columns = ChunkColumns(
            start=array("i", [span.start for span in spans]),
            end=array("i", [span.end for span in spans]),
            kind=array("i", [span.kind for span in spans]),
            symbol=array("i", [span.symbol for span in spans]),
            length=counted.length,
            bytes=size,
            first=counted.first,
        )
        found.append(Terms(columns, counted.words, counted.term, counted.count))
    return found
