"""Names are compared by their parts, without what plurals and verb forms add."""

from __future__ import annotations

import pytest

from lsp_server.retrieval.naming import file_stem, joined, name_parts, stem, stems


@pytest.mark.parametrize(
    ("one", "other"),
    [("prefixes", "prefix"), ("queries", "query"), ("parsed", "parsing"), ("strings", "string"), ("routes", "routed")],
)
def test_forms_of_one_word_meet(one: str, other: str) -> None:
    assert stem(one) == stem(other)


@pytest.mark.parametrize("word", ["class", "is", "ring", "bus", ""])
def test_short_words_and_double_s_stay(word: str) -> None:
    assert stem(word) == word


def test_a_test_says_no_more_than_what_it_tests() -> None:
    assert name_parts("test_simple_format[string_prefixes]") == ["simple", "format", "string", "prefixes"]
    assert stems("normalize_string_prefix") == ("normalize", "string", "prefix")


def test_neighbours_are_joined_as_code_spells_them() -> None:
    assert {"vmodel", "effectscope", "effect_scope"} <= {*joined("v-model\neffect scope")}


def test_a_file_is_called_by_what_stands_before_its_first_dot() -> None:
    assert file_stem("packages/core/vModel.spec.ts") == "vModel"
