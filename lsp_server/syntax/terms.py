"""Search terms of all chunks of a file at once.

The words of the whole text are found in one scan, each distinct word is split once, and numpy counts
the terms of all chunks together: a loop over words for each chunk took as long as parsing.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

from lsp_server.text.words import split_identifier

from .fingerprints import distinct, fingerprints

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]

_IS_WORD = bytes(code >= 0x80 or chr(code).isalnum() or code == 0x5F for code in range(256))
"""1 for each byte of a word (see text.words), at its code."""


@dataclass(frozen=True, slots=True)
class TermColumns:
    """The terms of some spans of a text: entries `first[i]..first[i + 1] - 1` of `term` (an index into
    `words`, ascending) and `count` are those of span i, `length[i]` is the sum of its counts."""

    words: tuple[str, ...]
    first: array[int]
    term: array[int]
    count: array[int]
    length: array[int]


def count_terms(source: bytes, starts: Sequence[int], ends: Sequence[int]) -> TermColumns:
    """Terms of the spans `starts[i]..ends[i]` (bytes, end exclusive, ascending, apart) of UTF-8 `source`.

    A span begins where no word goes on. A word that its end cuts does not count.
    """
    marks = np.frombuffer(b"".join((b"\0", source.translate(_IS_WORD), b"\0")), dtype=np.uint8)
    edges = np.flatnonzero(marks[1:] != marks[:-1])
    word_starts, word_ends = edges[::2], edges[1::2]
    low = word_starts.searchsorted(starts)
    sizes = word_ends.searchsorted(ends, side="right") - low
    spans = np.repeat(np.arange(len(sizes)), sizes)
    if len(spans) != len(word_starts):  # words between spans or behind a limit
        inside = np.arange(len(spans)) + np.repeat(low - (np.cumsum(sizes) - sizes), sizes)
        word_starts, word_ends = word_starts[inside], word_ends[inside]
    words = distinct(fingerprints(source, word_starts, word_ends))
    bounds = zip(word_starts[words.first].tolist(), word_ends[words.first].tolist(), strict=True)
    if source.isascii():
        text = source.decode("ascii")
        written = [text[start:end] for start, end in bounds]
    else:
        written = [source[start:end].decode("utf-8", "replace") for start, end in bounds]
    return _counted(list(map(split_identifier, written)), words.number, spans, len(sizes))


def _counted(parts: list[tuple[str, ...]], words: Longs, spans: Longs, span_count: int) -> TermColumns:
    """Count the terms of words: word i stands in `spans[i]` and has the terms `parts[words[i]]`."""
    flat = list(chain.from_iterable(parts))
    terms = tuple(dict.fromkeys(flat))
    term_of = _places(flat, terms)
    part_counts = np.fromiter(map(len, parts), np.int64, len(parts))
    part_starts = part_counts.cumsum() - part_counts
    counts = part_counts[words]
    # Entry k of a word is term_of[part_start + k]: one run of entries over all words.
    entries = np.repeat(part_starts[words] - (counts.cumsum() - counts), counts)
    entries += np.arange(len(entries))
    keys = np.repeat(spans * len(terms), counts)
    keys += term_of[entries]
    keys.sort()
    fresh = np.flatnonzero(keys[1:] != keys[:-1]) + 1
    firsts = np.concatenate((_ZERO[: len(keys)], fresh))
    span_starts = np.arange(span_count + 1) * len(terms)
    chosen = keys[firsts]
    first = chosen.searchsorted(span_starts)
    return TermColumns(
        terms,
        column(first),
        column(chosen - np.repeat(span_starts[:-1], np.diff(first))),
        column(np.diff(firsts, append=len(keys))),
        column(np.diff(keys.searchsorted(span_starts))),
    )


_ZERO = np.zeros(1, dtype=np.int64)


def _places(words: Sequence[str], distinct: Sequence[str]) -> Longs:
    """The place in `distinct` of each of `words`."""
    place = dict(zip(distinct, range(len(distinct)), strict=True))
    return np.fromiter(map(place.__getitem__, words), np.int64, len(words))


def column(values: Longs) -> array[int]:
    """`values` as a column of facts."""
    found = array("i")
    found.frombytes(values.astype(np.int32).tobytes())
    return found
