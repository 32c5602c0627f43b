"""Terms of all chunks at once are the terms of each chunk counted by itself."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lsp_server.syntax.fingerprints import distinct, fingerprints
from lsp_server.syntax.terms import Spans, count_terms
from lsp_server.text.words import terms

LINES = st.lists(
    st.text(alphabet=st.sampled_from("aB_1 .\u00e9\u4e2d\u2028")) | st.text(st.characters(exclude_characters="\n")),
    max_size=8,
)


@given(texts=st.lists(st.tuples(LINES, st.sets(st.integers(0, 7))), min_size=1, max_size=3))
def test_terms_of_spans_are_those_of_their_texts(texts: list[tuple[list[str], set[int]]]) -> None:
    given: list[Spans] = []
    shown: list[list[str]] = []
    for lines, chosen in texts:
        picked = [index for index in sorted(chosen) if index < len(lines)]
        encoded = [line.encode("utf-8", "replace") + b"\n" for line in lines]
        starts = [sum(map(len, encoded[:index])) for index in picked]
        ends = [start + len(encoded[index]) for start, index in zip(starts, picked, strict=True)]
        given.append(Spans(b"".join(encoded), starts, ends))
        shown.append([encoded[index].decode() for index in picked])
    for text, spans, counted in zip(shown, given, count_terms(given), strict=True):
        assert list(counted.words) == list(dict.fromkeys(term for span in text for term in terms(span)))
        assert len(counted.first) == len(spans.starts) + 1
        for at, span in enumerate(text):
            entries = range(counted.first[at], counted.first[at + 1])
            found = {counted.words[counted.term[entry]]: counted.count[entry] for entry in entries}
            assert found == Counter(terms(span))
            assert list(counted.term[counted.first[at] : counted.first[at + 1]]) == sorted(
                counted.term[counted.first[at] : counted.first[at + 1]]
            )
            assert counted.length[at] == sum(found.values())


def test_a_word_that_the_end_of_a_span_cuts_does_not_count() -> None:
    assert count_terms([Spans(b"whole cut", [0], [8])])[0].words == ("whole",)


@given(st.lists(st.binary(max_size=60) | st.binary(min_size=280, max_size=300)))
def test_equal_pieces_and_no_others_have_equal_fingerprints(pieces: list[bytes]) -> None:
    pieces = [piece.replace(b"\0", b"x") for piece in pieces] * 2
    ends = np.cumsum(np.array([0, *map(len, pieces)], dtype=np.int64))
    found = distinct(fingerprints(b"".join(pieces), ends[:-1], ends[1:]))
    assert [pieces[first] for first in found.first] == list(dict.fromkeys(pieces))
    assert [pieces[found.first[number]] for number in found.number] == pieces
