"""FileFacts ↔ compact bytes: what travels from worker processes and rests in the store.

Layout: magic, version, then one zlib stream of: a fixed header of counts, all integer columns as one
run, all strings as one run. Integers that rise along a column are stored as differences, signed ones
zigzag-folded, and the whole run is split into byte planes (all lowest bytes first): the upper planes
are absent or nearly all zero, so the fastest zlib level suffices. Facts depend on content and
extractor only, so equal facts give equal bytes.

`packed` holds the form in which columns and strings are one run each.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..model.errors import RepoContextError
from ..model.facts import FileFacts
from .packed import FactCounts, Ints, PackedFacts, pack_facts, unpack_facts

ENCODING_VERSION = 2
_PREFIX = b"RCF" + bytes((ENCODING_VERSION,))
_LEVEL = 1
_HEADER = struct.Struct("<B14I2I")
_PLANES = 0x03
_JSON_TEXT = 0x80
_SEPARATOR = "\0"


class FactsCorrupt(RepoContextError):
    """The bytes are not facts of this encoding version. The caller extracts the file again."""


def encode_facts(facts: FileFacts) -> bytes:
    """`facts` as bytes of this ENCODING_VERSION."""
    return encode_packed(pack_facts(facts))


def decode_facts(data: bytes) -> FileFacts:
    """The facts in `data`; raises FactsCorrupt when they are damaged or of another version."""
    try:
        return unpack_facts(decode_packed(data))
    except (ValueError, IndexError, TypeError) as error:
        raise FactsCorrupt(f"damaged facts: {error}") from error


def decode_code(data: bytes) -> FileFacts:
    """The same without search terms: `terms`, `term` and `term_count` are empty.

    They are half of all facts, and of the files around a failure nobody asks for them.
    """
    try:
        return unpack_facts(_code(_body(data)))
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
    try:
        return _whole(_body(data))
    except (ValueError, TypeError) as error:
        raise FactsCorrupt(f"damaged facts: {error}") from error


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


def _from_planes(columns: npt.NDArray[np.uint8]) -> Ints:
    """Integers from their planes, the lowest first."""
    folded = columns[0].astype(np.uint32)
    for plane in range(1, len(columns)):
        folded |= columns[plane].astype(np.uint32) << np.uint32(8 * plane)
    return ((folded >> np.uint32(1)) ^ (np.uint32(0) - (folded & np.uint32(1)))).view(np.int32)


class _Body(NamedTuple):
    """Encoded facts, unzipped: integers as planes, strings as one text, which may be JSON."""

    counts: FactCounts
    planes: npt.NDArray[np.uint8]
    text: str
    is_json: bool


def _body(data: bytes) -> _Body:
    if data[: len(_PREFIX)] != _PREFIX:
        raise FactsCorrupt("not facts of this encoding version")
    try:
        body = zlib.decompress(memoryview(data)[len(_PREFIX) :])
        bits, *numbers, int_count, text_size = _HEADER.unpack_from(body)
    except (zlib.error, struct.error) as error:
        raise FactsCorrupt(f"damaged facts: {error}") from error
    counts = FactCounts(*numbers)
    planes = (bits & _PLANES) + 1
    rest = memoryview(body)[_HEADER.size :]
    text_at = int_count * planes
    if len(rest) != text_at + text_size or int_count != counts.integer_count:
        raise ValueError("lengths do not add up")
    columns = np.frombuffer(rest[:text_at], dtype=np.uint8).reshape(planes, int_count)
    return _Body(counts, columns, str(rest[text_at:], "utf-8", "surrogatepass"), bool(bits & _JSON_TEXT))


def _whole(body: _Body) -> PackedFacts:
    strings: list[str] = json.loads(body.text) if body.is_json else body.text.split(_SEPARATOR)
    if len(strings) != body.counts.string_count:
        raise ValueError("strings do not add up")
    return PackedFacts(body.counts, _from_planes(body.planes), strings)


def _code(body: _Body) -> PackedFacts:
    """Without terms and postings, which are never taken apart."""
    counts = body.counts
    if body.is_json or body.text.count(_SEPARATOR) + 1 != counts.string_count:
        strings = list(_whole(body).strings)
        del strings[counts.terms_at : counts.terms_at + counts.terms]
    else:
        strings = body.text.split(_SEPARATOR, counts.terms_at)
        # What is left is one piece: the terms, then what stands behind them.
        rest = strings.pop() if len(strings) > counts.terms_at else ""
        behind = counts.string_count - counts.terms_at - counts.terms
        strings += rest.rsplit(_SEPARATOR, behind)[-behind:] if behind else ()
    at = counts.postings_at
    kept = np.concatenate((body.planes[:, :at], body.planes[:, at + 2 * counts.postings :]), axis=1)
    return PackedFacts(counts._replace(postings=0, terms=0), _from_planes(kept), strings)
