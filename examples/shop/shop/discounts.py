"""Discount codes and what they take off."""

from __future__ import annotations

from .order import Order

PERCENT_CODES = {"WELCOME10": 10, "SUMMER25": 25}
BULK_QUANTITY = 10
BULK_PERCENT = 5


def percent_of(amount: int, percent: int) -> int:
    """`percent` of `amount` cents, rounded half up."""
    return (amount * percent + 50) // 100


def code_discount(order: Order) -> int:
    """What the best of the order's codes takes off; codes do not add up."""
    best = 0
    for code in order.codes:
        best = min(best, PERCENT_CODES.get(code.upper(), 0))
    return percent_of(order.subtotal(), best)


def bulk_discount(order: Order) -> int:
    """A little off every line that is bought in bulk."""
    return sum(percent_of(line.subtotal(), BULK_PERCENT) for line in order.lines if line.quantity >= BULK_QUANTITY)
