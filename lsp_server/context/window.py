"""How much of a model's window is left for the pack."""

from __future__ import annotations

from collections.abc import Mapping

from ..model.errors import BudgetError
from ..model.request import whole_amount


def pack_budget(window: int, reserves: Mapping[str, int]) -> int:
    """`window` less all `reserves` (system prompt, tools, history, expected output), in tokens.

    The pack and the reserves together are exactly the window. Raises BudgetError naming the field when
    an amount is not a whole number >= 0, or when the reserves alone are over the window.
    """
    left = whole_amount(window, "window")
    for name, amount in reserves.items():
        left -= whole_amount(amount, f"reserves.{name}")
    if left < 0:
        raise BudgetError("reserves", f"take {window - left}, more than the window of {window}")
    return left
