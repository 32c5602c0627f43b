"""Words: what is indexed and what is asked meet in the same terms."""

from __future__ import annotations

from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsp_server.text.words import MAX_WORD, split_identifier, terms


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("parse", ("parse",)),
        ("Parse", ("parse",)),
        ("parseHTTPRequest2", ("parsehttprequest2", "parse", "http", "request2")),
        ("snake_case_name", ("snake_case_name", "snake", "case", "name")),
        ("__init__", ("__init__", "init")),
        ("utf8Decode", ("utf8decode", "utf8", "decode")),
        ("parseInt32Value", ("parseint32value", "parse", "int32", "value")),
        ("SHA1sum", ("sha1sum", "sha1", "sum")),
        ("getURLsFor", ("geturlsfor", "get", "urls", "for")),
        ("12abc34", ("12abc34",)),
        ("ÉcoleNormale", ("écolenormale", "école", "normale")),
        ("数据库", ("数", "据", "库", "数据", "据库")),
        ("_", ()),
        ("ＡＰＩ", ("api",)),
        ("мояФункция", ("мояфункция", "моя", "функция")),
        ("मुंबई", ("मुंबई",)),
    ],
)
def test_a_word_gives_itself_and_its_parts(word: str, expected: tuple[str, ...]) -> None:
    assert split_identifier(word) == expected


def test_a_query_part_finds_a_mixed_script_identifier() -> None:
    assert {"get", "名", "ザー"} <= set(terms("const getユーザー名 = 1"))


def test_composed_and_decomposed_accents_meet() -> None:
    assert terms(normalize("NFD", "caféBar")) == terms(normalize("NFC", "caféBar"))


def test_punctuation_outside_ascii_parts_words() -> None:
    assert terms("“foo”—bar…baz") == ["foo", "bar", "baz"]


def test_long_runs_are_no_words() -> None:
    assert terms("x" * (MAX_WORD + 1)) == []
    assert terms("x" * MAX_WORD) == ["x" * MAX_WORD]


def test_special_token_literals_are_plain_text() -> None:
    assert terms("<|endoftext|>") == ["endoftext"]


@given(st.text(alphabet=st.characters(codec="ascii"), max_size=60))
def test_terms_are_lower_case_and_not_empty(text: str) -> None:
    assert all(term and term == term.lower() for term in terms(text))


@given(st.from_regex(r"[a-z]{2,8}([A-Z][a-z]{1,6}){0,3}", fullmatch=True))
def test_parts_joined_are_the_whole(word: str) -> None:
    whole, *parts = split_identifier(word)
    assert whole == word.lower()
    assert not parts or "".join(parts) == whole
