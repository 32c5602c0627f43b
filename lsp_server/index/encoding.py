"""FileFacts ↔ compact bytes: what travels from worker processes and rests in the store.

Layout: magic, version, then one zlib stream of: a fixed header of counts, all integer columns as one
run, all strings as one run. Integers that rise along a column are stored as differences, signed ones
zigzag-folded, and the whole run is split into byte planes (all lowest bytes first): the upper planes
are absent or nearly all zero, so the fastest zlib level suffices. Facts depend on content and
extractor only, so equal facts give equal bytes.
"""

from __future__ import annotations

import json
import struct
import zlib
from array import array
from collections.abc import Sequence

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

ENCODING_VERSION = 1
_MAGIC = b"RCF"
_LEVEL = 1
_PREFIX = len(_MAGIC) + 1
_HEADER = struct.Struct("<B15I")
_PLANES = 0x07
_JSON_TEXT = 0x80
_SEPARATOR = "\0"

# Columns of each group; the rising ones first, so that differences are one block operation.
_SYMBOL_RISING = ("start", "end", "doc", "body", "name_line", "parent")
_SYMBOL_PLAIN = ("name", "kind", "flags", "owner", "name_column")
_REFERENCE_RISING = ("line", "symbol")
_REFERENCE_PLAIN = ("name", "kind", "column", "receiver")
_BINDING_RISING = ("line", "symbol")
_BINDING_PLAIN = ("name", "type")
_CHUNK_RISING = ("start", "end", "symbol")
_CHUNK_PLAIN = ("kind", "length", "bytes")

Ints = npt.NDArray[np.int32]


class FactsCorrupt(RepoContextError):
    """The bytes are not facts of this encoding version. The caller extracts the file again."""


def encode_facts(facts: FileFacts) -> bytes:
    """`facts` as bytes of this ENCODING_VERSION."""
    ints = np.concatenate(_integer_runs(facts))
    strings = _strings(facts)
    text, json_text = _join(strings)
    planes, plane_bits = _to_planes(ints)
    body = text.encode("utf-8", "surrogatepass")
    header = _HEADER.pack(
        plane_bits | json_text,
        len(facts.symbols),
        len(facts.references),
        len(facts.bindings),
        len(facts.chunks),
        len(facts.chunks.first),
        len(facts.term),
        len(facts.names),
        len(facts.terms),
        len(facts.imports),
        len(facts.problems),
        facts.size,
        facts.lines,
        int(facts.flags),
        len(ints),
        len(body),
    )
    return _MAGIC + bytes((ENCODING_VERSION,)) + zlib.compress(b"".join((header, planes, body)), _LEVEL)


def decode_facts(data: bytes) -> FileFacts:
    """The facts in `data`; raises FactsCorrupt when they are damaged or of another version."""
    if data[:_PREFIX] != _MAGIC + bytes((ENCODING_VERSION,)):
        raise FactsCorrupt("not facts of this encoding version")
    try:
        return _decode_body(zlib.decompress(memoryview(data)[_PREFIX:]))
    except (zlib.error, struct.error, ValueError, IndexError, TypeError) as error:
        raise FactsCorrupt(f"damaged facts: {error}") from error


def _block(group: object, rising: tuple[str, ...], plain: tuple[str, ...]) -> Ints:
    block = np.array([getattr(group, name) for name in rising + plain], dtype=np.int32)
    if block.shape[1] > 1:
        head = block[: len(rising)]
        head[:, 1:] = np.diff(head, axis=1)
    return block.ravel()


def _integer_runs(facts: FileFacts) -> list[Ints]:
    return [
        _block(facts.symbols, _SYMBOL_RISING, _SYMBOL_PLAIN),
        _block(facts.references, _REFERENCE_RISING, _REFERENCE_PLAIN),
        _block(facts.bindings, _BINDING_RISING, _BINDING_PLAIN),
        _block(facts.chunks, _CHUNK_RISING, _CHUNK_PLAIN),
        np.diff(np.asarray(facts.chunks.first, dtype=np.int32), prepend=np.int32(0)),
        np.asarray(facts.term, dtype=np.int32),
        np.asarray(facts.term_count, dtype=np.int32),
        np.array([entry.line for entry in facts.imports], dtype=np.int32),
        np.array([entry.reexport for entry in facts.imports], dtype=np.int32),
        np.array([entry.line for entry in facts.problems], dtype=np.int32),
    ]


def _strings(facts: FileFacts) -> list[str]:
    strings = [facts.language, facts.content_hash, facts.package, *facts.names, *facts.terms]
    for entry in facts.imports:
        strings += (entry.module, entry.name, entry.alias)
    strings += [entry.message for entry in facts.problems]
    return strings


