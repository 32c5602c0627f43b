"""Runs every source over one snapshot and brings together what they say of the same place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from ..model.source import Checkpoint
from ..model.values import Value, replace
from . import (
    bm25,
    caller,
    change,
    cochange,
    definition,
    diagnostic,
    exact,
    head,
    mention,
    names,
    pieces,
    priors,
    spectrum,
    test_link,
    unknown_name,
    walk,
)
from .joining import with_stronger_reason
from .lead import Lead, SourceResult
from .not_written_here import ranked_lower
from .scene import Scene
from .slicing import sliced

Source = Callable[[Scene], list[SourceResult]]
Follower = Callable[[Scene, tuple[Lead, ...]], list[SourceResult]]

SOURCES: tuple[Source, ...] = (
    diagnostic.candidates,
    definition.candidates,
    walk.candidates,
    spectrum.candidates,
    test_link.candidates,
    caller.candidates,
    unknown_name.candidates,
    change.candidates,
    cochange.candidates,
    bm25.candidates,
    mention.mentions,
    mention.open_documents,
    mention.rules,
    exact.candidates,
)
"""Sources that start from the failure. The order decides nothing about rank; `exact` is last because its
answers may still be on their way."""

FOLLOWERS: tuple[Follower, ...] = (head.candidates,)
"""Sources that start from what the first ones found."""


class Gathered(Value):
    """All leads, one a place, and what each source found and cut."""

    leads: tuple[Lead, ...]
    found: Mapping[str, int]
    cut: Mapping[str, int]


def gather(
    scene: Scene,
    checkpoint: Checkpoint,
    sources: tuple[Source, ...] = SOURCES,
    followers: tuple[Follower, ...] = FOLLOWERS,
    without: frozenset[str] = frozenset(),
) -> Gathered:
    """Run `sources`, then `followers` on what those found, looking at the checkpoint between them.

    What sources in `without` say is not counted: a comparison for evaluations.
    """
    collected = _Collected(without=without)
    for source in sources:
        checkpoint()
        collected.add(source(scene))
    first_round = tuple(collected.places.values())
    for follower in followers:
        checkpoint()
        collected.add(follower(scene, first_round))
    leads = tuple(collected.places.values())
    _add_further_parts(scene, leads, collected.parts, without)
    leads = ranked_lower(scene.snapshot, pieces.whole_functions(scene.snapshot, leads, scene.max_unit_bytes))
    return Gathered(
        sliced(leads, scene.max_unit_bytes), MappingProxyType(collected.found), MappingProxyType(collected.cut)
    )


def _add_further_parts(
    scene: Scene, leads: tuple[Lead, ...], parts_of: Mapping[str, dict[str, float]], without: frozenset[str]
) -> None:
    """Add to the parts of `leads`, by place, those that no source gives: of their files, and of their names."""
    of_files = {part: scores for part, scores in priors.file_parts(scene, leads).items() if part not in without}
    said: Mapping[str, float] = {} if names.PART in without else names.names_said(scene, leads)
    for parts, lead in zip(parts_of.values(), leads, strict=True):
        for part, scores in of_files.items():
            if lead.path in scores:
                parts[part] = scores[lead.path]
        if lead.name in said:
            parts[names.PART] = said[lead.name]


@dataclass(slots=True)
class _Collected:
    """Leads by place while the sources run. `parts` are the leads' own, still open to more."""

    without: frozenset[str] = frozenset()
    places: dict[str, Lead] = field(default_factory=dict[str, Lead])
    parts: dict[str, dict[str, float]] = field(default_factory=dict[str, dict[str, float]])
    found: dict[str, int] = field(default_factory=dict[str, int])
    cut: dict[str, int] = field(default_factory=dict[str, int])

    def add(self, results: list[SourceResult]) -> None:
        for result in results:
            if result.source in self.without:
                continue
            self.found[result.source] = self.found.get(result.source, 0) + len(result.leads)
            self.cut[result.source] = self.cut.get(result.source, 0) + result.cut
            for lead in result.leads:
                self._add_lead(lead)

    def _add_lead(self, lead: Lead) -> None:
        place = lead.id
        held = self.places.get(place)
        if held is None:
            parts = self.parts[place] = {lead.source: lead.score}
            self.places[place] = replace(lead, parts=MappingProxyType(parts))
        else:
            parts = self.parts[place]
            parts[lead.source] = max(lead.score, parts.get(lead.source, 0.0))
            self.places[place] = with_stronger_reason(held, lead, held.parts)
