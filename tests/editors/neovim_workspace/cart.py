"""The cart and its sum."""

from prices import price_of


def total(lines: list[tuple[str, int]]) -> int:
    """The sum of all lines, in cents."""
    result = 0
    for article, count in lines:
        result += price_of(article) * count
    return result
