"""BM25 over postings: the numbers of `rank_bm25.BM25Okapi` without its pass over every document.

Same corpus (one document a live chunk), same k1, b and epsilon, same idf with its floor for words in
more than half of the documents. A query looks only at the chunks that hold its words, rarest words
first, and admits no more chunks once the words that are left cannot lift a new one into the answer
(MaxScore: Turtle and Flood, "Query evaluation: strategies and optimizations", 1995).

Every share of a score is rounded to a fixed step, so small that 2**52 steps hold the highest score the
query can give. Sums of such numbers are exact, so the score does not depend on the order of summing:
not on how chunks lie in segments, nor on where the search was cut off.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from rank_bm25 import BM25Okapi

from .frequencies import Frequencies
from .segment import Part, Segment
from .vocabulary import Vocabulary

K1 = 1.5
B = 0.75
EPSILON = 0.25
"""The defaults of rank_bm25.BM25Okapi."""

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

_NO_CHUNKS: npt.NDArray[np.uint32] = np.empty(0, dtype=np.uint32)
_NO_SCORES: Floats = np.empty(0, dtype=np.float64)
_EXACT_BITS = 52
_FIRST_BATCH = 250_000
"""Postings of the first batch of words at least: so many cost less than finding out which to leave out."""
_GROWTH = 4
"""How much larger each further batch is."""
_PROBE_COST = 16
"""Looking one candidate up in a list costs about as much as going through this many postings."""


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
        board = _Board(self._corpus.parts)
        self._post(asked, slice(None), board)
        found = board.met(self._bases)
        scores = np.zeros(int(self._bases[-1]), dtype=np.float64)
        scores[found.chunks] = found.scores
        dead = [part.dead_chunks + self._bases[place] for place, part in enumerate(self._corpus.parts)]
        return np.delete(scores, np.concatenate([np.empty(0, dtype=np.int64), *dead])) * asked.step

    def get_batch_scores(self, query: Sequence[str], doc_ids: Sequence[int]) -> list[float]:
        """Scores of some live chunks, by their place in `get_scores`."""
        return self.get_scores(query)[np.asarray(doc_ids, dtype=np.intp)].tolist()

    def top(self, weights: Mapping[str, float], limit: int) -> ScoredChunks:
        """The chunks that hold a query word with the `limit` highest scores, and all that tie with the last."""
        query = self._query(weights)
        board = _Board(self._corpus.parts)
        found = ScoredChunks(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float64))
        done = 0
        batch = max(_FIRST_BATCH, int(self._bases[-1]) // 2)
        while done < len(query.numbers) and not self._closed(query, done, found.scores, limit):
            reach = np.searchsorted(np.cumsum(query.frequencies[done:]), batch, side="right")
            end = done + max(1, int(reach))
            self._post(query, slice(done, end), board)
            found = board.met(self._bases)
            done, batch = end, batch * _GROWTH
        while done < len(query.numbers):
            found = _cut(found, _threshold(found.scores, limit) - float(query.rest[done]))
            dear = query.frequencies[done:] > _PROBE_COST * len(found.chunks)
            if dear[0]:
                found = self._probed(query, done, found)
                done += 1
            else:
                end = done + (int(np.argmax(dear)) if dear.any() else len(dear))
                found = self._filtered(query, slice(done, end), found)
                done = end
        found = _cut(found, _threshold(found.scores, limit))
        return ScoredChunks(found.chunks, found.scores * query.step)

    def _closed(self, query: _Query, done: int, scores: Floats, limit: int) -> bool:
        """True when no chunk that was not met yet can still come into the answer."""
        return len(scores) >= limit and _threshold(scores, limit) > float(query.rest[done])

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

    def _post(self, query: _Query, words: slice, board: _Board) -> None:
        """Add the shares of `words` to every chunk that holds one of them."""
        for place, part in enumerate(self._corpus.parts):
            chunks, shares = self._shares(query, words, part.segment)
            if len(chunks):
                board.add(place, chunks, shares)

    def _filtered(self, query: _Query, words: slice, found: ScoredChunks) -> ScoredChunks:
        """`found` with the shares of `words` added, by going through the words' postings."""
        scores = found.scores.copy()
        for place, part, low, high in self._parts_of(found.chunks):
            local: Integers = found.chunks[low:high] - int(self._bases[place])
            wanted = np.zeros(len(part.segment.chunks.length), dtype=np.bool_)
            wanted[local] = True
            chunks, shares = self._shares(query, words, part.segment, wanted)
            if len(chunks):
                at: npt.NDArray[np.intp] = np.searchsorted(local, chunks)
                scores[low:high] += _sums(at, shares, high - low)
        return ScoredChunks(found.chunks, scores)

    def _probed(self, query: _Query, word: int, found: ScoredChunks) -> ScoredChunks:
        """`found` with the shares of one frequent word added, by looking up each chunk in its postings."""
        scores = found.scores.copy()
        number, factor = int(query.numbers[word]), float(query.factors[word])
        for place, part, low, high in self._parts_of(found.chunks):
            segment = part.segment
            start, end = segment.terms.span(number)
            if start == end:
                continue
            local = (found.chunks[low:high] - int(self._bases[place])).astype(np.uint32)
            postings = segment.terms.values[start:end]
            at: npt.NDArray[np.intp] = np.searchsorted(postings, local)
            at[at == len(postings)] = 0
            hits = np.flatnonzero(postings[at] == local)
            counts = segment.terms.counts[start:end][at[hits]]
            factors = np.full(len(hits), factor)
            scores[low + hits] += self._share(factors, counts, segment.chunks.length[local[hits]], query.step)
        return ScoredChunks(found.chunks, scores)

    def _parts_of(self, chunks: Integers) -> Iterable[tuple[int, Part, int, int]]:
        """The parts that hold some of the ascending `chunks`, and where these lie among them."""
        edges: list[int] = np.searchsorted(chunks, self._bases).tolist()
        for place, part in enumerate(self._corpus.parts):
            if edges[place] != edges[place + 1]:
                yield place, part, edges[place], edges[place + 1]

    def _shares(
        self, query: _Query, words: slice, segment: Segment, wanted: npt.NDArray[np.bool_] | None = None
    ) -> tuple[npt.NDArray[np.uint32], Floats]:
        """Chunks of all postings of `words` in a segment (only those `wanted`) and what each adds, in steps."""
        lists = segment.terms
        numbers = query.numbers[words]
        if not len(lists.keys):
            return _NO_CHUNKS, _NO_SCORES
        rows: npt.NDArray[np.intp] = np.searchsorted(lists.keys, numbers)
        rows[rows == len(lists.keys)] = 0
        held = np.flatnonzero(lists.keys[rows] == numbers)
        rows = rows[held]
        spans = list(zip(lists.starts[rows].tolist(), lists.starts[rows + 1].tolist(), strict=True))
        if not spans:
            return _NO_CHUNKS, _NO_SCORES
        chunks = np.concatenate([lists.values[start:end] for start, end in spans])
        counts = np.concatenate([lists.counts[start:end] for start, end in spans])
        factors = np.repeat(query.factors[words][held], [end - start for start, end in spans])
        if wanted is not None:
            picked = np.flatnonzero(wanted[chunks])
            factors, counts, chunks = factors[picked], counts[picked], chunks[picked]
        return chunks, self._share(factors, counts, segment.chunks.length[chunks], query.step)

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


