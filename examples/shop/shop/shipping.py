"""Shipping costs."""

from __future__ import annotations

FREE_FROM = 5_000
FLAT = 490


def shipping_cost(net: int) -> int:
    """Free from a certain amount on, else a flat rate. Cents."""
    return 0 if net >= FREE_FROM else FLAT
