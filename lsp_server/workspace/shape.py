"""What the shape of a text says: minified or not. Looks at the whole file, decided before parsing."""

from __future__ import annotations

MINIFIED_MIN_BYTES = 8_000
MINIFIED_MEAN_LINE = 300
"""Mean length of non-blank lines. Written code stays under 60; long prose lines and tables under 200."""
MINIFIED_LONG_LINE = 5_000
MINIFIED_LONG_SHARE = 0.5
"""More than half of the text stands in lines over MINIFIED_LONG_LINE."""


def is_minified(text: str) -> bool:
    """True for machine-packed text: a few enormous lines. Short texts never are."""
    size = len(text)
    if size < MINIFIED_MIN_BYTES:
        return False
    newlines = max(text.count("\n"), text.count("\r"))
    if size <= (newlines + 1) * (MINIFIED_MEAN_LINE // 4):
        return False
    lines = [length for length in map(len, text.replace("\r", "\n").split("\n")) if length]
    if not lines:
        return False
    if size / len(lines) > MINIFIED_MEAN_LINE:
        return True
    return sum(length for length in lines if length > MINIFIED_LONG_LINE) > size * MINIFIED_LONG_SHARE
