"""The map: within its budget, stable, without bodies, personalised, never showing what is denied."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lsp_server.context.looking import Looking, Scope
from lsp_server.context.map import MapRequest, map_code, map_request
from lsp_server.model.errors import BudgetError, PathError, RequestError
from lsp_server.repomap.rank import Focus
from lsp_server.text.tokens import CharCounter, EstimateCounter

from .indexed_folder import SHOP, look

TOKENS = EstimateCounter()


@pytest.fixture
def shop(tmp_path: Path) -> Looking:
    return look(tmp_path, SHOP)


def text_of(looking: Looking, **fields: object) -> str:
    return map_code(looking, MapRequest(**fields), TOKENS).text  # type: ignore[arg-type]


def test_signatures_are_grouped_by_file_in_order_of_path_and_line(shop: Looking) -> None:
    assert text_of(shop, budget=2000, folder="shop") == (
        "shop/checkout.py\n  def checkout_order(order: Order) -> int\n"
        "shop/order.py\n  class Order\n    def __init__(self, lines)\n    def subtotal_amount(self)\n"
        "shop/report.py\n  def print_report()\n"
        "shop/tax.py\n  RATES\n  def add_value_tax(net: int, country: str = 'DE') -> int\n"
    )


def test_bodies_are_never_shown(shop: Looking) -> None:
    assert "secret_body_marker" not in text_of(shop, budget=5000, depth=9)


@given(budget=st.integers(0, 400))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_budget_is_kept_exactly_and_more_budget_never_shows_fewer_files(shop: Looking, budget: int) -> None:
    for counter in (TOKENS, CharCounter()):
        drawn = map_code(shop, MapRequest(budget=budget), counter)
        assert drawn.used == counter.count(drawn.text) <= budget
        assert "".join(f"{file.path}\n" in drawn.text and "y" for file in drawn.files) == "y" * len(drawn.files)


def test_the_same_workspace_gives_the_same_bytes_however_it_was_indexed(tmp_path: Path) -> None:
    first = look(tmp_path, SHOP)
    order = list(SHOP)
    for seed in range(6):
        random.Random(seed).shuffle(order)
        other = look(tmp_path, SHOP, order=order, batch=1 + seed % 3)
        for budget in (60, 120, 1000):
            assert text_of(other, budget=budget) == text_of(first, budget=budget)


def test_a_line_more_above_changes_nothing(tmp_path: Path) -> None:
    before = text_of(look(tmp_path / "a", SHOP), budget=300)
    after = text_of(look(tmp_path / "b", SHOP | {"shop/tax.py": "# note\n\n" + SHOP["shop/tax.py"]}), budget=300)
    assert after == before


def test_what_is_in_focus_comes_first_and_is_not_repeated(shop: Looking) -> None:
    drawn = map_code(shop, MapRequest(Focus(files=("shop/checkout.py",)), budget=500), TOKENS)
    best = sorted(drawn.files, key=lambda file: -file.score)
    assert {file.path for file in best[:2]} == {"shop/tax.py", "shop/order.py"}
    assert "shop/checkout.py" not in {file.path for file in drawn.files}
    named = map_code(shop, MapRequest(Focus(names=("print_report",)), budget=15), TOKENS)
    assert [file.path for file in named.files] == ["shop/report.py"]
    asked = map_code(shop, MapRequest(Focus(words="where is the cart filled"), budget=30), TOKENS)
    assert "web/cart.ts" in {file.path for file in asked.files}


def test_tests_rank_below_the_code_they_test(shop: Looking) -> None:
    assert "tests/" not in text_of(shop, budget=60)
    assert "tests/test_order.py" in text_of(shop, budget=5000)


def test_depth_and_scope_limit_what_is_shown(shop: Looking) -> None:
    assert text_of(shop, budget=500, depth=0).splitlines() == sorted(SHOP)
    assert "subtotal_amount" not in text_of(shop, budget=500, depth=1, folder="shop")
    assert text_of(shop, budget=500, scope=Scope(include=("*.ts",))).startswith("web/cart.ts\n")
    assert "web/" not in text_of(shop, budget=500, scope=Scope(exclude=("web/",)))


def test_denied_files_are_not_even_named(tmp_path: Path) -> None:
    looking = look(tmp_path, SHOP | {".env": "A=1\n", ".env.py": "def add_value_tax():\n    pass\n"})
    assert looking.snapshot.has(".env.py")
    assert ".env" not in text_of(looking, budget=5000, depth=0) + text_of(looking, budget=5000)


def test_the_default_budget_follows_the_focus() -> None:
    assert MapRequest().tokens == 2048
    assert MapRequest(Focus(files=("a.py",))).tokens == 1024
    assert MapRequest(Focus(names=tuple("abcdefg"))).tokens == 512
    assert MapRequest(budget=7).tokens == 7


def test_mentions_count_as_focus_or_symbols() -> None:
    request = map_request({"focus": ["a.py"], "mentions": [{"path": "./b.py"}, {"symbol": "C.d"}, {"path": "a.py"}]})
    assert request.focus == Focus(files=("a.py", "b.py"), names=("C.d",))


def test_wrong_requests_name_the_field() -> None:
    with pytest.raises(BudgetError, match="budget"):
        map_request({"budget": -1})
    with pytest.raises(PathError, match=r"focus\[1\]"):
        map_request({"focus": ["a.py", "../b.py"]})
    with pytest.raises(RequestError, match="depth"):
        map_request({"depth": 99})
    with pytest.raises(RequestError, match="symbols"):
        map_request({"symbols": "x"})
