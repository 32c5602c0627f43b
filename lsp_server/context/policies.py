"""Ranking policies: explicit, named, versioned comparators. The result says which one ranked it.

A further policy (one list by score after the failing evidence, say) is one more `Policy` in `POLICIES`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from types import MappingProxyType
from typing import TypeAlias

from ..model.candidate import Candidate, Reason
from ..model.errors import RequestError
from ..model.lines import LineRange
from ..model.request import DEFAULT_FLOORS, Budget, Unit
from ..model.values import Value
from ..retrieval.fuse import fused
from ..retrieval.lead import Lead
from .evidence import Evidence
from .stopping import STOP_RULE, StopRule

SortKey: TypeAlias = tuple[float | int | str, ...]
"""Smaller ranks better. Keys of one comparator are comparable with each other."""

Comparator: TypeAlias = Callable[[Candidate, int], SortKey]
"""The sort key of a candidate with its cost."""


class Tier(StrEnum):
    """The tiers that a budget can keep a floor for."""

    FAILING = "failing"
    REFERENCE = "reference"
    SEARCH = "search"


def tier_of(candidate: Candidate, evidence: Evidence) -> Tier | None:
    """The tier whose floor a candidate may fill: its file fails, or its reason; None for all others."""
    if evidence.position(candidate.path) is not None:
        return Tier.FAILING
    if candidate.reason is Reason.REFERENCE:
        return Tier.REFERENCE
    return Tier.SEARCH if candidate.reason is Reason.SEARCH else None


def as_found(leads: Iterable[Lead]) -> tuple[Lead, ...]:
    """Leads with the scores their sources gave them."""
    return tuple(leads)


class Offer(Value):
    """Leads that compete for the pack, and how many of each source were left out before."""

    leads: tuple[Lead, ...]
    cut: Mapping[str, int] = field(default_factory=dict[str, int])


def all_offered(leads: Sequence[Lead], _budget_bytes: int) -> Offer:
    """Everything competes."""
    return Offer(tuple(leads))


MIN_OFFERED = 120
BYTES_EACH = 160
"""One lead competes for each so many bytes of the budget: several times of what can fit."""


def best_offered(leads: Sequence[Lead], budget_bytes: int) -> Offer:
    """The best leads by score, several times more than can fit; what fails or is required always competes."""
    most = max(MIN_OFFERED, budget_bytes // BYTES_EACH)
    if len(leads) <= most:
        return Offer(tuple(leads))
    ordered = sorted(
        leads, key=lambda one: (not one.required, one.reason is not Reason.FAILURE, -one.score, one.path, one.range)
    )
    return Offer(tuple(ordered[:most]), Counter(lead.source for lead in ordered[most:]))


def no_breadth(_budget: Budget) -> int:
    """Rank alone decides."""
    return 0


BREADTH_FROM, BREADTH_SHARE = {Unit.TOKENS: 4_000, Unit.CHARS: 12_000}, 0.16
"""The estimate takes three characters for a token."""


def some_breadth(budget: Budget) -> int:
    """A share of what a budget has beyond a small one: 640 of 8,000 tokens.

    A small pack is for the likeliest code; in a larger one the first unit of a further file is worth more than the
    fortieth of the same. Measured in docs/decisions/ranking-policy.md.
    """
    return int(max(0, budget.available - BREADTH_FROM[budget.unit]) * BREADTH_SHARE)


class Policy(Value):
    """How candidates are ranked, and when `budget.stop: auto` ends.

    `comparator` makes the sort key for a task's evidence; ties keep the order of arrival. `stop` is where
    an automatic stop ends a pack (None: it is filled; scores must be comparable with each other to stop).
    `scored` sets the leads' scores before they are read; `offered` picks those worth reading under a
    budget of so many bytes; `floors` are the tiers' shares when the caller left them at their default;
    `breadth` is what a budget keeps for files that nothing better ranked is shown of.
    """

    name: str
    version: int
    comparator: Callable[[Evidence], Comparator]
    stop: StopRule | None = None
    scored: Callable[[Iterable[Lead]], tuple[Lead, ...]] = as_found
    offered: Callable[[Sequence[Lead], int], Offer] = all_offered
    floors: Mapping[str, float] = field(default_factory=lambda: DEFAULT_FLOORS)
    breadth: Callable[[Budget], int] = no_breadth

    @property
    def id(self) -> str:
        """`name-version`, as results name it."""
        return f"{self.name}-{self.version}"


_EXTRA = 3
_IN_FAILING_FILE: Mapping[Reason, int] = {Reason.FAILURE: 0, Reason.REFERENCE: 1, Reason.SEARCH: 2}
_ELSEWHERE: Mapping[Reason, int] = {Reason.REFERENCE: 0, Reason.FAILURE: 1, Reason.SEARCH: 2}


def tier_key(evidence: Evidence) -> Comparator:
    """The tiers of the `tiered` order alone, without scores and tie-breaks.

    Failing files in diagnostic order (in one: failing lines first, then failure, reference, search,
    extras), then all other files (reference, secondary failure evidence, search, extras).
    """
    positions = {path: index for index, path in enumerate(evidence.files)}

    def key(candidate: Candidate, _cost: int) -> SortKey:
        position = positions.get(candidate.path)
        if position is None:
            return (1, 0, 0, _ELSEWHERE.get(candidate.reason, _EXTRA))
        away = 0 if evidence.is_critical(candidate) else 1
        return (0, position, away, _IN_FAILING_FILE.get(candidate.reason, _EXTRA))

    return key


def _tiered(evidence: Evidence) -> Comparator:
    tiers = tier_key(evidence)

    def key(candidate: Candidate, cost: int) -> SortKey:
        place = (candidate.path, candidate.range.start, candidate.range.end, candidate.id)
        return (not candidate.required, *tiers(candidate, cost), -candidate.score, cost, *place)

    return key


def comes_first(evidence: Evidence, path: str, lines: LineRange, *, is_test: bool) -> bool:
    """True for what a fused pack puts on top: failing code, and of many tests that fail the first.

    One test speaks for all that fail alike; the others compete by score for the room.
    """
    critical = evidence.holds_failing_line(path, lines)
    if not is_test or not critical:
        return critical
    leading = next((each for each in evidence.files if evidence.lines.get(each)), None)
    return path == leading and lines.overlaps(evidence.lines[path][0])


def _fused(evidence: Evidence) -> Comparator:
    positions = {path: index for index, path in enumerate(evidence.files)}

    def key(candidate: Candidate, cost: int) -> SortKey:
        on_top = comes_first(evidence, candidate.path, candidate.range, is_test=candidate.is_test)
        first = (0, positions[candidate.path]) if on_top else (1, 0)
        place = (candidate.path, candidate.range.start, candidate.range.end, candidate.id)
        return (not candidate.required, *first, -candidate.score, cost, *place)

    return key


def _as_given(_evidence: Evidence) -> Comparator:
    def key(_candidate: Candidate, _cost: int) -> SortKey:
        return ()

    return key


NO_FLOORS: Mapping[str, float] = MappingProxyType({})
"""One list needs no shares for its tiers; measured: a share for references costs .01 recall at 4,000 tokens."""

TIERED = Policy("tiered", 1, _tiered)
"""Required first, then failing files, then reasons; scores only inside a tier; a total order."""

FUSED = Policy(
    "fused",
    7,
    _fused,
    stop=STOP_RULE,
    scored=fused,
    offered=best_offered,
    floors=NO_FLOORS,
    breadth=some_breadth,
)
"""Required first, then failing lines in diagnostic order (of failing tests the first), then one list by score."""

STABLE_INDEX = Policy("stable-index", 1, _as_given)
"""The caller's own order: candidates are taken as they come."""

POLICIES: Mapping[str, Policy] = MappingProxyType({policy.name: policy for policy in (TIERED, FUSED, STABLE_INDEX)})

DEFAULT_POLICY = FUSED
"""What a request gets that names none; measured against `tiered` in docs/decisions/ranking-policy.md."""


def policy_named(name: str | None) -> Policy:
    """The policy called `name` (or its id, `name-version`); None gives the default.

    Raises RequestError for an unknown one.
    """
    if name is None:
        return DEFAULT_POLICY
    for policy in POLICIES.values():
        if name in (policy.name, policy.id):
            return policy
    raise RequestError("policy", f"unknown policy {name!r}; known: {', '.join(POLICIES)}")
