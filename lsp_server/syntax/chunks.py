"""Chunks: the units of search. A function is one chunk, a container gives its head without its members.

Spans are planned first (closed lines, in order, never overlapping, skipping only blank lines), then each
gets its search terms.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

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
from lsp_server.text.words import find_words, split_identifier

from .byte_lines import ByteLines

Numbers = NDArray[np.int64]

MAX_BLOCK_LINES = 60
"""Top-level code and heads longer than this are split, at blank lines where there are any."""

MAX_TYPE_LINES = 120
"""A type without functions up to this length is one chunk."""

MAX_FUNCTION_LINES = 120
"""A longer function that holds named functions is treated as a container of them."""

MAX_TERMS_BYTES = 65_536
"""Of one longer chunk only so many bytes give terms (data in code)."""

_CALLABLE = frozenset(int(kind) for kind in CALLABLE_KINDS)
_TEST = int(SymbolFlag.TEST)
_DECLARATION = int(SymbolFlag.DECLARATION)
_TYPE = frozenset(int(kind) for kind in TYPE_KINDS)
_CONTAINER = frozenset(int(kind) for kind in CONTAINER_KINDS)


@dataclass(frozen=True, slots=True)
class Span:
    """A planned chunk: closed 1-based lines."""

    start: int
    end: int
    kind: ChunkKind
    symbol: int = NOWHERE


@dataclass(frozen=True, slots=True)
class Terms:
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
    flags = bytearray(lines.count + 2)
    starts: list[int] = lines.starts.tolist()
    source = lines.source
    for number in range(1, lines.count + 1):
        end = starts[number] if number < len(starts) else len(source)
        if source[starts[number - 1] : end].isspace():
            flags[number] = 1
    return flags


class _Planner:
    """Walks the symbols once in order of start, emitting units and the gaps between them."""

    def __init__(self, symbols: SymbolColumns, line_count: int, blank: bytearray) -> None:
        self.symbols = symbols
        self.line_count = line_count
        self.blank = blank
        self.spans: list[Span] = []
        self.next_line = 1

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
        self._gap(self.line_count, NOWHERE)
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
                yield index, ChunkKind.FUNCTION
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
        kind = ChunkKind.BLOCK if symbol == NOWHERE else ChunkKind.HEAD
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


def chunk_terms(spans: Sequence[Span], lines: ByteLines) -> Terms:
    """Columns of `spans`, each with its search terms.

    Words are numbered and split once a file; which terms stand how often in which chunk then comes from
    sorting (chunk, term) pairs as numbers.
    """
    source = lines.source
    starts: list[int] = [*lines.starts.tolist(), len(source)]
    bounds = [(starts[span.start - 1], starts[min(span.end, len(starts) - 1)]) for span in spans]
    found: list[str] = []
    totals: list[int] = []
    for start, end in bounds:
        words = find_words(source[start : min(end, start + MAX_TERMS_BYTES)].decode("utf-8", "replace"))
        found += words
        totals.append(len(words))
    counted = _count(found, totals)
    length = np.bincount(counted.chunk, weights=counted.count, minlength=len(spans)).astype(np.int64)
    return Terms(
        ChunkColumns(
            start=array("i", [span.start for span in spans]),
            end=array("i", [span.end for span in spans]),
            kind=array("i", [span.kind for span in spans]),
            symbol=array("i", [span.symbol for span in spans]),
            length=_ints(length),
            bytes=array("i", [end - start for start, end in bounds]),
            first=_ints(np.searchsorted(counted.chunk, np.arange(len(spans) + 1))),
        ),
        counted.terms,
        _ints(counted.term),
        _ints(counted.count),
    )


@dataclass(frozen=True, slots=True)
class _Counted:
    """How often each term stands in each chunk, in order of chunk and term number."""

    terms: tuple[str, ...]
    chunk: Numbers
    term: Numbers
    count: Numbers


def _count(found: list[str], totals: list[int]) -> _Counted:
    """Count terms. `found` are the words chunk after chunk, `totals` how many of them each chunk has."""
    distinct = dict.fromkeys(found)
    chunk_of_word = np.repeat(np.arange(len(totals)), totals)
    word_keys, word_counts = _tally(chunk_of_word * len(distinct) + _numbered(found, distinct), None)
    chunks, words = np.divmod(word_keys, max(1, len(distinct)))
    split = list(map(split_identifier, distinct))
    spelled = list(chain.from_iterable(split))
    terms = dict.fromkeys(spelled)
    flat = _numbered(spelled, terms)
    sizes = np.fromiter(map(len, split), dtype=np.int64, count=len(split))
    repeats = sizes[words]
    places = np.repeat((np.cumsum(sizes) - sizes)[words] - (np.cumsum(repeats) - repeats), repeats)
    places += np.arange(len(places))
    pairs = np.repeat(chunks * len(terms), repeats) + flat[places]
    keys, counts = _tally(pairs, np.repeat(word_counts, repeats))
    chunk, term = np.divmod(keys, max(1, len(terms)))
    return _Counted(tuple(terms), chunk, term, counts)


def _tally(keys: Numbers, weights: Numbers | None) -> tuple[Numbers, Numbers]:
    """Distinct `keys` in order, and how often each occurs (or the sum of its weights)."""
    if len(keys) and int(keys[-1]) <= 16 * len(keys) + (1 << 16):
        # Keys grow chunk by chunk, so the last is near the largest: a table is cheaper than sorting.
        table = np.bincount(keys, weights)
        found = np.flatnonzero(table)
        return found, table[found].astype(np.int64)
    found, places = np.unique(keys, return_inverse=True)
    return found, np.bincount(places, weights, minlength=len(found)).astype(np.int64)


def _numbered(words: list[str], distinct: dict[str, None]) -> Numbers:
    """`words` as numbers in order of `distinct`."""
    numbers = dict(zip(distinct, range(len(distinct)), strict=True))
    return np.fromiter(map(numbers.__getitem__, words), dtype=np.int64, count=len(words))


def _ints(values: Numbers) -> array[int]:
    result = array("i")
    result.frombytes(values.astype(np.int32).tobytes())
    return result
