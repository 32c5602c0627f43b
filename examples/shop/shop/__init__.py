"""Orders, prices and discounts of a small shop."""

from .checkout import checkout
from .order import Line, Order

__all__ = ["Line", "Order", "checkout"]
