"""A fingerprint names what was selected and how; a cache key what was asked."""

from __future__ import annotations

import pytest

from lsp_server.context.fingerprint import budget_id, cache_key, fingerprint
from lsp_server.context.pack import select
from lsp_server.model.candidate import Reason
from lsp_server.model.lines import LineRange
from lsp_server.model.request import Budget, Quota, Stop, Unit
from lsp_server.model.values import replace
from lsp_server.text.tokens import EstimateCounter

from .selection_cases import candidate, failing

ITEMS = select([candidate("a"), candidate("b", "b.py")], Budget(), EstimateCounter()).items
BASE = fingerprint(ITEMS, "p", Budget(), "c")


@pytest.mark.parametrize(
    "change",
    [{"path": "x.py"}, {"range": LineRange(9, 9)}, {"content_hash": "h"}, {"reason": Reason.OPEN}],
)
def test_it_changes_with_place_text_and_reason(change: dict[str, object]) -> None:
    assert fingerprint((replace(ITEMS[0], **change), *ITEMS[1:]), "p", Budget(), "c") != BASE


def test_it_changes_with_order_policy_budget_and_counter() -> None:
    others = {
        fingerprint(ITEMS[::-1], "p", Budget(), "c"),
        fingerprint(ITEMS, "q", Budget(), "c"),
        fingerprint(ITEMS, "p", Budget(7_999), "c"),
        fingerprint(ITEMS, "p", Budget(), "d"),
    }
    assert len(others | {BASE}) == 5


def test_it_does_not_change_with_score_or_why() -> None:
    assert fingerprint((replace(ITEMS[0], score=7, why="else"), *ITEMS[1:]), "p", Budget(), "c") == BASE


@pytest.mark.parametrize(
    "budget",
    [
        Budget(1), Budget(unit=Unit.CHARS), Budget(ceiling=9_000), Budget(reserve=1), Budget(max_items=1),
        Budget(per_file=1), Budget(per_source={"bm25": Quota(1)}), Budget(floors={}), Budget(stop=Stop.AUTO),
    ],
)  # fmt: skip
def test_a_budgets_id_knows_every_field(budget: Budget) -> None:
    assert budget_id(budget) != budget_id(Budget())


def test_a_cache_key_is_of_the_set_of_candidates_and_the_failing_places() -> None:
    given = [candidate("a"), candidate("b", "b.py")]
    key = cache_key(given, failing(("a.py", 1)), Budget(), "p", "c")
    assert cache_key(given[::-1], failing(("a.py", 1)), Budget(), "p", "c") == key
    assert cache_key(given[:1], failing(("a.py", 1)), Budget(), "p", "c") != key
    assert cache_key(given, failing(("a.py", 2)), Budget(), "p", "c") != key
    assert cache_key(given, failing(("b.py", 1)), Budget(), "p", "c") != key
