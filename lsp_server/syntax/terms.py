"""Search terms of all chunks of several files at once.

The words of all texts are found in one scan, each distinct word is split once, and numpy counts the terms
of all chunks together: a loop over words for each chunk took as long as parsing.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import chain
from operator import itemgetter

import numpy as np
import numpy.typing as npt

from lsp_server.model.values import Value
from lsp_server.text.words import split_identifier

from .columns import bases_of, sliced
from .fingerprints import distinct, fingerprints

Longs = npt.NDArray[np.int64]

_IS_WORD = bytes(code >= 0x80 or chr(code).isalnum() or code == 0x5F for code in range(256))
"""1 for each byte of a word (see text.words), at its code."""


class Spans(Value):
    """Spans of one text: `starts[i]..ends[i]` (bytes, end exclusive, ascending, apart) of UTF-8 `source`."""

    source: bytes
    starts: Sequence[int]
    ends: Sequence[int]


class TermColumns(Value):
    """The terms of the spans of a text: entries `first[i]..first[i + 1] - 1` of `term` (an index into `words`,
    which are in order of first use; ascending) and `count` are those of span i, `length[i]` sums its counts."""

    words: tuple[str, ...]
    first: array[int]
    term: array[int]
    count: array[int]
    length: array[int]


def count_terms(texts: Sequence[Spans]) -> list[TermColumns]:
    """The terms of all spans of each text. Some ten texts at once cost half of what they cost one by one.

    A span begins where no word goes on. A word that its end cuts does not count.
    """
    source = b"\0".join([text.source for text in texts])
    counts = np.array([len(text.starts) for text in texts], dtype=np.int64)
    bases = np.repeat(bases_of([text.source for text in texts]), counts)
    starts = np.array([start for text in texts for start in text.starts], dtype=np.int64) + bases
    ends = np.array([end for text in texts for end in text.ends], dtype=np.int64) + bases
    marks = np.frombuffer(b"".join((b"\0", source.translate(_IS_WORD), b"\0")), dtype=np.uint8)
    edges = np.flatnonzero(marks[1:] != marks[:-1])
    word_starts, word_ends = edges[::2], edges[1::2]
    low = word_starts.searchsorted(starts)
    sizes = word_ends.searchsorted(ends, side="right") - low
    spans = np.repeat(np.arange(len(sizes)), sizes)
    if len(spans) != len(word_starts):  # words between spans or behind a limit
        inside = np.arange(len(spans)) + np.repeat(low - (sizes.cumsum() - sizes), sizes)
        word_starts, word_ends = word_starts[inside], word_ends[inside]
    words = distinct(fingerprints(source, word_starts, word_ends))
    bounds = zip(word_starts[words.first].tolist(), word_ends[words.first].tolist(), strict=True)
    if source.isascii():
        text = source.decode("ascii")
        written = [text[start:end] for start, end in bounds]
    else:
        written = [source[start:end].decode("utf-8", "replace") for start, end in bounds]
    return _counted(list(map(split_identifier, written)), words.number, spans, counts)


def _counted(parts: list[tuple[str, ...]], words: Longs, spans: Longs, span_counts: Longs) -> list[TermColumns]:
    """Count the terms of words: word i stands in `spans[i]` and has the terms `parts[words[i]]`; text k has the
    next `span_counts[k]` spans."""
    flat = list(chain.from_iterable(parts))
    terms = tuple(dict.fromkeys(flat))
    place = dict(zip(terms, range(len(terms)), strict=True))
    term_of = np.fromiter(map(place.__getitem__, flat), np.int64, len(flat))
    part_counts = np.fromiter(map(len, parts), np.int64, len(parts))
    part_starts = part_counts.cumsum() - part_counts
    counts = part_counts[words]
    # Entry k of a word is term_of[part_start + k]: one run of entries over all words.
    entries = np.repeat(part_starts[words] - (counts.cumsum() - counts), counts)
    entries += np.arange(len(entries))
    spans = np.repeat(spans, counts)
    found = term_of[entries]
    texts = np.repeat(np.arange(len(span_counts)), span_counts)[spans]
    used, ranks, firsts = _by_first_use(texts * len(terms) + found, len(span_counts), len(terms))
    return _split(used % max(1, len(terms)), ranks, firsts, spans, span_counts, terms)


def _by_first_use(keys: Longs, texts: int, size: int) -> tuple[Longs, Longs, Longs]:
    """The distinct `keys` in order of first use, which of them each is, and where in this order the keys of each
    text begin. Keys of text k are from `k * size` on."""
    last = len(keys)
    use = np.full(texts * size, last, dtype=np.int64)
    use[keys[::-1]] = np.arange(last - 1, -1, -1)
    chosen = np.flatnonzero(use < last)
    chosen = chosen[use[chosen].argsort()]
    rank = use
    rank[chosen] = np.arange(len(chosen))
    return chosen, rank[keys], (chosen // max(1, size)).searchsorted(np.arange(texts + 1))


def _split(
    used: Longs, ranks: Longs, firsts: Longs, spans: Longs, span_counts: Longs, terms: tuple[str, ...]
) -> list[TermColumns]:
    """Columns a text. Entry i is of the term `used[ranks[i]]` and stands in `spans[i]`; the entries of `used`
    that belong to text k begin at `firsts[k]`."""
    width = max(1, len(used))
    keys = spans * width
    keys += ranks
    keys.sort()
    begins = np.flatnonzero(keys[1:] != keys[:-1]) + 1
    begins = np.concatenate((_ZERO[: len(keys)], begins))
    chosen = keys[begins]
    span_ends = span_counts.cumsum()
    total = int(span_ends[-1]) if len(span_ends) else 0
    span_keys = np.arange(total + 1) * width
    first = chosen.searchsorted(span_keys)
    in_span = np.repeat(np.arange(total), np.diff(first))
    text = np.repeat(np.arange(len(span_counts)), span_counts)
    local = chosen - span_keys[in_span] - firsts[text[in_span]] if total else chosen
    bounds = np.concatenate((_ZERO, span_ends))
    entry_bounds = first[bounds]
    term = sliced(local, entry_bounds)
    count = sliced(np.diff(begins, append=len(keys)), entry_bounds)
    length = sliced(np.diff(keys.searchsorted(span_keys)), bounds)
    starts = sliced(first[:-1] - np.repeat(entry_bounds[:-1], span_counts), bounds)
    ids, at = used.tolist(), firsts.tolist()
    columns: list[TermColumns] = []
    for number, first_entries in enumerate(starts):
        first_entries.append(len(term[number]))
        words = _picked(terms, ids[at[number] : at[number + 1]])
        columns.append(TermColumns(words, first_entries, term[number], count[number], length[number]))
    return columns


_ZERO = np.zeros(1, dtype=np.int64)


def _picked(terms: tuple[str, ...], ids: list[int]) -> tuple[str, ...]:
    if len(ids) < 2:
        return tuple(terms[each] for each in ids)
    picked: tuple[str, ...] = itemgetter(*ids)(terms)
    return picked
