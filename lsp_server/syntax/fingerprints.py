"""Which of many short pieces of a text are equal, without an object for each.

A file has several times more words than distinct words. Eight bytes of all pieces at a time are mixed into
one 64-bit number a piece; equal pieces have equal numbers, and two different ones the same number about
once in 2^64 pairs. The mixing is the finaliser of MurmurHash3 (Austin Appleby, public domain).
"""

from __future__ import annotations

from hashlib import blake2b
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Longs = npt.NDArray[np.int64]
Hashes = npt.NDArray[np.uint64]

_MAX_BLOCKS = 3
"""Of eight bytes; the few longer pieces are hashed one by one."""

_FIRST, _SECOND, _NEXT = (np.uint64(k) for k in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53, 0x9E3779B97F4A7C15))
_HALF = np.uint64(32)
_EIGHT = np.arange(8)
_MASKS = np.array([(1 << 8 * size) - 1 for size in range(9)], dtype=np.uint64)


class Distinct(NamedTuple):
    """Distinct pieces in order of first occurrence: `first[k]` is the place of the first one that equals
    piece k, `number[i]` which of them piece i is."""

    first: Longs
    number: Longs


def fingerprints(source: bytes, starts: Longs, ends: Longs) -> Hashes:
    """A number for each piece `starts[i]..ends[i]` (end exclusive) of `source`."""
    data = np.frombuffer(source + bytes(8), dtype=np.uint8)
    sizes = ends - starts
    result = _mixed(_blocks(data, starts, sizes))
    longer = np.flatnonzero(sizes > 8)
    for offset in range(8, 8 * _MAX_BLOCKS, 8):
        if not len(longer):
            return result
        left = sizes[longer] - offset
        block = _mixed(_blocks(data, starts[longer] + offset, left))
        block += result[longer] * _NEXT
        result[longer] = block
        longer = longer[left > 8]
    for piece in longer.tolist():
        digest = blake2b(source[starts[piece] : ends[piece]], digest_size=8).digest()
        result[piece] = int.from_bytes(digest, "little")
    return result


def distinct(hashes: Hashes) -> Distinct:
    """The distinct ones of some pieces, by their fingerprints."""
    order = hashes.argsort()
    ordered = hashes[order]
    fresh = np.empty(len(order), dtype=np.bool_)
    fresh[:1] = True
    np.not_equal(ordered[1:], ordered[:-1], out=fresh[1:])
    groups = np.flatnonzero(fresh)
    if not len(groups):
        return Distinct(groups, groups)
    first = np.minimum.reduceat(order, groups)
    by_place = first.argsort()
    rank = np.empty_like(by_place)
    rank[by_place] = np.arange(len(rank))
    number = np.empty_like(order)
    number[order] = rank[fresh.cumsum() - 1]
    return Distinct(first[by_place], number)


def _blocks(data: npt.NDArray[np.uint8], starts: Longs, sizes: Longs) -> Hashes:
    """The next eight bytes of each piece, what lies behind its end cleared."""
    blocks = data[starts[:, None] + _EIGHT].view("<u8").ravel()
    blocks &= _MASKS[np.minimum(sizes, 8)]
    return blocks


def _mixed(blocks: Hashes) -> Hashes:
    blocks ^= blocks >> _HALF
    blocks *= _FIRST
    blocks ^= blocks >> _HALF
    blocks *= _SECOND
    blocks ^= blocks >> _HALF
    return blocks
