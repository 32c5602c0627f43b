"""PackedFacts: facts as one run of integers and one list of strings, half-way between FileFacts and bytes.

The index builds its columns from this form without making `FileFacts`. Integers that rise along a
column are kept as differences, which are small.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import starmap
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..model.facts import (
    BindingColumns,
    ChunkColumns,
    FactFlag,
    FileFacts,
    Import,
    Problem,
    ReferenceColumns,
    SymbolColumns,
)
from ..model.values import Record

_FIXED_STRINGS = 3

# Columns of each group: plain ones first, then the rising ones, so that differences are one block operation.
_SYMBOLS = ("name", "kind", "flags", "owner", "name_column"), ("start", "end", "doc", "body", "name_line", "parent")
_REFERENCES = ("name", "kind", "column", "receiver"), ("line", "symbol")
_BINDINGS = ("name", "type"), ("line", "symbol")
_CHUNKS = ("kind", "length", "bytes"), ("start", "end", "symbol")
_Group = tuple[tuple[str, ...], tuple[str, ...]]

Ints = npt.NDArray[np.int32]


class FactCounts(NamedTuple):
    """Sizes of all columns, and the few numbers a file has once."""

    symbols: int
    references: int
    bindings: int
    chunks: int
    firsts: int
    postings: int
    names: int
    terms: int
    imports: int
    problems: int
    project: int
    size: int
    lines: int
    flags: int

    @property
    def integer_count(self) -> int:
        """How many integers all columns have together."""
        return self.postings_at + 2 * self.postings + 2 * self.imports + self.problems

    @property
    def postings_at(self) -> int:
        """How many integers stand before the postings."""
        return (
            _width(_SYMBOLS) * self.symbols
            + _width(_REFERENCES) * self.references
            + _width(_BINDINGS) * self.bindings
            + _width(_CHUNKS) * self.chunks
            + self.firsts
        )

    @property
    def terms_at(self) -> int:
        """How many strings stand before the search terms."""
        return _FIXED_STRINGS + self.names

    @property
    def string_count(self) -> int:
        """How many strings there are."""
        return _FIXED_STRINGS + self.names + self.terms + 3 * self.imports + self.problems + 2 * self.project


class ChunkRows(NamedTuple):
    """Chunk columns the index keeps. `postings` is the number of distinct terms of each chunk."""

    start: Ints
    end: Ints
    symbol: Ints
    length: Ints
    postings: Ints


class PackedFacts(Record):
    """Facts as one run of integers (rising columns as differences) and one list of strings."""

    counts: FactCounts
    ints: Ints
    strings: Sequence[str]

    @property
    def language(self) -> str:
        """Registry id of the language."""
        return self.strings[0]

    @property
    def content_hash(self) -> str:
        """Hash of the text the facts are of."""
        return self.strings[1]

    @property
    def package(self) -> str:
        """The package the file declares."""
        return self.strings[2]

    @property
    def size(self) -> int:
        """UTF-8 bytes of the text."""
        return self.counts.size

    @property
    def names_and_terms(self) -> Sequence[str]:
        """All names, then all terms."""
        return self.strings[_FIXED_STRINGS : _FIXED_STRINGS + self.counts.names + self.counts.terms]

    @property
    def terms(self) -> Sequence[str]:
        """All terms."""
        start = _FIXED_STRINGS + self.counts.names
        return self.strings[start : start + self.counts.terms]

    @property
    def symbol_names(self) -> Ints:
        """Name index of every definition."""
        return self.ints[: self.counts.symbols]

    @property
    def reference_names(self) -> Ints:
        """Name index of every use."""
        start = _width(_SYMBOLS) * self.counts.symbols
        return self.ints[start : start + self.counts.references]

    @property
    def reference_kinds(self) -> Ints:
        """Kind of every use."""
        start = _width(_SYMBOLS) * self.counts.symbols + self.counts.references
        return self.ints[start : start + self.counts.references]

    @property
    def chunk_rows(self) -> ChunkRows:
        """The chunks."""
        count = self.counts.chunks
        start = self._chunks_at
        block = self.ints[start : start + _width(_CHUNKS) * count].reshape(_width(_CHUNKS), count)
        rising = np.cumsum(block[3:], axis=1, dtype=np.int32)
        firsts = start + _width(_CHUNKS) * count
        return ChunkRows(rising[0], rising[1], rising[2], block[1], self.ints[firsts + 1 : firsts + self.counts.firsts])

    @property
    def postings(self) -> tuple[Ints, Ints]:
        """Term index and count of every posting, chunk by chunk."""
        count, start = self.counts.postings, self.counts.postings_at
        return self.ints[start : start + count], self.ints[start + count : start + 2 * count]

    @property
    def imported(self) -> list[tuple[str, str, str]]:
        """Module, name and alias of every import."""
        start = _FIXED_STRINGS + self.counts.names + self.counts.terms
        strings = self.strings[start : start + 3 * self.counts.imports]
        return list(zip(strings[::3], strings[1::3], strings[2::3], strict=True))

    @property
    def _chunks_at(self) -> int:
        counts = self.counts
        return (
            _width(_SYMBOLS) * counts.symbols
            + _width(_REFERENCES) * counts.references
            + _width(_BINDINGS) * counts.bindings
        )


def pack_facts(facts: FileFacts) -> PackedFacts:
    """The packed form of `facts`."""
    strings = [facts.language, facts.content_hash, facts.package, *facts.names, *facts.terms]
    for entry in facts.imports:
        strings += (entry.module, entry.name, entry.alias)
    strings += [entry.message for entry in facts.problems]
    for key, value in facts.project:
        strings += (key, value)
    first = np.array(facts.chunks.first, dtype=np.int32)
    first[1:] -= first[:-1]
    rest = [each.line for each in facts.imports]
    rest += [each.reexport for each in facts.imports]
    rest += [each.line for each in facts.problems]
    ints = np.concatenate(
        (
            _block(facts.symbols, _SYMBOLS),
            _block(facts.references, _REFERENCES),
            _block(facts.bindings, _BINDINGS),
            _block(facts.chunks, _CHUNKS),
            first,
            np.asarray(facts.term, dtype=np.int32),
            np.asarray(facts.term_count, dtype=np.int32),
            np.array(rest, dtype=np.int32),
        )
    )
    counts = FactCounts(
        symbols=len(facts.symbols),
        references=len(facts.references),
        bindings=len(facts.bindings),
        chunks=len(facts.chunks),
        firsts=len(first),
        postings=len(facts.term),
        names=len(facts.names),
        terms=len(facts.terms),
        imports=len(facts.imports),
        problems=len(facts.problems),
        project=len(facts.project),
        size=facts.size,
        lines=facts.lines,
        flags=int(facts.flags),
    )
    return PackedFacts(counts, ints, strings)


def unpack_facts(packed: PackedFacts) -> FileFacts:
    """The facts in `packed`; ValueError, IndexError or TypeError when they make no sense."""
    counts, strings = packed.counts, packed.strings
    ints = _IntegerReader(packed)
    terms_at = _FIXED_STRINGS + counts.names
    imports_at = terms_at + counts.terms
    problems_at = imports_at + 3 * counts.imports
    project_at = problems_at + counts.problems
    symbols = SymbolColumns(**ints.columns(counts.symbols, _SYMBOLS))
    references = ReferenceColumns(**ints.columns(counts.references, _REFERENCES))
    bindings = BindingColumns(**ints.columns(counts.bindings, _BINDINGS))
    chunk_columns = ints.columns(counts.chunks, _CHUNKS)
    first = ints.take(counts.firsts)
    term, term_count = ints.take(counts.postings), ints.take(counts.postings)
    import_lines, reexports, problem_lines = (
        ints.take(counts.imports),
        ints.take(counts.imports),
        ints.take(counts.problems),
    )
    imported = strings[imports_at:problems_at]
    imports = zip(imported[::3], imported[1::3], imported[2::3], import_lines, map(bool, reexports), strict=True)
    return FileFacts(
        language=packed.language,
        content_hash=packed.content_hash,
        size=counts.size,
        lines=counts.lines,
        names=tuple(strings[_FIXED_STRINGS:terms_at]),
        symbols=symbols,
        references=references,
        bindings=bindings,
        imports=tuple(starmap(Import, imports)),
        chunks=ChunkColumns(**chunk_columns, first=first),
        terms=tuple(strings[terms_at:imports_at]),
        term=term,
        term_count=term_count,
        package=packed.package,
        project=tuple(zip(strings[project_at::2], strings[project_at + 1 :: 2], strict=True)),
        problems=tuple(map(Problem, problem_lines, strings[problems_at:project_at])),
        flags=FactFlag(counts.flags),
    )


def _width(group: _Group) -> int:
    return len(group[0]) + len(group[1])


def _block(columns: object, group: _Group) -> Ints:
    plain, rising = group
    first: array[int] = getattr(columns, plain[0])
    block = np.empty((_width(group), len(first)), dtype=np.int32)
    for row, name in enumerate(plain + rising):
        block[row] = getattr(columns, name)
    block[len(plain) :, 1:] -= block[len(plain) :, :-1]
    return block.ravel()


class _IntegerReader:
    """Takes columns off the front of the integers of packed facts, differences summed up."""

    __slots__ = ("_at", "_ints")

    def __init__(self, packed: PackedFacts) -> None:
        # All columns are made in one run and then cut: a numpy call costs more than a file's column is long.
        ints = packed.ints.astype(np.int32)
        at = 0
        counts = packed.counts
        for count, (plain, rising) in (
            (counts.symbols, _SYMBOLS),
            (counts.references, _REFERENCES),
            (counts.bindings, _BINDINGS),
            (counts.chunks, _CHUNKS),
        ):
            at += count * len(plain)
            block = ints[at : at + count * len(rising)].reshape(len(rising), count)
            block.cumsum(axis=1, out=block)
            at += count * len(rising)
        firsts = ints[at : at + counts.firsts]
        firsts.cumsum(out=firsts)
        self._ints = array("i")
        self._ints.frombytes(ints.data.cast("B"))
        self._at = 0

    def take(self, count: int) -> array[int]:
        return self._ints[self._step(count) : self._at]

    def columns(self, count: int, group: _Group) -> dict[str, array[int]]:
        names = group[0] + group[1]
        start = self._step(count * len(names))
        ints = self._ints
        starts = range(start, self._at, count) if count else (start,) * len(names)
        return {name: ints[at : at + count] for name, at in zip(names, starts, strict=True)}

    def _step(self, count: int) -> int:
        start = self._at
        self._at += count
        if self._at > len(self._ints):
            raise ValueError("columns end early")
        return start
