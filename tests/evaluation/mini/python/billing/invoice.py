"""Invoices and what they add up to."""

from .rounding import round_half_up
from .tax import Rates


class Invoice:
    """Lines of an invoice."""

    def __init__(self, country):
        self.rates = Rates(country)
        self.lines = []

    def add(self, name, net, kind="standard"):
        self.lines.append((name, net, kind))
        return self

    def net(self):
        return sum(net for _, net, _ in self.lines)

    def gross(self):
        return round_half_up(sum(self.rates.with_tax(net, kind) for _, net, kind in self.lines))
