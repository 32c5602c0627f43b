"""BM25 over postings: the numbers of `rank_bm25.BM25Okapi` without its pass over every document.

Same corpus (one document a live chunk), same k1, b and epsilon, same idf with its floor for words in
more than half of the documents. A query looks only at the chunks that hold its words, block by block.
Words so frequent that all of them together cannot lift a chunk among the best found so far do not
bring in chunks of their own (MaxScore: Turtle and Flood, "Query evaluation: strategies and
optimizations", 1995).

Every share of a score is rounded to a fixed step, so small that 2**52 steps hold the highest score the
query can give. Sums of such numbers are exact, so the score does not depend on the order of summing:
not on how chunks lie in segments, nor on where the search was cut off.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from rank_bm25 import BM25Okapi

from .frequencies import Frequencies
from .segment import Part
from .vocabulary import Vocabulary

K1 = 1.5
B = 0.75
EPSILON = 0.25
"""The defaults of rank_bm25.BM25Okapi."""

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

_NO_SCORES: Floats = np.empty(0, dtype=np.float64)
_EXACT_BITS = 52
_BLOCK = 1 << 17
"""Chunks scored together: their scores and one block's postings stay in the processor's cache."""
_FEW_POSTINGS = 1 << 17
_WHOLE = 1 << 62
_DENSE = 16
"""With fewer postings than a block's chunks divided by this, sorting them beats a pass over all chunks."""


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """What scoring needs of a snapshot: postings and the counts over all live chunks."""

    parts: tuple[Part, ...]
    vocabulary: Vocabulary
    frequencies: Frequencies
    chunk_count: int
    total_length: int


class ScoredChunks(NamedTuple):
    """Chunk numbers (counted through all parts, dead ones included), ascending, with their scores."""

    chunks: Integers
    scores: Floats


@dataclass(frozen=True, slots=True, eq=False)
class _Query:
    """The known words of a query, the most telling first: vocabulary numbers and idf times weight.

    `frequencies` are live document frequencies, `rest[i]` the most that words i.. can add to a score.
    """

    numbers: npt.NDArray[np.int32]
    factors: Floats
    frequencies: Integers
    rest: Floats
    step: float


class _Piece(NamedTuple):
    """A run of chunks of one part, and where the postings of the query's words in that run lie.

    `words` are places in the query, ascending; chunk c of the part is chunk c + `shift` of the block.
    """

    part: Part
    first: int
    end: int
    shift: int
    words: list[int]
    spans: list[tuple[int, int]]


class _Block(NamedTuple):
    """Neighbouring chunks scored together, numbered from `base`."""

    base: int
    size: int
    pieces: list[_Piece]

    @property
    def dead(self) -> Integers:
        """The dead chunks among them, counted from `base`."""
        dead = [
            piece.part.dead_chunks.astype(np.int64) + piece.shift
            for piece in self.pieces
            if piece.part.live is not None
        ]
        if not dead:
            return np.empty(0, dtype=np.int64)
        every = np.concatenate(dead)
        return every[(every >= 0) & (every < self.size)]

    @property
    def lengths(self) -> npt.NDArray[np.int32]:
        """Length of every chunk."""
        return np.concatenate([piece.part.segment.chunks.length[piece.first : piece.end] for piece in self.pieces])

    def picked(self, words: range) -> _Picked:
        """The postings of `words`."""
        picked = _Picked([], [], [], [], [])
        for piece in self.pieces:
            lists, table = piece.part.segment.terms, piece.part.segment.chunks
            low, high = bisect_left(piece.words, words.start), bisect_left(piece.words, words.stop)
            for word, (start, end) in zip(piece.words[low:high], piece.spans[low:high], strict=True):
                picked.words.append(word)
                picked.values.append(lists.values[start:end])
                picked.counts.append(lists.counts[start:end])
                picked.shifts.append(piece.shift)
                picked.tables.append(table.length)
        return picked


