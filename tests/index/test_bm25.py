"""Scores are those of the stock rank_bm25 class on the same chunks; the cut-off search is exact."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from lsp_server.index import bm25, query_blocks
from lsp_server.index.snapshot import Snapshot
from lsp_server.index.writer import IndexWriter, Put

from .answers import QUERIES
from .facts_builder import FactsBuilder, random_facts
from .test_writer import PATHS, random_changes


def documents(snapshot: Snapshot) -> dict[tuple[str, int], list[str]]:
    """Words of every chunk, in the order of the snapshot's parts."""
    found: dict[tuple[str, int], list[str]] = {}
    for path in snapshot.file_table():
        for chunk, terms in enumerate(snapshot.chunk_terms(path)):
            found[path, chunk] = [w for w, n in terms.items() for _ in range(n)]
    return found


@given(st.integers())
@settings(max_examples=40, deadline=None)
def test_scores_equal_the_stock_class_after_any_changes(seed: int) -> None:
    chance = random.Random(seed)
    writer = IndexWriter()
    for _ in range(8):
        writer.apply(random_changes(chance))
        if chance.random() < 0.3:
            writer.compact()
    corpus = documents(writer.snapshot)
    if not corpus:
        assert writer.snapshot.search(["alpha"], 5) == []
        return
    stock = BM25Okapi(list(corpus.values()))
    ours = writer.snapshot.bm25
    assert ours.average_idf == pytest.approx(stock.average_idf, rel=1e-9, abs=1e-12)
    for query in QUERIES:
        expected = stock.get_scores(query)
        np.testing.assert_allclose(ours.get_scores(query), expected, rtol=1e-9, atol=1e-12)
        holding = {
            key: score for (key, words), score in zip(corpus.items(), expected, strict=True) if set(words) & set(query)
        }
        hits = writer.snapshot.search(query, 1000)
        assert {(hit.path, hit.chunk) for hit in hits} == set(holding)
        for hit in hits:
            assert hit.score == pytest.approx(holding[hit.path, hit.chunk], rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("block", [1, 3, 1 << 15])
@given(st.integers(), st.integers(1, 12))
@settings(max_examples=15, deadline=None)
def test_limited_search_is_the_head_of_the_whole_one(block: int, seed: int, limit: int) -> None:
    chance = random.Random(seed)
    writer = IndexWriter()
    writer.apply([Put(path, random_facts(chance, chunks=9)) for path in PATHS])
    for path in PATHS:
        writer.apply([Put(f"{chance.randrange(2)}/{path}", random_facts(chance, chunks=9))])
    with pytest.MonkeyPatch.context() as patch:
        for query in QUERIES:
            whole = writer.snapshot.search(query, 10_000)
            assert whole == sorted(whole, key=lambda hit: (-hit.score, hit.path, hit.range.start))
            patch.setattr(query_blocks, "BLOCK", block)
            patch.setattr(query_blocks, "FEW_POSTINGS", block)
            assert writer.snapshot.search(query, limit) == whole[:limit]
            patch.undo()


def test_frequent_words_bring_in_no_chunks_once_rare_ones_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    writer = IndexWriter()
    puts: list[Put] = []
    for number in range(40):
        builder = FactsBuilder()
        builder.chunk(["common"] if 0 < number < 12 else ["other"] if number else ["common", "rare"])
        puts.append(Put(f"{number:02}", builder.facts()))
    scorer = writer.apply(puts).bm25
    monkeypatch.setattr(query_blocks, "BLOCK", 8)
    monkeypatch.setattr(query_blocks, "FEW_POSTINGS", 0)
    scored: list[int] = []
    shares = bm25.PostingsBM25._shares

    def count(self: bm25.PostingsBM25, *given: object) -> object:
        found = shares(self, *given)  # type: ignore[arg-type]
        scored.append(len(found[0]))
        return found

    monkeypatch.setattr(bm25.PostingsBM25, "_shares", count)
    assert len(scorer.top({"rare": 1.0, "common": 0.01}, 1).chunks) == 1
    # The first block is scored whole (8 common, 1 rare); after it the rare word alone can bring in chunks.
    assert sum(scored) == 9


def test_weights_scale_a_terms_share() -> None:
    writer = IndexWriter()
    for name, words in (("a", ["x", "y"]), ("b", ["y"]), ("c", ["z"]), ("d", ["w"]), ("e", ["v"])):
        builder = FactsBuilder()
        builder.chunk(words)
        writer.apply([Put(name, builder.facts())])
    twice = {hit.path: hit.score for hit in writer.snapshot.search(["y", "y"], 9)}
    weighted = {hit.path: hit.score for hit in writer.snapshot.search({"y": 2.0}, 9)}
    assert twice == weighted
    assert set(twice) == {"a", "b"}


def test_one_chunk_workspace_still_finds_it() -> None:
    builder = FactsBuilder()
    builder.chunk(["only"])
    snapshot = IndexWriter().apply([Put("a", builder.facts())])
    assert [hit.path for hit in snapshot.search(["only"], 3)] == ["a"]


def test_empty_index_and_empty_query_find_nothing() -> None:
    writer = IndexWriter()
    assert writer.snapshot.search(["x"], 3) == []
    writer.apply([Put("a", FactsBuilder().facts())])
    assert writer.snapshot.search(["x"], 3) == []
    assert writer.snapshot.search([], 3) == []
    assert writer.snapshot.search(["x"], 0) == []
