"""Counting: how much of a budget a text takes. Offline, deterministic, never raises on any text.

Model tokenizers are not used by default: they need tables that are fetched at run time. Anything with
an `id` and a `count` (see `TokenCounter`) can be handed in instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ..model.errors import SettingError
from ..model.request import Unit
from ..model.source import TokenCounter
from ..model.values import Value

BYTES_PER_TOKEN = 3
"""UTF-8 bytes one token is taken to hold.

Measured with the cl100k_base vocabulary over 1,046 source, JSON and Markdown files of public repositories:
3.9 bytes a token in all, 4.1 in the median file, fewer than 3 in one file of 23. So this over-counts.
"""


class EstimateCounter(Value):
    """Tokens estimated from the UTF-8 size: `ceil(bytes / 3)`, biased to over-count.

    Cutting a text in two never lowers the sum of the counts, so a pack whose parts fit also fits whole.
    """

    id: str = "estimate-1"

    def count(self, text: str) -> int:
        """Estimated tokens of `text`; 0 only for the empty text. Lone surrogates count three bytes each."""
        return -(-utf8_size(text) // BYTES_PER_TOKEN)


class CharCounter(Value):
    """Counts Unicode code points: the unit of a `maxChars` budget."""

    id: str = "chars"

    def count(self, text: str) -> int:
        """Code points of `text`."""
        return len(text)


DEFAULT_COUNTERS: Mapping[str, TokenCounter] = MappingProxyType(
    {counter.id: counter for counter in (EstimateCounter(), CharCounter())}
)


def utf8_size(text: str) -> int:
    """Bytes of `text` in UTF-8; never raises (a lone surrogate counts three)."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def counter_for(id: str) -> TokenCounter:
    """The counter called `id`. Raises SettingError for an unknown one."""
    counter = DEFAULT_COUNTERS.get(id)
    if counter is None:
        raise SettingError("counter", f"unknown counter {id!r}; known: {', '.join(DEFAULT_COUNTERS)}")
    return counter


def counter_for_unit(unit: Unit) -> TokenCounter:
    """The default counter of a budget in `unit`."""
    return CharCounter() if unit is Unit.CHARS else EstimateCounter()
