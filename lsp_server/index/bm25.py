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
_BLOCK = 1 << 15
"""Chunks scored together: their scores and one block's postings stay in the processor's cache."""
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


@dataclass(frozen=True, slots=True, eq=False)
class _Block:
    """Chunks `first..end - 1` of a part, and where in its postings those of each word the part holds lie.

    `words` are places in the query, ascending; `base` is the number of the part's first chunk.
    """

    part: Part
    base: int
    first: int
    end: int
    words: npt.NDArray[np.intp]
    starts: npt.NDArray[np.intp]
    ends: npt.NDArray[np.intp]

    @property
    def dead(self) -> npt.NDArray[np.uint32]:
        """The dead chunks among them, counted from `first`."""
        dead = self.part.dead_chunks
        low, high = np.searchsorted(dead, (self.first, self.end)).tolist()
        return dead[low:high] - np.uint32(self.first)


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
        """The chunks in runs small enough for the processor's cache, with each word's postings of the run."""
        for place, part in enumerate(self._corpus.parts):
            lists = part.segment.terms
            size = len(part.segment.chunks.length)
            rows: npt.NDArray[np.intp] = np.searchsorted(lists.keys, query.numbers)
            held = (
                np.flatnonzero(lists.keys[np.minimum(rows, len(lists.keys) - 1)] == query.numbers) if size else rows[:0]
            )
            if not len(held):
                continue
            starts, ends = lists.starts[rows[held]].tolist(), lists.starts[rows[held] + 1].tolist()
            edges = np.arange(0, size + _BLOCK, _BLOCK, dtype=np.uint32)
            cuts = np.array([[0, end - start] for start, end in zip(starts, ends, strict=True)])
            if len(edges) > 2:
                cuts = np.array(
                    [np.searchsorted(lists.values[start:end], edges) for start, end in zip(starts, ends, strict=True)]
                )
            cuts += np.array(starts)[:, None]
            base = int(self._bases[place])
            for low in range(cuts.shape[1] - 1):
                first = low * _BLOCK
                yield _Block(part, base, first, min(size, first + _BLOCK), held, cuts[:, low], cuts[:, low + 1])

    def _search_block(self, query: _Query, block: _Block, least: float) -> ScoredChunks:
        """The block's chunks that may reach the score `least` (in steps), with their whole scores."""
        # Words from `needed` on cannot lift a chunk that holds none before them to `least`.
        needed = int(np.searchsorted(-query.rest, -least, side="right")) if least > -math.inf else len(query.numbers)
        split = int(np.searchsorted(block.words, needed))
        chunks, shares = self._shares(query, block, slice(0, split))
        if not len(chunks):
            return ScoredChunks(np.empty(0, dtype=np.int64), _NO_SCORES)
        found = _without(_summed(chunks, shares, block.end - block.first), block.dead)
        if split < len(block.words):
            found = _cut(found, least - float(query.rest[needed]))
            wanted = np.zeros(block.end - block.first, dtype=np.bool_)
            wanted[found.chunks] = True
            more, shares = self._shares(query, block, slice(split, None), wanted)
            found.scores[:] += _sums(np.searchsorted(found.chunks, more), shares, len(found.chunks))
        found = _cut(found, least)
        return ScoredChunks(found.chunks + (block.base + block.first), found.scores)

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
        self, query: _Query, block: _Block, picked: slice, wanted: npt.NDArray[np.bool_] | None = None
    ) -> tuple[npt.NDArray[np.uint32], Floats]:
        """Chunks (counted from the block's first) of postings and what each adds, in steps.

        Of the block's words those `picked`, of its chunks those `wanted`.
        """
        lists, table = block.part.segment.terms, block.part.segment.chunks
        spans = list(zip(block.starts[picked].tolist(), block.ends[picked].tolist(), strict=True))
        if not spans:
            return np.empty(0, dtype=np.uint32), _NO_SCORES
        chunks = np.concatenate([lists.values[start:end] for start, end in spans])
        counts = np.concatenate([lists.counts[start:end] for start, end in spans])
        factors = np.repeat(query.factors[block.words[picked]], [end - start for start, end in spans])
        if block.first:
            chunks -= np.uint32(block.first)
        if wanted is not None:
            kept = np.flatnonzero(wanted[chunks])
            factors, counts, chunks = factors[kept], counts[kept], chunks[kept]
        return chunks, self._share(factors, counts, table.length[block.first : block.end][chunks], query.step)

    def _share(
        self,
        factors: Floats,
        counts: npt.NDArray[np.unsignedinteger],
        lengths: npt.NDArray[np.int32],
        step: float,
    ) -> Floats:
        """factor * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / avgdl)), in whole steps. `factors` is used up."""
        damped = lengths * (self.k1 * self.b / self.avgdl)
        damped += self.k1 * (1 - self.b)
        damped += counts
        factors *= (self.k1 + 1) / step
        factors *= counts
        factors /= damped
        return np.rint(factors, out=factors)


def _sums(places: npt.NDArray[np.integer], shares: Floats, size: int) -> Floats:
    return np.bincount(places, weights=shares, minlength=size).astype(np.float64, copy=False)


def _summed(chunks: npt.NDArray[np.uint32], shares: Floats, size: int) -> ScoredChunks:
    """Each chunk once, ascending, with the sum of its shares. Sums are exact, so either way gives the same."""
    if size < _DENSE * len(chunks):
        met = np.zeros(size, dtype=np.bool_)
        met[chunks] = True
        unique = np.flatnonzero(met)
        return ScoredChunks(unique, _sums(chunks, shares, size)[unique])
    order, inverse = np.unique(chunks, return_inverse=True)
    return ScoredChunks(order.astype(np.int64), _sums(inverse, shares, len(order)))


def _without(found: ScoredChunks, dead: npt.NDArray[np.uint32]) -> ScoredChunks:
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
