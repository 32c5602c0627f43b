"""BM25 over postings: the numbers of `rank_bm25.BM25Okapi` without its pass over every document.

Same corpus (one document a live chunk), same k1, b and epsilon, same idf with its floor for words in
more than half of the documents. A query looks only at the chunks that hold its words, and stops
admitting chunks once the words that are left cannot lift a new one into the answer (MaxScore: Turtle
and Flood, "Query evaluation: strategies and optimizations", 1995).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from rank_bm25 import BM25Okapi

from .segment import Part
from .vocabulary import Vocabulary

K1 = 1.5
B = 0.75
EPSILON = 0.25
"""The defaults of rank_bm25.BM25Okapi."""

Floats = npt.NDArray[np.float64]
Chunks = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """What scoring needs of a snapshot: postings and the counts over all live chunks.

    `histogram[d]` is the number of distinct terms that occur in exactly d chunks.
    """

    parts: tuple[Part, ...]
    vocabulary: Vocabulary
    chunk_count: int
    total_length: int
    histogram: Mapping[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class ScoredChunks:
    """Chunk numbers (counted through all parts, dead ones included) with their scores."""

    chunks: Chunks
    scores: Floats


@dataclass(frozen=True, slots=True, eq=False)
class _Term:
    """One query word: per part its span of the postings, its idf times its weight, and its highest score."""

    word: str
    spans: tuple[tuple[int, int, int], ...]
    factor: float
    bound: float


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
    def bases(self) -> Chunks:
        """First chunk number of each part, and the number after the last."""
        return self._bases

    @property
    def average_idf(self) -> float:
        """Mean idf of all distinct terms, from the histogram of document frequencies."""
        if self._average_idf is None:
            rows = sorted(self._corpus.histogram.items())
            total = sum(count * self._raw_idf(frequency) for frequency, count in rows)
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
        scores = np.zeros(int(self._bases[-1]), dtype=np.float64)
        for term in self._terms(Counter(query)):
            chunks, counts, lengths = self._postings(term)
            scores[chunks] += self._contributions(term, counts, lengths)
        return np.delete(scores, self._dead_chunks())

    def get_batch_scores(self, query: Sequence[str], doc_ids: Sequence[int]) -> list[float]:
        """Scores of some live chunks, by their place in `get_scores`."""
        return self.get_scores(query)[np.asarray(doc_ids, dtype=np.intp)].tolist()

    def top(self, weights: Mapping[str, float], limit: int) -> ScoredChunks:
        """The chunks that hold a query word with the `limit` highest scores, and all that tie with the last.

        Exact. Chunk order is ascending, not by score.
        """
        terms = self._terms(weights)
        size = int(self._bases[-1])
        scores = np.zeros(size, dtype=np.float64)
        seen = np.zeros(size, dtype=np.bool_)
        touched = 0
        rest = sum(term.bound for term in terms)
        prunable = all(term.factor >= 0 for term in terms)
        done = 0
        for done, term in enumerate(terms, start=1):
            chunks, counts, lengths = self._postings(term)
            scores[chunks] += self._contributions(term, counts, lengths)
            seen[chunks] = True
            touched += len(chunks)
            rest -= term.bound
            if prunable and touched >= limit and done < len(terms):
                found = np.flatnonzero(seen)
                if len(found) >= limit and self._threshold(scores[found], limit) > rest * _SLACK:
                    break
        candidates = np.flatnonzero(seen)
        return self._finish(terms[done:], candidates, scores[candidates], limit)

    def _finish(self, terms: Sequence[_Term], candidates: Chunks, scores: Floats, limit: int) -> ScoredChunks:
        """Score the words that are left on the candidates only, dropping those that fall behind."""
        rest = sum(term.bound for term in terms)
        for term in terms:
            keep = scores + rest * _SLACK >= self._threshold(scores, limit)
            candidates, scores = candidates[keep], scores[keep]
            self._add_to_candidates(term, candidates, scores)
            rest -= term.bound
        keep = scores >= self._threshold(scores, limit)
        return ScoredChunks(candidates[keep], scores[keep])

    def _add_to_candidates(self, term: _Term, candidates: Chunks, scores: Floats) -> None:
        for place, start, end in term.spans:
            base, end_of_part = int(self._bases[place]), int(self._bases[place + 1])
            low, high = np.searchsorted(candidates, (base, end_of_part)).tolist()
            if low == high:
                continue
            segment = self._corpus.parts[place].segment
            local = (candidates[low:high] - base).astype(np.uint32)
            postings = segment.terms.values[start:end]
            at: npt.NDArray[np.intp] = np.searchsorted(postings, local)
            at[at == len(postings)] = 0
            hits = np.flatnonzero(postings[at] == local)
            if len(hits):
                counts = segment.terms.counts[start:end][at[hits]]
                lengths = segment.chunks.length[local[hits]]
                scores[low + hits] += self._contributions(term, counts, lengths)

    @staticmethod
    def _threshold(scores: Floats, limit: int) -> float:
        """The `limit`-th highest score, minus infinity when there are fewer."""
        if len(scores) < limit:
            return -math.inf
        place = len(scores) - limit
        return float(np.partition(scores, place)[place])

    def _terms(self, weights: Mapping[str, float]) -> list[_Term]:
        """The query's known words, the most telling first; the order depends on live counts only."""
        terms: list[_Term] = []
        for word, weight in weights.items():
            number = self._corpus.vocabulary.number(word)
            if number is None or weight == 0:
                continue
            spans: list[tuple[int, int, int]] = []
            frequency = 0
            for place, part in enumerate(self._corpus.parts):
                start, end = part.segment.terms.span(number)
                if start != end:
                    live = end - start - _count_common(part.segment.terms.values[start:end], part.dead_chunks)
                    if live:
                        spans.append((place, start, end))
                        frequency += live
            if spans:
                factor = self.idf_of(frequency) * weight
                terms.append(_Term(word, tuple(spans), factor, factor * (self.k1 + 1)))
        terms.sort(key=lambda term: (-term.bound, term.word))
        return terms

    def _postings(self, term: _Term) -> tuple[Chunks, npt.NDArray[np.unsignedinteger], npt.NDArray[np.int32]]:
        """Live chunk numbers of `term` with counts and chunk lengths."""
        chunks: list[Chunks] = []
        counts: list[npt.NDArray[np.unsignedinteger]] = []
        lengths: list[npt.NDArray[np.int32]] = []
        for place, start, end in term.spans:
            part = self._corpus.parts[place]
            local = part.segment.terms.values[start:end]
            many = part.segment.terms.counts[start:end]
            if len(part.dead_chunks):
                alive = _absent(local, part.dead_chunks)
                local, many = local[alive], many[alive]
            chunks.append(local + self._bases[place])
            counts.append(many)
            lengths.append(part.segment.chunks.length[local])
        if len(chunks) == 1:
            return chunks[0], counts[0], lengths[0]
        return np.concatenate(chunks), np.concatenate(counts), np.concatenate(lengths)

    def _contributions(
        self, term: _Term, counts: npt.NDArray[np.unsignedinteger], lengths: npt.NDArray[np.int32]
    ) -> Floats:
        often = counts.astype(np.float64)
        damped = often + self.k1 * (1 - self.b + self.b * lengths / self.avgdl)
        return term.factor * (often * (self.k1 + 1) / damped)

    def _dead_chunks(self) -> Chunks:
        return np.concatenate(
            [np.empty(0, dtype=np.int64)]
            + [part.dead_chunks + self._bases[place] for place, part in enumerate(self._corpus.parts)]
        )


_SLACK = 1 + 1e-9
"""Keeps rounding in the running bounds from dropping a chunk that ties."""


def _places(values: npt.NDArray[np.uint32], wanted: npt.NDArray[np.uint32]) -> npt.NDArray[np.intp]:
    """Places in ascending `values` of those `wanted` that are in it."""
    at = np.searchsorted(values, wanted)
    inside = at < len(values)
    at, wanted = at[inside], wanted[inside]
    return at[values[at] == wanted]


def _count_common(values: npt.NDArray[np.uint32], dead: npt.NDArray[np.uint32]) -> int:
    if not len(dead):
        return 0
    if len(dead) <= len(values):
        return len(_places(values, dead))
    return len(_places(dead, values))


def _absent(values: npt.NDArray[np.uint32], dead: npt.NDArray[np.uint32]) -> npt.NDArray[np.bool_]:
    alive = np.ones(len(values), dtype=np.bool_)
    if len(dead) <= len(values):
        alive[_places(values, dead)] = False
    else:
        at = np.searchsorted(dead, values)
        at[at == len(dead)] = 0
        alive[dead[at] == values] = False
    return alive
