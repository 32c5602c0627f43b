"""From an order to the amount that is charged."""

from __future__ import annotations

from .discounts import bulk_discount, code_discount
from .order import Order
from .shipping import shipping_cost
from .tax import add_tax


def net_total(order: Order) -> int:
    """Subtotal less all discounts, plus shipping, before tax."""
    reduced = order.subtotal() - code_discount(order) - bulk_discount(order)
    return reduced + shipping_cost(reduced)


def checkout(order: Order, country: str = "DE") -> int:
    """The amount in cents that the customer pays."""
    if not order.lines:
        raise ValueError("an empty order cannot be checked out")
    return add_tax(net_total(order), country)
