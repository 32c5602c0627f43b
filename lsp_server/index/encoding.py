"""FileFacts ↔ compact bytes: what travels from worker processes and rests in the store.

Layout: magic, version, then one zlib stream of: a fixed header of counts, all integer columns as one
run, all strings as one run. Integers that rise along a column are stored as differences, signed ones
zigzag-folded, and the whole run is split into byte planes (all lowest bytes first): the upper planes
are absent or nearly all zero, so the fastest zlib level suffices. Facts depend on content and
extractor only, so equal facts give equal bytes.

`PackedFacts` is the half-way form: the index builds its columns from it without making `FileFacts`.
"""

from __future__ import annotations

import json
import struct
import zlib
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..model.errors import RepoContextError
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

ENCODING_VERSION = 2
_PREFIX = b"RCF" + bytes((ENCODING_VERSION,))
_LEVEL = 1
_HEADER = struct.Struct("<B14I2I")
_PLANES = 0x03
_JSON_TEXT = 0x80
_SEPARATOR = "\0"
_FIXED_STRINGS = 3

# Columns of each group: plain ones first, then the rising ones, so that differences are one block operation.
_SYMBOLS = ("name", "kind", "flags", "owner", "name_column"), ("start", "end", "doc", "body", "name_line", "parent")
_REFERENCES = ("name", "kind", "column", "receiver"), ("line", "symbol")
_BINDINGS = ("name", "type"), ("line", "symbol")
_CHUNKS = ("kind", "length", "bytes"), ("start", "end", "symbol")
_Group = tuple[tuple[str, ...], tuple[str, ...]]

Ints = npt.NDArray[np.int32]


class FactsCorrupt(RepoContextError):
    """The bytes are not facts of this encoding version. The caller extracts the file again."""


class _Counts(NamedTuple):
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


class ChunkRows(NamedTuple):
    """Chunk columns the index keeps. `postings` is the number of distinct terms of each chunk."""

    start: Ints
    end: Ints
    symbol: Ints
    length: Ints
    postings: Ints


@dataclass(frozen=True, slots=True, eq=False)
class PackedFacts:
    """Facts as one run of integers (rising columns as differences) and one list of strings."""

    counts: _Counts
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
        count = self.counts.postings
        start = self._chunks_at + _width(_CHUNKS) * self.counts.chunks + self.counts.firsts
        return self.ints[start : start + count], self.ints[start + count : start + 2 * count]

    @property
    def imported(self) -> list[tuple[str, str]]:
        """Module and name of every import."""
        start = _FIXED_STRINGS + self.counts.names + self.counts.terms
        strings = self.strings[start : start + 3 * self.counts.imports]
        return list(zip(strings[::3], strings[1::3], strict=True))

    @property
    def _chunks_at(self) -> int:
        counts = self.counts
        return (
            _width(_SYMBOLS) * counts.symbols
            + _width(_REFERENCES) * counts.references
            + _width(_BINDINGS) * counts.bindings
        )


def encode_facts(facts: FileFacts) -> bytes:
    """`facts` as bytes of this ENCODING_VERSION."""
    return encode_packed(pack_facts(facts))


def decode_facts(data: bytes) -> FileFacts:
    """The facts in `data`; raises FactsCorrupt when they are damaged or of another version."""
    try:
        return unpack_facts(decode_packed(data))
    except (ValueError, IndexError, TypeError) as error:
        raise FactsCorrupt(f"damaged facts: {error}") from error


def encode_packed(packed: PackedFacts) -> bytes:
    """`packed` as bytes."""
    text, json_text = _join(packed.strings)
    planes, plane_bits = _to_planes(packed.ints)
    body = text.encode("utf-8", "surrogatepass")
    header = _HEADER.pack(plane_bits | json_text, *packed.counts, len(packed.ints), len(body))
    return _PREFIX + zlib.compress(b"".join((header, planes, body)), _LEVEL)


