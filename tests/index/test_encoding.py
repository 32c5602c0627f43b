"""Facts survive the way to bytes and back; damaged bytes are told apart."""

from __future__ import annotations

import contextlib
import random
from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsp_server.index.encoding import ENCODING_VERSION, FactsCorrupt, decode_code, decode_facts, encode_facts
from lsp_server.model.facts import FactFlag, FileFacts, Import, Problem, ReferenceColumns
from lsp_server.model.values import replace

from .facts_builder import FactsBuilder, random_facts


@given(st.integers())
def test_facts_come_back_equal(seed: int) -> None:
    facts = random_facts(random.Random(seed))
    assert decode_facts(encode_facts(facts)) == facts


@given(st.integers())
def test_code_comes_back_without_its_search_terms(seed: int) -> None:
    facts = random_facts(random.Random(seed))
    assert decode_code(encode_facts(facts)) == without_terms(facts)


@given(*[st.lists(st.text(alphabet="ab\0", max_size=2), max_size=3)] * 2, st.lists(st.text(), max_size=1))
def test_strings_before_and_behind_the_search_terms_stay(names: list[str], terms: list[str], last: list[str]) -> None:
    problems = tuple(Problem(2, message) for message in last)
    facts = FileFacts("python", "h", 1, 1, names=("", *names), terms=tuple(terms), problems=problems)
    assert decode_code(encode_facts(facts)) == without_terms(facts)


def without_terms(facts: FileFacts) -> FileFacts:
    """The facts as `decode_code` gives them."""
    return replace(facts, terms=(), term=array("i"), term_count=array("i"))


def test_empty_facts_come_back_equal() -> None:
    facts = FileFacts("", "h", 0, 0)
    assert decode_facts(encode_facts(facts)) == facts


@given(st.lists(st.tuples(*[st.integers(-(2**31), 2**31 - 1)] * 6), max_size=20))
def test_any_32_bit_columns_come_back_equal(rows: list[tuple[int, ...]]) -> None:
    columns = [array("i", [row[at] for row in rows]) for at in range(6)]
    facts = FileFacts("go", "h", 1, 1, references=ReferenceColumns(*columns))
    assert decode_facts(encode_facts(facts)) == facts


@given(st.lists(st.text(), max_size=6), st.text(), st.text())
def test_any_strings_come_back_equal(names: list[str], module: str, message: str) -> None:
    facts = FileFacts(
        "python",
        "h",
        2**32 - 1,
        7,
        names=("", *names),
        imports=(Import(module, "*", "", 4, reexport=True),),
        terms=tuple(names),
        problems=(Problem(2, message),),
        project=(("name", message), ("paths:@/*", "src/*")),
        flags=FactFlag.MINIFIED | FactFlag.TRUNCATED,
    )
    assert decode_facts(encode_facts(facts)) == facts


def test_equal_facts_give_equal_bytes() -> None:
    assert encode_facts(random_facts(random.Random(5))) == encode_facts(random_facts(random.Random(5)))


def test_another_version_is_refused() -> None:
    data = bytearray(encode_facts(FactsBuilder().facts()))
    data[3] = ENCODING_VERSION + 1
    with pytest.raises(FactsCorrupt):
        decode_facts(bytes(data))


@given(st.integers(), st.data())
def test_cut_bytes_are_refused(seed: int, data: st.DataObject) -> None:
    encoded = encode_facts(random_facts(random.Random(seed)))
    cut = data.draw(st.integers(0, len(encoded) - 1))
    with pytest.raises(FactsCorrupt):
        decode_facts(encoded[:cut])


@given(st.integers(), st.data())
def test_flipped_bits_are_refused_or_harmless(seed: int, data: st.DataObject) -> None:
    facts = random_facts(random.Random(seed))
    encoded = bytearray(encode_facts(facts))
    encoded[data.draw(st.integers(0, len(encoded) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    with contextlib.suppress(FactsCorrupt):
        assert decode_facts(bytes(encoded)) == facts
