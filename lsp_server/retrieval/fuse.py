"""The fused score: one documented weighted sum of what every source says of a place.

Each source normalises its own scores to 0..1; a part counts as `weight * score ** power`. Summing beat
reciprocal rank fusion by .02 to .04 line recall in the first measurements. The numbers were fitted on
bug fixes of public histories (`python -m lsp_server.evaluation.fit`, see docs/evaluation.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from ..model.facts import ChunkKind
from ..model.values import Value, replace
from .lead import Lead

WEIGHTS_VERSION = 7

SIZE_FROM = 800
"""Bytes up to which a unit's size costs it nothing."""


class PartWeight(Value):
    """What a part of the score is worth: `weight * score ** power`."""

    weight: float
    power: float = 1.0


class Fusion(Value):
    """The whole table.

    `kinds` are factors by what a unit is. `test_share` is the factor of a test that does not fail itself:
    it repeats the words of what it tests. A unit of more than SIZE_FROM bytes gets the factor
    `(SIZE_FROM / bytes) ** size_penalty`: it takes the room of several others.
    """

    parts: Mapping[str, PartWeight]
    kinds: Mapping[ChunkKind, float]
    test_share: float
    size_penalty: float

    def part(self, name: str) -> PartWeight:
        """The entry of a part; `lsp:pyright` stands under `lsp`."""
        entry = self.parts.get(name)
        return self.parts[name.split(":")[0]] if entry is None else entry


FUSION = Fusion(
    parts=MappingProxyType(
        {
            # Where it fails.
            "diagnostic": PartWeight(1.0),
            "traceback": PartWeight(0.05),
            # What the failing code uses, and what that uses.
            "assertion-call": PartWeight(0.3),
            "definition": PartWeight(0.6, 1.5),
            "lsp": PartWeight(1.0),
            "hop2": PartWeight(0.64, 0.5),
            "spectrum": PartWeight(2.0),
            # Who uses it, what is named like it, what stands around it.
            "caller": PartWeight(0.01),
            "test-link": PartWeight(0.49, 1.5),
            "type": PartWeight(0.01),
            "head": PartWeight(0.01),
            "change": PartWeight(0.8),
            "cochange": PartWeight(0.27),
            # What other tools hand in: their own scores, taken at face value. Not fitted: no corpus has any.
            "contribution": PartWeight(1.0),
            "import": PartWeight(0.4),
            # Shared words.
            "bm25": PartWeight(0.29, 2.0),
            "bm25:message": PartWeight(0.33, 0.7),
            "name": PartWeight(0.08),
            # What is known of the whole file.
            "file:words": PartWeight(0.36, 1.5),
            "file:test": PartWeight(0.37, 2.0),
            "file:near": PartWeight(0.06, 1.5),
            # What the user said.
            "mention": PartWeight(2.0),
            "open": PartWeight(0.3),
            "rule": PartWeight(0.2),
        }
    ),
    kinds=MappingProxyType(
        {
            ChunkKind.FUNCTION: 1.0,
            ChunkKind.HEAD: 0.8,
            ChunkKind.BLOCK: 0.94,
            ChunkKind.WINDOW: 0.24,
            ChunkKind.TYPE: 0.56,
        }
    ),
    test_share=0.2,
    size_penalty=0.09,
)
"""The weights of the `fused` policy, by part (see each source's file for what it says)."""


def fused_score(lead: Lead, fusion: Fusion = FUSION) -> float:
    """The weighted sum of the lead's parts, times the factors of its kind, its size and its being a test."""
    total = 0.0
    for name, score in lead.parts.items():
        entry = fusion.part(name)
        if score > 0:
            total += entry.weight * (score if entry.power == 1.0 else score**entry.power)
    if lead.kind is not None:
        total *= fusion.kinds[lead.kind]
    if lead.bytes > SIZE_FROM:
        total *= (SIZE_FROM / lead.bytes) ** fusion.size_penalty
    failing = "traceback" in lead.parts or "diagnostic" in lead.parts
    return total * (fusion.test_share if lead.is_test and not failing else 1.0)


def fused(leads: Iterable[Lead]) -> tuple[Lead, ...]:
    """The same leads with the fused score as their score."""
    return tuple(replace(lead, score=fused_score(lead)) for lead in leads)
