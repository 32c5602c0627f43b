"""`stop: auto` from a failure to a pack: short when the failing code is surely to blame, filled when it is not."""

from __future__ import annotations

from lsp_server.context.build import build_context
from lsp_server.model.failure import Failure
from lsp_server.model.pack import ContextPack
from lsp_server.model.request import Budget, BuildRequest, Stop
from lsp_server.model.values import replace

from .workspace_of_texts import Workspace, assertion, exception

OTHERS = "".join(
    f"def price_of_{name}(cart):\n    lines = cart.lines\n    for line in lines:\n        line.check()\n"
    f"    total = sum(lines)\n    return total + {len(name)}\n\n\n"
    for name in ("apples", "pears", "plums", "nuts", "figs", "dates", "limes", "leeks", "peas", "beans") * 3
)
FILES = {
    "shop/prices.py": f"def parse_price(text):\n    return int(text.strip())\n\n\n{OTHERS}",
    "tests/test_prices.py": (
        "from shop.prices import parse_price, price_of_apples\n\n\n"
        "def test_parse_price():\n    assert parse_price(None) == 0\n\n\n"
        "def test_cart():\n    assert shop() == 3\n"
    ),
}
WORKSPACE = Workspace(FILES)
BROKEN = exception(
    ("shop/prices.py", 2), ("tests/test_prices.py", 5), message="AttributeError", test="test_parse_price"
)
UNCLEAR = assertion(("tests/test_prices.py", 9), message="assert 4 == 3", test="test_cart")


def built(failure: Failure, stop: Stop, limit: int = 8_000) -> ContextPack:
    request = BuildRequest(failures=(failure,), budget=Budget(limit=limit, stop=stop), explain=True)
    return build_context(WORKSPACE.snapshot, request, WORKSPACE.means)


def ids(pack: ContextPack) -> list[str]:
    return [item.id for item in pack.selection.items]


def test_code_that_breaks_by_itself_under_its_test_is_shown_with_little_else() -> None:
    filled, stopped = built(BROKEN, Stop.FILL), built(BROKEN, Stop.AUTO)
    assert "shop/prices.py:1-2" in ids(stopped)
    assert len(ids(stopped)) < len(ids(filled)) / 3
    assert not stopped.selection.missing_critical
    assert any(one.detail.startswith("stopped") for one in stopped.selection.omitted)


def test_where_nothing_stands_out_most_of_the_pack_stays() -> None:
    filled, stopped = built(UNCLEAR, Stop.FILL), built(UNCLEAR, Stop.AUTO)
    assert len(ids(stopped)) > len(ids(filled)) / 2


def test_a_stopped_pack_is_a_part_of_the_filled_one_in_its_order_at_any_budget() -> None:
    for failure in (BROKEN, UNCLEAR, replace(BROKEN, test=None)):
        for limit in (0, 60, 300, 1_000, 8_000):
            shown = ids(built(failure, Stop.AUTO, limit))
            assert shown == [one for one in ids(built(failure, Stop.FILL, limit)) if one in set(shown)]


def test_asking_to_explain_changes_no_stop() -> None:
    request = BuildRequest(failures=(BROKEN,), budget=Budget(limit=8_000, stop=Stop.AUTO))
    assert ids(build_context(WORKSPACE.snapshot, request, WORKSPACE.means)) == ids(built(BROKEN, Stop.AUTO))