class _Picked(NamedTuple):
    """Postings of some words, list by list: word, chunks in the part's numbering, counts; the part's shift, lengths."""

    words: list[int]
    values: list[npt.NDArray[np.uint32]]
    counts: list[npt.NDArray[np.unsignedinteger]]
    shifts: list[int]
    tables: list[npt.NDArray[np.int32]]

    def chunks(self) -> npt.NDArray[np.integer]:
        """Chunk of every posting, in the block's numbering."""
        every = np.concatenate(self.values)
        first = self.shifts[0]
        if any(shift != first for shift in self.shifts):
            return every + np.repeat(np.array(self.shifts, dtype=np.int64), [len(each) for each in self.values])
        if first > 0:
            every += np.uint32(first)
        elif first < 0:
            every -= np.uint32(-first)
        return every

    def lengths(self) -> npt.NDArray[np.int32]:
        """Length of the chunk of every posting."""
        return np.concatenate([table[local] for table, local in zip(self.tables, self.values, strict=True)])


class PostingsBM25(BM25Okapi):
    """`BM25Okapi` whose documents are the live chunks of a snapshot, in the order of its parts."""

    def __init__(self, corpus: Corpus, k1: float = K1, b: float = B, epsilon: float = EPSILON) -> None:
        # The stock constructor counts a tokenised corpus; here everything is already counted.
        self.k1 = k1
        self.b = b
        self.epsilon = epsilon
        self.corpus_size = corpus.chunk_count
        self.avgdl = corpus.total_length / corpus.chunk_count if corpus.chunk_count else 0.0
        self._corpus = corpus
        self._average_idf: float | None = None
        sizes = [len(part.segment.chunks.length) for part in corpus.parts]
        self._bases = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(sizes, dtype=np.int64)))

    @property
    def bases(self) -> Integers:
        """First chunk number of each part, and the number after the last."""
        return self._bases

    @property
    def average_idf(self) -> float:
        """Mean idf of all distinct terms, from the histogram of document frequencies."""
        if self._average_idf is None:
            rows = sorted(self._corpus.frequencies.histogram.items())
            total = math.fsum(count * self._raw_idf(frequency) for frequency, count in rows)
            terms = sum(count for _, count in rows)
            self._average_idf = total / terms if terms else 0.0
        return self._average_idf

    def idf_of(self, frequency: int) -> float:
        """The idf of a term that occurs in `frequency` chunks; 0 for none."""
        if frequency <= 0:
            return 0.0
        idf = self._raw_idf(frequency)
        return self.epsilon * self.average_idf if idf < 0 else idf

    def _raw_idf(self, frequency: int) -> float:
        return math.log(self.corpus_size - frequency + 0.5) - math.log(frequency + 0.5)

    def get_scores(self, query: Sequence[str]) -> Floats:
        """Scores of all live chunks, part after part (the stock class's answer on the same documents)."""
        asked = self._query(Counter(query))
        scores = np.zeros(int(self._bases[-1]), dtype=np.float64)
        for block in self._blocks(asked):
            found = self._search_block(asked, block, -math.inf)
            scores[found.chunks] = found.scores
        dead = [part.dead_chunks + int(self._bases[place]) for place, part in enumerate(self._corpus.parts)]
        return np.delete(scores, np.concatenate([np.empty(0, dtype=np.int64), *dead])) * asked.step

    def get_batch_scores(self, query: Sequence[str], doc_ids: Sequence[int]) -> list[float]:
        """Scores of some live chunks, by their place in `get_scores`."""
        return self.get_scores(query)[np.asarray(doc_ids, dtype=np.intp)].tolist()

    def top(self, weights: Mapping[str, float], limit: int) -> ScoredChunks:
        """The chunks that hold a query word with the `limit` highest scores, and all that tie with the last."""
        query = self._query(weights)
        best = ScoredChunks(np.empty(0, dtype=np.int64), _NO_SCORES)
        for block in self._blocks(query):
            least = _threshold(best.scores, limit)
            found = self._search_block(query, block, least)
            best = _cut(_joined(best, found), max(least, _threshold(found.scores, limit)))
        best = _cut(best, _threshold(best.scores, limit))
        return ScoredChunks(best.chunks, best.scores * query.step)

    def _blocks(self, query: _Query) -> Iterator[_Block]:
        """All chunks in runs that the processor's cache holds: small parts together, large ones in pieces.

        A query of few postings is cheaper in one go.
        """
        most = _BLOCK if int(query.frequencies.sum()) > _FEW_POSTINGS else _WHOLE
        group: list[_Piece] = []
        base = 0
        for place, part in enumerate(self._corpus.parts):
            start, end = int(self._bases[place]), int(self._bases[place + 1])
            if group and end - base > most:
                yield _Block(base, start - base, group)
                group = []
            if not group:
                base = start
            if end - start <= most:
                group += _pieces(query, part, start - base, most)
            else:
                for piece in _pieces(query, part, 0, most):
                    yield _Block(start + piece.first, piece.end - piece.first, [piece])
        if group:
            yield _Block(base, int(self._bases[-1]) - base, group)

    def _search_block(self, query: _Query, block: _Block, least: float) -> ScoredChunks:
        """The block's chunks that may reach the score `least` (in steps), with their whole scores."""
        # Words from `needed` on cannot lift a chunk that holds none before them to `least`.
        needed = int(np.searchsorted(-query.rest, -least, side="right")) if least > -math.inf else len(query.numbers)
        chunks, shares = self._shares(query, block, range(needed))
        if not len(chunks):
            return ScoredChunks(np.empty(0, dtype=np.int64), _NO_SCORES)
        found = _without(_summed(chunks, shares, block.size), block.dead)
        if needed < len(query.numbers):
            found = _cut(found, least - float(query.rest[needed]))
            wanted = np.zeros(block.size, dtype=np.bool_)
            wanted[found.chunks] = True
            more, shares = self._shares(query, block, range(needed, len(query.numbers)), wanted)
            found.scores[:] += _sums(np.searchsorted(found.chunks, more), shares, len(found.chunks))
        found = _cut(found, least)
        return ScoredChunks(found.chunks + block.base, found.scores)

    def _query(self, weights: Mapping[str, float]) -> _Query:
        """The known words; their order depends on live counts only."""
        rows: list[tuple[float, str, int, int]] = []
        for word, weight in weights.items():
            number = self._corpus.vocabulary.number(word)
            frequency = 0 if number is None else self._corpus.frequencies.of(number)
            if number is not None and frequency and weight:
                rows.append((self.idf_of(frequency) * weight, word, number, frequency))
        rows.sort(key=lambda row: (-row[0], row[1]))
        factors = np.array([row[0] for row in rows], dtype=np.float64)
        highest = float(np.abs(factors).sum()) * (self.k1 + 1)
        step = 2.0 ** (math.frexp(highest)[1] - _EXACT_BITS) if highest else 1.0
        # Bounds and scores are counted in steps; a share is at most factor * (k1 + 1), rounded.
        bounds = np.where(factors > 0, np.ceil(factors * (self.k1 + 1) / step) + 1, 0.0)
        rest = np.append(np.cumsum(bounds[::-1])[::-1], 0.0)
        if (factors < 0).any():
            # What is negative would make the first sums too high: then nothing may be cut off.
            rest = np.full(len(rest), math.inf)
            rest[-1] = 0.0
        return _Query(
            numbers=np.array([row[2] for row in rows], dtype=np.int32),
            factors=factors,
            frequencies=np.array([row[3] for row in rows], dtype=np.int64),
            rest=rest,
            step=step,
        )

    def _shares(
        self,
        query: _Query,
        block: _Block,
        words: range,
        wanted: npt.NDArray[np.bool_] | None = None,
    ) -> tuple[npt.NDArray[np.integer], Floats]:
        """Chunks (counted from the block's base) of the postings of `words` and what each adds, in steps.

        Of the block's chunks only those `wanted`.
        """
        picked = block.picked(words)
        if not picked.values:
            return np.empty(0, dtype=np.int64), _NO_SCORES
        sizes = [len(each) for each in picked.values]
        often = np.concatenate(picked.counts)
        chunks = picked.chunks()
        factors = np.repeat(query.factors[picked.words] * ((self.k1 + 1) / query.step), sizes)
        if wanted is not None:
            kept = np.flatnonzero(wanted[chunks])
            factors, often, chunks = factors[kept], often[kept], chunks[kept]
        if wanted is not None or len(chunks) >= block.size:
            damping = self._damping(block.lengths)[chunks]
        else:
            damping = self._damping(picked.lengths())
        # factor * tf * (k1 + 1) / (tf + damping), in whole steps; in place, as these columns may be long.
        damping += often
        factors *= often
        factors /= damping
        return chunks, np.rint(factors, out=factors)

    def _damping(self, lengths: npt.NDArray[np.int32]) -> Floats:
        """k1 * (1 - b + b * length / avgdl)."""
        damping: Floats = lengths.astype(np.float64)
        damping *= self.k1 * self.b / self.avgdl
        damping += self.k1 * (1 - self.b)
        return damping


