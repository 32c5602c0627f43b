"""Index image: a whole index of disk files as one run of bytes, ready to answer as soon as it is read.

Layout: magic, checksum of all that follows, size of a JSON header, the header, then columns, each at a
multiple of 8 bytes. Nothing is decoded when an image is opened but one row a file; facts stay encoded
until somebody looks at a file, and strings are found in place. An image holds files of the disk only: the
texts of open buffers, and the words that only they use, are left out when it is made.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
import numpy.typing as npt

from ..model.candidate import Origin
from ..model.errors import RepoContextError
from ..model.source import Checkpoint, no_checkpoint
from ..model.values import Record, Value
from .compaction import merge_parts
from .encoding import ENCODING_VERSION
from .entry import FactsSlice, FileEntry, PathFlag
from .frozen_strings import FrozenStrings
from .inverted import InvertedLists
from .results import Totals
from .segment import ChunkTable, Part, Segment
from .snapshot import Snapshot
from .vocabulary import Vocabulary

IMAGE_VERSION = 1
"""Raise it when the layout changes, what segments hold, or how paths are classified."""

_MAGIC = b"RCIMAGE" + bytes((IMAGE_VERSION, ENCODING_VERSION))
_HEAD = struct.Struct("<16sIQ")
_ALIGN = 8
_SEPARATOR = "\0"
_LISTS = ("definitions", "references", "terms", "basenames", "packages", "imports", "renamed")
_SEGMENT_COLUMNS = ("first_symbol", "first_reference", "first_chunk", "reference_kinds")
_CHUNK_COLUMNS = ("start", "end", "symbol", "length")
_LIST_COLUMNS = ("keys", "starts", "values", "counts")


class ImageCorrupt(RepoContextError):
    """The bytes are no image of this version. The caller indexes without it."""


class Stamp(NamedTuple):
    """A file as it was when its facts were made: size in bytes, times in nanoseconds.

    `noted_ns` is a time not later than when it was read, 0 when that is not known.
    """

    size: int
    mtime_ns: int
    noted_ns: int


class Refusal(Value):
    """A file that has no facts, with the reason."""

    path: str
    stamp: Stamp
    reason: str


class IndexImage(Record):
    """What an image holds. `stamps` runs beside `segment.paths`, `documents` are document frequencies by term."""

    segment: Segment
    vocabulary: Vocabulary
    entries: Sequence[FileEntry]
    stamps: Sequence[Stamp]
    documents: npt.NDArray[np.int32]
    totals: Totals
    refusals: Sequence[Refusal]


def encode_image(
    snapshot: Snapshot,
    stamps: Mapping[str, Stamp],
    refusals: Iterable[Refusal],
    checkpoint: Checkpoint = no_checkpoint,
) -> Sequence[bytes | memoryview] | None:
    """The image of all disk files of `snapshot`, as pieces to be written one after the other.

    None when there is nothing to hold. Files without a stamp are looked at again when the image is opened.
    """
    segment = merge_parts([_of_disk(part, snapshot) for part in snapshot.parts], checkpoint).segment
    if segment is None:
        return None
    checkpoint()
    used = np.zeros(len(snapshot.vocabulary), dtype=np.bool_)
    for lists in segment.lists():
        used[lists.keys] = True
    strings = FrozenStrings.of(snapshot.vocabulary.strings(np.flatnonzero(used).tolist()))
    segment = segment.renumbered((np.cumsum(used) - 1).astype(np.int32))
    checkpoint()
    columns = _Columns()
    entries = [snapshot.entries.get(path) for path in segment.paths]
    kept = [entry for entry in entries if entry is not None]
    languages = list(dict.fromkeys(entry.language for entry in kept))
    _add_files(columns, kept, languages, stamps)
    _add_segment(columns, segment)
    columns.add_bytes("strings", bytes(strings.text))
    for name in ("starts", "hashes", "order"):
        columns.add("strings." + name, getattr(strings, name))
    documents = np.zeros(len(strings), dtype=np.int32)
    documents[segment.terms.keys] = segment.terms.lengths
    columns.add("documents", documents)
    header = {
        "languages": languages,
        "totals": _totals(segment, kept),
        "refusals": [[each.path, *_row(each.stamp), each.reason] for each in refusals],
        "columns": columns.places,
    }
    return _framed(header, columns)


def decode_image(data: bytes) -> IndexImage:
    """The image in `data`, which it goes on using. Raises ImageCorrupt."""
    view = memoryview(data)
    try:
        magic, checksum, size = _HEAD.unpack_from(view)
        if magic.rstrip(b"\0") != _MAGIC:
            raise ImageCorrupt("not an image of this version")
        if crc32(view[_HEAD.size :]) != checksum:
            raise ImageCorrupt("the image does not match its checksum")
        header = json.loads(bytes(view[_HEAD.size : _HEAD.size + size]))
        return _opened(header, _Reader(view[_aligned(_HEAD.size + size) :], header["columns"]))
    except (struct.error, ValueError, KeyError, TypeError, IndexError) as error:
        raise ImageCorrupt(f"damaged image: {error}") from error


# Writing


class _Columns:
    """Columns in the order of their adding, and where each begins."""

    def __init__(self) -> None:
        self.places: dict[str, tuple[str, int, int]] = {}
        self.pieces: list[bytes | memoryview] = []
        self._at = 0

    def add(self, name: str, column: npt.NDArray[Any]) -> None:
        self._append(name, column.dtype.str, len(column), np.ascontiguousarray(column).view(np.uint8).data)

    def add_bytes(self, name: str, data: bytes) -> None:
        self._append(name, "bytes", len(data), data)

    def add_strings(self, name: str, strings: Iterable[str]) -> None:
        self.add_bytes(name, _SEPARATOR.join(strings).encode("utf-8", "surrogatepass"))

    def _append(self, name: str, kind: str, count: int, data: bytes | memoryview) -> None:
        self.places[name] = (kind, self._at, count)
        padding = _aligned(len(data)) - len(data)
        self.pieces += [data, bytes(padding)] if padding else [data]
        self._at += len(data) + padding


def _framed(header: Mapping[str, Any], columns: _Columns) -> list[bytes | memoryview]:
    text = json.dumps(header).encode()
    padding = bytes(_aligned(_HEAD.size + len(text)) - _HEAD.size - len(text))
    checksum = crc32(text + padding)
    for piece in columns.pieces:
        checksum = crc32(piece, checksum)
    return [_HEAD.pack(_MAGIC, checksum, len(text)), text, padding, *columns.pieces]


def _of_disk(part: Part, snapshot: Snapshot) -> Part:
    """The part without what editors show, and without paths that cannot be written as text."""
    live = part.live
    doomed = [
        file
        for file, path in enumerate(part.segment.paths)
        if (live is None or live[file]) and not _storable(snapshot.entries.get(path))
    ]
    return part.without(doomed) if doomed else part


def _storable(entry: FileEntry | None) -> bool:
    return entry is not None and entry.origin is Origin.DISK and entry.encoded is not None


def _add_files(
    columns: _Columns, entries: Sequence[FileEntry], languages: Sequence[str], stamps: Mapping[str, Stamp]
) -> None:
    number = {language: place for place, language in enumerate(languages)}
    facts = [entry.encoded or b"" for entry in entries]
    columns.add_strings("paths", [entry.path for entry in entries])
    columns.add_strings("hashes", [entry.content_hash for entry in entries])
    columns.add("language", np.array([number[entry.language] for entry in entries], dtype=np.int32))
    columns.add("flags", np.array([int(entry.flags) for entry in entries], dtype=np.int32))
    columns.add("size", np.array([entry.size for entry in entries], dtype=np.int64))
    rows = [_row(stamps.get(entry.path, Stamp(entry.size, entry.mtime_ns, 0))) for entry in entries]
    columns.add("stamps", np.array(rows, dtype=np.int64).ravel())
    starts = np.zeros(len(facts) + 1, dtype=np.int64)
    np.cumsum([len(each) for each in facts], out=starts[1:])
    columns.add("facts.starts", starts)
    columns.add_bytes("facts", b"".join(facts))


def _row(stamp: Stamp) -> tuple[int, int, int]:
    return stamp.size, stamp.mtime_ns, stamp.noted_ns


def _add_segment(columns: _Columns, segment: Segment) -> None:
    for name in _SEGMENT_COLUMNS:
        columns.add(name, getattr(segment, name))
    for name in _CHUNK_COLUMNS:
        columns.add("chunks." + name, getattr(segment.chunks, name))
    for name in _LISTS:
        for column in _LIST_COLUMNS:
            columns.add(f"{name}.{column}", getattr(getattr(segment, name), column))


def _totals(segment: Segment, entries: Sequence[FileEntry]) -> dict[str, Any]:
    languages: dict[str, int] = {}
    for entry in entries:
        languages[entry.language] = languages.get(entry.language, 0) + 1
    return {
        "symbols": int(segment.first_symbol[-1]),
        "references": int(segment.first_reference[-1]),
        "chunks": int(segment.first_chunk[-1]),
        "chunk_length": int(segment.chunks.length.sum()),
        "source_bytes": sum(entry.size for entry in entries),
        "languages": dict(sorted(languages.items())),
    }


# Reading


class _Reader:
    """The columns behind a header."""

    def __init__(self, data: memoryview, places: Mapping[str, tuple[str, int, int]]) -> None:
        self._data = data
        self._places = places

    def column(self, name: str) -> npt.NDArray[Any]:
        kind, at, count = self._places[name]
        return np.frombuffer(self._data, dtype=kind, count=count, offset=at) if count else np.empty(0, dtype=kind)

    def bytes(self, name: str) -> memoryview:
        _, at, count = self._places[name]
        if at + count > len(self._data):
            raise ValueError("columns end early")
        return self._data[at : at + count]

    def strings(self, name: str) -> list[str]:
        return str(self.bytes(name), "utf-8", "surrogatepass").split(_SEPARATOR)


def _opened(header: Mapping[str, Any], reader: _Reader) -> IndexImage:
    paths = reader.strings("paths")
    strings = FrozenStrings(
        reader.bytes("strings"), *(reader.column("strings." + name) for name in ("starts", "hashes", "order"))
    )
    lists = {name: InvertedLists(*(reader.column(f"{name}.{each}") for each in _LIST_COLUMNS)) for name in _LISTS}
    segment = Segment(
        paths=tuple(paths),
        first_symbol=reader.column("first_symbol"),
        first_reference=reader.column("first_reference"),
        first_chunk=reader.column("first_chunk"),
        chunks=ChunkTable(*(reader.column("chunks." + name) for name in _CHUNK_COLUMNS)),
        reference_kinds=reader.column("reference_kinds"),
        definitions=lists["definitions"],
        references=lists["references"],
        terms=lists["terms"],
        basenames=lists["basenames"],
        packages=lists["packages"],
        imports=lists["imports"],
        renamed=lists["renamed"],
    )
    stamps = list(map(Stamp._make, reader.column("stamps").reshape(-1, 3).tolist()))
    if not len(paths) == len(stamps) == len(segment.first_chunk) - 1:
        raise ImageCorrupt("damaged image: files do not add up")
    totals = header["totals"]
    return IndexImage(
        segment=segment,
        vocabulary=Vocabulary(strings),
        entries=_entries(paths, stamps, header["languages"], reader),
        stamps=stamps,
        documents=reader.column("documents"),
        totals=Totals(**totals),
        refusals=[Refusal(path, Stamp(*stamp), reason) for path, *stamp, reason in header["refusals"]],
    )


def _entries(
    paths: Sequence[str], stamps: Sequence[Stamp], languages: Sequence[str], reader: _Reader
) -> list[FileEntry]:
    facts = reader.bytes("facts")
    starts: list[int] = reader.column("facts.starts").tolist()
    numbers: list[int] = reader.column("flags").tolist()
    flags = {number: PathFlag(number) for number in set(numbers)}
    places: list[int] = reader.column("language").tolist()
    sizes: list[int] = reader.column("size").tolist()
    columns = (
        paths,
        [flags[number] for number in numbers],
        repeat(Origin.DISK),
        repeat(None),
        [stamp.mtime_ns for stamp in stamps],
        reader.strings("hashes"),
        [languages[place] for place in places],
        sizes,
        map(FactsSlice, repeat(facts), starts, starts[1:]),
    )
    return list(map(FileEntry, *columns))


def _aligned(size: int) -> int:
    return -(-size // _ALIGN) * _ALIGN