class _Board:
    """Scores of one query while they are summed: dense, part by part, dead chunks left out."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self._parts = parts
        self._scores: dict[int, Floats] = {}
        self._met: dict[int, npt.NDArray[np.bool_]] = {}

    def add(self, place: int, chunks: npt.NDArray[np.uint32], shares: Floats) -> None:
        """Add shares (chunks may repeat)."""
        size = len(self._parts[place].segment.chunks.length)
        summed = _sums(chunks, shares, size)
        if place in self._scores:
            self._scores[place] += summed
        else:
            self._scores[place] = summed
            self._met[place] = np.zeros(size, dtype=np.bool_)
        self._met[place][chunks] = True

    def met(self, bases: Integers) -> ScoredChunks:
        """All live chunks that got a share."""
        chunks: list[Integers] = [np.empty(0, dtype=np.int64)]
        scores: list[Floats] = [_NO_SCORES]
        for place in sorted(self._scores):
            met = self._met[place]
            met[self._parts[place].dead_chunks] = False
            local = np.flatnonzero(met)
            chunks.append(local + int(bases[place]))
            scores.append(self._scores[place][local])
        return ScoredChunks(np.concatenate(chunks), np.concatenate(scores))


def _sums(places: npt.NDArray[np.integer], shares: Floats, size: int) -> Floats:
    return np.bincount(places, weights=shares, minlength=size).astype(np.float64, copy=False)


def _cut(found: ScoredChunks, least: float) -> ScoredChunks:
    keep = found.scores >= least
    return ScoredChunks(found.chunks[keep], found.scores[keep])


def _threshold(scores: Floats, limit: int) -> float:
    """The `limit`-th highest score, minus infinity when there are fewer."""
    if len(scores) < limit:
        return -math.inf
    place = len(scores) - limit
    return float(np.partition(scores, place)[place])
