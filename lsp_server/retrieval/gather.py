"""Runs every source over one snapshot and brings together what they say of the same place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from ..model.candidate import Reason
from ..model.source import Checkpoint
from . import bm25, caller, change, definition, diagnostic, exact, head, mention, second_hop, test_link
from .lead import Lead, SourceResult
from .scene import Scene

Source = Callable[[Scene], list[SourceResult]]
Follower = Callable[[Scene, tuple[Lead, ...]], list[SourceResult]]

SOURCES: tuple[Source, ...] = (
    diagnostic.candidates,
    definition.candidates,
    test_link.candidates,
    caller.candidates,
    change.candidates,
    bm25.candidates,
    mention.mentions,
    mention.open_documents,
    mention.rules,
    exact.candidates,
)
"""Sources that start from the failure. The order decides nothing about rank; `exact` is last because its
answers may still be on their way."""

FOLLOWERS: tuple[Follower, ...] = (second_hop.candidates, head.candidates)
"""Sources that start from what the first ones found."""

STRENGTH = (
    Reason.MENTION,
    Reason.FAILURE,
    Reason.REFERENCE,
    Reason.SEARCH,
    Reason.OPEN,
    Reason.RULE,
    Reason.MAP,
)
"""When several sources propose one place, the item carries the first of these reasons."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """All leads, one a place, and what each source found and cut."""

    leads: tuple[Lead, ...]
    found: Mapping[str, int]
    cut: Mapping[str, int]


def gather(
    scene: Scene,
    checkpoint: Checkpoint,
    sources: tuple[Source, ...] = SOURCES,
    followers: tuple[Follower, ...] = FOLLOWERS,
) -> Gathered:
    """Run `sources`, then `followers` on what those found, looking at the checkpoint between them."""
    collected = _Collected()
    for source in sources:
        checkpoint()
        collected.add(source(scene))
    first_round = tuple(collected.places.values())
    for follower in followers:
        checkpoint()
        collected.add(follower(scene, first_round))
    return Gathered(
        tuple(collected.places.values()), MappingProxyType(collected.found), MappingProxyType(collected.cut)
    )


@dataclass(slots=True)
class _Collected:
    """Leads by place while the sources run."""

    places: dict[str, Lead] = field(default_factory=dict[str, Lead])
    found: dict[str, int] = field(default_factory=dict[str, int])
    cut: dict[str, int] = field(default_factory=dict[str, int])

    def add(self, results: list[SourceResult]) -> None:
        for result in results:
            self.found[result.source] = self.found.get(result.source, 0) + len(result.leads)
            self.cut[result.source] = self.cut.get(result.source, 0) + result.cut
            for lead in result.leads:
                held = self.places.get(lead.id)
                self.places[lead.id] = _with_parts(lead) if held is None else _joined(held, lead)


def _with_parts(lead: Lead) -> Lead:
    return replace(lead, parts=MappingProxyType({lead.source: lead.score}))


def _joined(held: Lead, more: Lead) -> Lead:
    """One lead for one place: the stronger reason speaks, every source's score is kept as a part."""
    first, second = sorted((held, more), key=lambda lead: (STRENGTH.index(lead.reason), -lead.score))
    parts = dict(held.parts)
    parts[more.source] = max(more.score, parts.get(more.source, 0.0))
    return replace(
        first,
        parts=MappingProxyType(parts),
        required=held.required or more.required,
        trail=first.trail or second.trail,
    )