def _sums(places: npt.NDArray[np.integer], shares: Floats, size: int) -> Floats:
    return np.bincount(places, weights=shares, minlength=size).astype(np.float64, copy=False)


def _pieces(query: _Query, part: Part, shift: int, most: int) -> Iterator[_Piece]:
    """The part in runs of at most `most` chunks; `shift` counts for a part of one run, else runs count from 0."""
    lists = part.segment.terms
    size = len(part.segment.chunks.length)
    if not len(lists.keys):
        yield _Piece(part, 0, size, shift, [], [])
        return
    rows: npt.NDArray[np.intp] = np.searchsorted(lists.keys, query.numbers)
    rows[rows == len(lists.keys)] = 0
    words: list[int] = np.flatnonzero(lists.keys[rows] == query.numbers).tolist()
    spans = [(int(lists.starts[row]), int(lists.starts[row + 1])) for row in rows[words].tolist()]
    if size <= most:
        yield _Piece(part, 0, size, shift, words, spans)
        return
    edges = np.arange(most, size, most, dtype=np.uint32)
    cuts = [[start, *(np.searchsorted(lists.values[start:end], edges) + start).tolist(), end] for start, end in spans]
    for run in range(len(edges) + 1):
        first = run * most
        held = [
            (word, cut[run], cut[run + 1]) for word, cut in zip(words, cuts, strict=True) if cut[run] < cut[run + 1]
        ]
        yield _Piece(
            part,
            first,
            min(size, first + most),
            -first,
            [word for word, _, _ in held],
            [(start, end) for _, start, end in held],
        )


