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
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
from rank_bm25 import BM25Okapi

from ..model.values import Record
from .frequencies import Frequencies
from .query_blocks import Block, Query, blocks
from .scored_chunks import NO_SCORES, Floats, Integers, ScoredChunks, cut, joined, summed, sums, threshold, without
from .segment import Part
from .vocabulary import Vocabulary

K1 = 1.5
B = 0.75
EPSILON = 0.25
"""The defaults of rank_bm25.BM25Okapi."""

_EXACT_BITS = 52


class Corpus(Record):
    """What scoring needs of a snapshot: postings and the counts over all live chunks."""

    parts: tuple[Part, ...]
    vocabulary: Vocabulary
    frequencies: Frequencies
    chunk_count: int
    total_length: int


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
        for block in blocks(asked, self._corpus.parts, self._bases):
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
        best = ScoredChunks(np.empty(0, dtype=np.int64), NO_SCORES)
        for block in blocks(query, self._corpus.parts, self._bases):
            least = threshold(best.scores, limit)
            found = self._search_block(query, block, least)
            best = cut(joined(best, found), max(least, threshold(found.scores, limit)))
        best = cut(best, threshold(best.scores, limit))
        return ScoredChunks(best.chunks, best.scores * query.step)

    def _search_block(self, query: Query, block: Block, least: float) -> ScoredChunks:
        """The block's chunks that may reach the score `least` (in steps), with their whole scores."""
        # Words from `needed` on cannot lift a chunk that holds none before them to `least`.
        needed = int(np.searchsorted(-query.rest, -least, side="right")) if least > -math.inf else len(query.numbers)
        chunks, shares = self._shares(query, block, range(needed))
        if not len(chunks):
            return ScoredChunks(np.empty(0, dtype=np.int64), NO_SCORES)
        found = without(summed(chunks, shares, block.size), block.dead)
        if needed < len(query.numbers):
            found = cut(found, least - float(query.rest[needed]))
            wanted = np.zeros(block.size, dtype=np.bool_)
            wanted[found.chunks] = True
            more, shares = self._shares(query, block, range(needed, len(query.numbers)), wanted)
            found.scores[:] += sums(np.searchsorted(found.chunks, more), shares, len(found.chunks))
        found = cut(found, least)
        return ScoredChunks(found.chunks + block.base, found.scores)

    def _query(self, weights: Mapping[str, float]) -> Query:
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
        return Query(
            numbers=np.array([row[2] for row in rows], dtype=np.int32),
            factors=factors,
            frequencies=np.array([row[3] for row in rows], dtype=np.int64),
            rest=rest,
            step=step,
        )

    def _shares(
        self,
        query: Query,
        block: Block,
        words: range,
        wanted: npt.NDArray[np.bool_] | None = None,
    ) -> tuple[npt.NDArray[np.integer], Floats]:
        """Chunks (counted from the block's base) of the postings of `words` and what each adds, in steps.

        Of the block's chunks only those `wanted`.
        """
        picked = block.picked(words)
        if not picked.values:
            return np.empty(0, dtype=np.int64), NO_SCORES
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
