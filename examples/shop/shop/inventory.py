"""What is in stock. Not part of the failing path."""

from __future__ import annotations


class OutOfStock(Exception):
    """Raised when more is asked for than there is."""


class Inventory:
    def __init__(self) -> None:
        self._stock: dict[str, int] = {}

    def receive(self, sku: str, quantity: int) -> None:
        self._stock[sku] = self._stock.get(sku, 0) + quantity

    def take(self, sku: str, quantity: int) -> None:
        left = self._stock.get(sku, 0) - quantity
        if left < 0:
            raise OutOfStock(f"{sku}: {-left} missing")
        self._stock[sku] = left