def _summed(chunks: npt.NDArray[np.integer], shares: Floats, size: int) -> ScoredChunks:
    """Each chunk once, ascending, with the sum of its shares. Sums are exact, so either way gives the same."""
    if size < _DENSE * len(chunks):
        met = np.zeros(size, dtype=np.bool_)
        met[chunks] = True
        unique = np.flatnonzero(met)
        return ScoredChunks(unique, _sums(chunks, shares, size)[unique])
    order, inverse = np.unique(chunks, return_inverse=True)
    return ScoredChunks(order.astype(np.int64), _sums(inverse, shares, len(order)))


def _without(found: ScoredChunks, dead: Integers) -> ScoredChunks:
    if not len(dead):
        return found
    at: npt.NDArray[np.intp] = np.searchsorted(dead, found.chunks)
    at[at == len(dead)] = 0
    alive = dead[at] != found.chunks
    return ScoredChunks(found.chunks[alive], found.scores[alive])


def _joined(one: ScoredChunks, two: ScoredChunks) -> ScoredChunks:
    return ScoredChunks(np.concatenate((one.chunks, two.chunks)), np.concatenate((one.scores, two.scores)))


def _cut(found: ScoredChunks, least: float) -> ScoredChunks:
    keep = found.scores >= least
    return ScoredChunks(found.chunks[keep], found.scores[keep])


def _threshold(scores: Floats, limit: int) -> float:
    """The `limit`-th highest score, minus infinity when there are fewer."""
    if len(scores) < limit:
        return -math.inf
    place = len(scores) - limit
    return float(np.partition(scores, place)[place])
