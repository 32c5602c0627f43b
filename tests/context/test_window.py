"""The budget that a model's window leaves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsp_server.context.window import pack_budget
from lsp_server.model.errors import BudgetError

_reserves = st.dictionaries(st.sampled_from(["system", "tools", "history", "output"]), st.integers(0, 50_000))


@given(st.integers(0, 200_000), _reserves)
def test_the_sum_never_exceeds_the_window(window: int, reserves: dict[str, int]) -> None:
    if sum(reserves.values()) > window:
        with pytest.raises(BudgetError):
            pack_budget(window, reserves)
    else:
        assert pack_budget(window, reserves) + sum(reserves.values()) == window


@pytest.mark.parametrize(
    ("window", "reserves", "path"),
    [
        (-1, {}, "window"),
        (1.5, {}, "window"),
        (True, {}, "window"),
        (9, {"tools": -1}, "reserves.tools"),
        (9, {"tools": float("nan")}, "reserves.tools"),
        (9, {"tools": 5, "output": 5}, "reserves"),
    ],
)
def test_wrong_amounts_are_typed_errors(window: object, reserves: dict[str, object], path: str) -> None:
    with pytest.raises(BudgetError) as caught:
        pack_budget(window, reserves)  # type: ignore[arg-type]
    assert caught.value.path == path
