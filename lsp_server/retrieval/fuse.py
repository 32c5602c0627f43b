"""The fused score: one documented weighted sum of what every source says of a place.

Each source normalises its own scores to 0..1; the weights say what a source is worth. Summing beat
reciprocal rank fusion by .02 to .04 line recall in the first measurements.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType

from .lead import Lead

WEIGHTS_VERSION = 1

WEIGHTS: Mapping[str, float] = MappingProxyType(
    {
        "diagnostic": 1.5,
        "traceback": 1.5,
        "assertion-call": 1.2,
        "definition": 1.0,
        "lsp": 1.2,
        "test-link": 1.0,
        "caller": 0.4,
        "type": 0.3,
        "head": 0.3,
        "hop2": 0.6,
        "change": 0.6,
        "bm25": 1.0,
        "mention": 2.0,
        "open": 0.3,
        "rule": 0.2,
    }
)
"""Weight of each source in the fused score, by source id (`lsp:*` under `lsp`)."""

TEST_SHARE = 0.3
"""A test that does not fail itself counts this share: it repeats the words of what it tests."""


def fused_score(lead: Lead) -> float:
    """The weighted sum of the lead's parts."""
    total = sum(WEIGHTS[source.split(":")[0]] * score for source, score in lead.parts.items())
    failing = "traceback" in lead.parts or "diagnostic" in lead.parts
    return total * (TEST_SHARE if lead.is_test and not failing else 1.0)


def fused(leads: Iterable[Lead]) -> tuple[Lead, ...]:
    """The same leads with the fused score as their score."""
    return tuple(replace(lead, score=fused_score(lead)) for lead in leads)