def decode_packed(data: bytes) -> PackedFacts:
    """The packed facts in `data`; raises FactsCorrupt when they are damaged or of another version."""
    if data[: len(_PREFIX)] != _PREFIX:
        raise FactsCorrupt("not facts of this encoding version")
    try:
        return _split_body(zlib.decompress(memoryview(data)[len(_PREFIX) :]))
    except (zlib.error, struct.error, ValueError, TypeError) as error:
        raise FactsCorrupt(f"damaged facts: {error}") from error


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
    counts = _Counts(
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
    ints = _IntegerReader(packed.ints)
    terms_at = _FIXED_STRINGS + counts.names
    imports_at = terms_at + counts.terms
    problems_at = imports_at + 3 * counts.imports
    project_at = problems_at + counts.problems
    symbols = SymbolColumns(**ints.columns(counts.symbols, _SYMBOLS))
    references = ReferenceColumns(**ints.columns(counts.references, _REFERENCES))
    bindings = BindingColumns(**ints.columns(counts.bindings, _BINDINGS))
    chunk_columns = ints.columns(counts.chunks, _CHUNKS)
    first = _array(np.cumsum(ints.take(counts.firsts), dtype=np.int32))
    term, term_count = _array(ints.take(counts.postings)), _array(ints.take(counts.postings))
    import_lines: list[int] = ints.take(counts.imports).tolist()
    reexports: list[int] = ints.take(counts.imports).tolist()
    problem_lines: list[int] = ints.take(counts.problems).tolist()
    return FileFacts(
        language=packed.language,
        content_hash=packed.content_hash,
        size=counts.size,
        lines=counts.lines,
        names=tuple(strings[_FIXED_STRINGS:terms_at]),
        symbols=symbols,
        references=references,
        bindings=bindings,
        imports=tuple(
            Import(*strings[imports_at + 3 * row : imports_at + 3 * row + 3], line=line, reexport=bool(reexport))
            for row, (line, reexport) in enumerate(zip(import_lines, reexports, strict=True))
        ),
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


def _join(strings: Sequence[str]) -> tuple[str, int]:
    text = _SEPARATOR.join(strings)
    if text.count(_SEPARATOR) != len(strings) - 1:
        return json.dumps(strings), _JSON_TEXT
    return text, 0


def _to_planes(ints: Ints) -> tuple[bytes, int]:
    folded = ((ints << 1) ^ (ints >> 31)).astype("<u4", copy=False)
    columns = folded.view(np.uint8).reshape(-1, 4)
    top = int(folded.view("<u4").max(initial=0))
    planes = max(0, (top.bit_length() - 1) // 8)
    return columns[:, : planes + 1].T.tobytes(), planes


def _from_planes(data: memoryview, count: int, planes: int) -> Ints:
    columns = np.frombuffer(data, dtype=np.uint8).reshape(planes + 1, count)
    folded = columns[0].astype(np.uint32)
    for plane in range(1, planes + 1):
        folded |= columns[plane].astype(np.uint32) << np.uint32(8 * plane)
    return ((folded >> np.uint32(1)) ^ (np.uint32(0) - (folded & np.uint32(1)))).view(np.int32)


def _split_body(body: bytes) -> PackedFacts:
    bits, *numbers, int_count, text_size = _HEADER.unpack_from(body)
    counts = _Counts(*numbers)
    planes = bits & _PLANES
    rest = memoryview(body)[_HEADER.size :]
    text_at = int_count * (planes + 1)
    expected_ints = (
        _width(_SYMBOLS) * counts.symbols
        + _width(_REFERENCES) * counts.references
        + _width(_BINDINGS) * counts.bindings
        + _width(_CHUNKS) * counts.chunks
        + counts.firsts
        + 2 * counts.postings
        + 2 * counts.imports
        + counts.problems
    )
    if len(rest) != text_at + text_size or int_count != expected_ints:
        raise ValueError("lengths do not add up")
    text = str(rest[text_at:], "utf-8", "surrogatepass")
    strings: list[str] = json.loads(text) if bits & _JSON_TEXT else text.split(_SEPARATOR)
    rows = counts.names + counts.terms + 3 * counts.imports + counts.problems + 2 * counts.project
    if len(strings) != _FIXED_STRINGS + rows:
        raise ValueError("strings do not add up")
    return PackedFacts(counts, _from_planes(rest[:text_at], int_count, planes), strings)


class _IntegerReader:
    """Takes columns off the front of one run of integers."""

    __slots__ = ("_at", "_ints")

    def __init__(self, ints: Ints) -> None:
        self._ints = ints
        self._at = 0

    def take(self, count: int) -> Ints:
        part = self._ints[self._at : self._at + count]
        if len(part) != count:
            raise ValueError("columns end early")
        self._at += count
        return part

    def columns(self, count: int, group: _Group) -> dict[str, array[int]]:
        plain, rising = group
        block = self.take(count * _width(group)).reshape(_width(group), count)
        summed = np.cumsum(block[len(plain) :], axis=1, dtype=np.int32)
        found = {name: _array(block[row]) for row, name in enumerate(plain)}
        found.update((name, _array(summed[row])) for row, name in enumerate(rising))
        return found


def _array(column: Ints) -> array[int]:
    values = array("i")
    values.frombytes(column.tobytes())
    return values
