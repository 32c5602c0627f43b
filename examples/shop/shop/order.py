"""What a customer wants to buy."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Line:
    """One position of an order. Prices are in cents."""

    sku: str
    quantity: int
    unit_price: int

    def subtotal(self) -> int:
        return self.quantity * self.unit_price


@dataclass
class Order:
    """Lines and the discount codes that the customer typed."""

    lines: list[Line] = field(default_factory=list)
    codes: list[str] = field(default_factory=list)

    def add(self, sku: str, quantity: int, unit_price: int) -> None:
        self.lines.append(Line(sku, quantity, unit_price))

    def subtotal(self) -> int:
        return sum(line.subtotal() for line in self.lines)
