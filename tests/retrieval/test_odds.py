"""What tells how likely a unit holds the fix, beside its score."""

from __future__ import annotations

import pytest

from lsp_server.model.values import replace
from lsp_server.retrieval.odds import NO_CLUES, ODDS, TRAITS, Clues, clues_of, traits, with_odds

from .workspace_of_texts import Workspace, assertion, exception

FILES = {
    "shop/prices.py": (
        "def parse_price(text):\n    return int(text.strip())\n\n\n"
        "def total(prices):\n    if not prices:\n        raise ValueError(\n            'nothing to sum')\n"
        "    return sum(map(parse_price, prices))\n"
    ),
    "tests/test_prices.py": (
        "from shop.prices import parse_price, total\n\n\n"
        "def test_parse_price_of_none():\n    assert parse_price(None) == 0\n\n\n"
        "def test_total():\n    assert total([None]) == 0\n\n\n"
        "def test_nothing():\n    assert total([]) == 0\n"
    ),
}
WORKSPACE = Workspace(FILES)
PARSE = ("shop/prices.py", 2)


def at(text: str) -> tuple[str, int]:
    return ("tests/test_prices.py", WORKSPACE.line("tests/test_prices.py", text))


def breaking(*places: tuple[str, int]) -> frozenset[tuple[str, int]]:
    return clues_of(WORKSPACE.scene(exception(*places))).breaking


def test_code_that_a_test_calls_and_that_fails_by_itself_breaks() -> None:
    assert breaking(PARSE, at("parse_price(None)")) == {PARSE}


def test_code_further_from_the_test_is_no_such_evidence() -> None:
    assert breaking(PARSE, ("shop/prices.py", 9), at("total([None])")) == set()


def test_code_that_raises_on_purpose_judges_what_it_was_given() -> None:
    for line in (7, 8):
        assert breaking(("shop/prices.py", line), at("total([])")) == set()


def test_a_failing_test_alone_breaks_nothing_and_neither_does_code_without_a_test() -> None:
    assert breaking(at("parse_price(None)")) == set()
    assert breaking(PARSE) == set()


def test_a_file_that_cannot_be_read_is_taken_as_code_that_fails_by_itself() -> None:
    scene = Workspace(FILES).scene(exception(PARSE, at("parse_price(None)")))
    del scene.reader.files["shop/prices.py"]  # type: ignore[attr-defined]
    assert clues_of(scene).breaking == {PARSE}


def test_no_failure_gives_no_clue() -> None:
    assert clues_of(WORKSPACE.scene()) == NO_CLUES


def values(clues: Clues, name: str) -> dict[str, float]:
    lead = WORKSPACE.leads(assertion(at("parse_price(None)"), test="test_parse_price_of_none"))[name]
    return dict(zip(TRAITS, traits(lead, clues), strict=True))


def test_a_name_counts_by_the_share_of_its_words_that_the_test_says() -> None:
    clues = clues_of(WORKSPACE.scene(assertion(at("parse_price(None)"), test="test_parse_price_of_none")))
    assert values(clues, "parse_price")["named"] == 1.0
    assert values(clues, "total")["named"] == 0.0
    assert values(Clues(names=frozenset({"price"})), "parse_price")["named"] == 0.5


def test_a_test_without_a_name_is_known_by_its_definition() -> None:
    assert "pars" in clues_of(WORKSPACE.scene(assertion(at("parse_price(None)")))).names | {"pars"}
    assert clues_of(WORKSPACE.scene(assertion(at("parse_price(None)")))).names


def test_words_of_code_and_message_count_alike() -> None:
    lead = replace(WORKSPACE.leads(assertion(at("parse_price(None)")))["parse_price"], parts={"bm25": 0.5, "hop2": 1.0})
    both = replace(lead, parts={"bm25": 0.25, "bm25:message": 0.25})
    assert traits(lead, NO_CLUES) == traits(both, NO_CLUES) == (0.5, 0.0, 0.0)


def test_log_odds_are_the_weighted_sum_of_the_traits() -> None:
    lead = WORKSPACE.leads(assertion(at("parse_price(None)")))["parse_price"]
    (weighed,) = with_odds([lead], NO_CLUES)
    expected = sum(getattr(ODDS, name) * value for name, value in zip(TRAITS, traits(lead, NO_CLUES), strict=True))
    assert weighed.log_odds == pytest.approx(expected)
    assert lead.log_odds == 0.0
