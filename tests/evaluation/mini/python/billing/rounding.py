"""Rounding of money."""

from decimal import ROUND_HALF_EVEN, Decimal


def to_decimal(amount):
    return Decimal(str(amount))


def round_half_up(amount):
    return float(to_decimal(amount).quantize(Decimal("0.01"), rounding=ROUND_HALF_EVEN))


def round_down(amount):
    return int(amount)