def _join(strings: Sequence[str]) -> tuple[str, int]:
    text = _SEPARATOR.join(strings)
    if text.count(_SEPARATOR) != len(strings) - 1:
        return json.dumps(strings), _JSON_TEXT
    return text, 0


def _to_planes(ints: Ints) -> tuple[bytes, int]:
    folded = ((ints << 1) ^ (ints >> 31)).astype("<u4")
    columns = folded.view(np.uint8).reshape(-1, 4)
    widest = int(folded.max(initial=0))
    planes = [np.ascontiguousarray(columns[:, 0]).tobytes()]
    bits = 0
    for plane in (1, 2, 3):
        if widest >> (8 * plane):
            planes.append(np.ascontiguousarray(columns[:, plane]).tobytes())
            bits = plane
    return b"".join(planes), bits


def _from_planes(data: memoryview, count: int, planes: int) -> Ints:
    columns = np.zeros((count, 4), dtype=np.uint8)
    for plane in range(planes + 1):
        columns[:, plane] = np.frombuffer(data[plane * count : (plane + 1) * count], dtype=np.uint8)
    folded = columns.reshape(-1).view("<u4").astype(np.uint32)
    return ((folded >> np.uint32(1)) ^ (np.uint32(0) - (folded & np.uint32(1)))).view(np.int32)


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

    def columns(self, count: int, rising: tuple[str, ...], plain: tuple[str, ...]) -> dict[str, array[int]]:
        names = rising + plain
        block = self.take(count * len(names)).reshape(len(names), count)
        np.cumsum(block[: len(rising)], axis=1, out=block[: len(rising)], dtype=np.int32)
        return {name: _array(block[row]) for row, name in enumerate(names)}


def _array(column: Ints) -> array[int]:
    values = array("i")
    values.frombytes(column.data.cast("B") if len(column) else b"")
    return values


def _decode_body(body: bytes) -> FileFacts:
    (
        bits,
        symbols,
        references,
        bindings,
        chunks,
        firsts,
        terms_used,
        names,
        terms,
        imports,
        problems,
        size,
        lines,
        flags,
        int_count,
        text_size,
    ) = _HEADER.unpack_from(body)
    planes = bits & _PLANES
    rest = memoryview(body)[_HEADER.size :]
    text_at = int_count * (planes + 1)
    if len(rest) != text_at + text_size or planes > 3:
        raise ValueError("lengths do not add up")
    ints = _IntegerReader(_from_planes(rest[:text_at], int_count, planes))
    text = str(rest[text_at:], "utf-8", "surrogatepass")
    strings: list[str] = json.loads(text) if bits & _JSON_TEXT else text.split(_SEPARATOR)
    if len(strings) != 3 + names + terms + 3 * imports + problems:
        raise ValueError("strings do not add up")
    terms_at = 3 + names
    imports_at = terms_at + terms
    problems_at = imports_at + 3 * imports
    symbol_columns = SymbolColumns(**ints.columns(symbols, _SYMBOL_RISING, _SYMBOL_PLAIN))
    reference_columns = ReferenceColumns(**ints.columns(references, _REFERENCE_RISING, _REFERENCE_PLAIN))
    binding_columns = BindingColumns(**ints.columns(bindings, _BINDING_RISING, _BINDING_PLAIN))
    chunk_rows = ints.columns(chunks, _CHUNK_RISING, _CHUNK_PLAIN)
    first = _array(np.cumsum(ints.take(firsts), dtype=np.int32))
    term, term_count = _array(ints.take(terms_used)), _array(ints.take(terms_used))
    import_lines, reexports = ints.take(imports).tolist(), ints.take(imports).tolist()
    problem_lines: list[int] = ints.take(problems).tolist()
    return FileFacts(
        language=strings[0],
        content_hash=strings[1],
        size=size,
        lines=lines,
        names=tuple(strings[3:terms_at]),
        symbols=symbol_columns,
        references=reference_columns,
        bindings=binding_columns,
        imports=tuple(
            Import(*strings[imports_at + 3 * row : imports_at + 3 * row + 3], line=line, reexport=bool(reexport))
            for row, (line, reexport) in enumerate(zip(import_lines, reexports, strict=True))
        ),
        chunks=ChunkColumns(**chunk_rows, first=first),
        terms=tuple(strings[terms_at:imports_at]),
        term=term,
        term_count=term_count,
        package=strings[2],
        problems=tuple(map(Problem, problem_lines, strings[problems_at:])),
        flags=FactFlag(flags),
    )
