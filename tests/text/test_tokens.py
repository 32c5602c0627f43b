"""Counters: never raise, never count a text as nothing, never count a whole higher than its parts."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lsp_server.model.errors import SettingError
from lsp_server.model.request import Unit
from lsp_server.text.tokens import CharCounter, EstimateCounter, counter_for, counter_for_unit, utf8_size

ANY_TEXT = st.text(st.characters(exclude_categories=()))


@given(ANY_TEXT)
@example("<|endoftext|>")
@example("\ud800")
@example("\x00")
def test_counting_never_raises_and_only_the_empty_text_is_free(text: str) -> None:
    for counter in (EstimateCounter(), CharCounter()):
        assert (counter.count(text) == 0) == (text == "")


@given(ANY_TEXT, ANY_TEXT)
def test_a_whole_is_never_counted_higher_than_its_parts(one: str, other: str) -> None:
    counter = EstimateCounter()
    assert counter.count(one) <= counter.count(one + other) <= counter.count(one) + counter.count(other)


@given(st.text())
def test_the_size_is_that_of_the_utf8_bytes(text: str) -> None:
    assert utf8_size(text) == len(text.encode())


def test_the_estimate_is_three_bytes_a_token_rounded_up() -> None:
    assert [EstimateCounter().count(text) for text in ("a", "abc", "abcd", "日本")] == [1, 1, 2, 2]


def test_characters_are_code_points() -> None:
    assert CharCounter().count("日本👩") == 3


def test_counters_are_found_by_id_and_by_unit() -> None:
    assert counter_for("estimate-1").id == counter_for_unit(Unit.TOKENS).id == "estimate-1"
    assert counter_for("chars").id == counter_for_unit(Unit.CHARS).id == "chars"


def test_an_unknown_counter_is_a_typed_error() -> None:
    with pytest.raises(SettingError, match="estimate-1"):
        counter_for("gpt")
