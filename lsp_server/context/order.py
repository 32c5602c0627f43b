"""Ranking: priced candidates and groups in the order of a policy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..model.candidate import Candidate
from ..model.values import Value
from .evidence import Evidence
from .policies import Policy


class Priced(Value):
    """A candidate with its cost as rendered."""

    candidate: Candidate
    cost: int


class Ranked(Value):
    """A priced candidate with its 1-based rank among all candidates."""

    candidate: Candidate
    cost: int
    rank: int


class Unit(Value):
    """What is admitted whole or not at all: one candidate, or all members of a group in rank order."""

    members: tuple[Ranked, ...]

    @property
    def cost(self) -> int:
        """Cost of all members together."""
        return sum(member.cost for member in self.members)

    @property
    def required(self) -> bool:
        """True when a member is required; the others come with it."""
        return any(member.candidate.required for member in self.members)

    @property
    def group(self) -> str | None:
        """The group's name, None for a single candidate."""
        return self.members[0].candidate.group

    def is_critical(self, evidence: Evidence) -> bool:
        """True when a member contains a failing line."""
        return any(evidence.is_critical(member.candidate) for member in self.members)


def rank(priced: Iterable[Priced], evidence: Evidence, policy: Policy) -> tuple[Unit, ...]:
    """Units in the policy's order; a group stands where its best member would.

    The input is not changed. Ranks are counted over candidates, members of a group in a row.
    """
    comparator = policy.comparator(evidence)
    ordered = sorted(priced, key=lambda one: comparator(one.candidate, one.cost))
    gathered: dict[tuple[str, int | str], list[Priced]] = {}
    for index, one in enumerate(ordered):
        group = one.candidate.group
        gathered.setdefault(("", index) if group is None else ("group", group), []).append(one)
    return _numbered(list(gathered.values()))


def _numbered(gathered: Sequence[Sequence[Priced]]) -> tuple[Unit, ...]:
    units: list[Unit] = []
    next_rank = 1
    for members in gathered:
        units.append(
            Unit(tuple(Ranked(one.candidate, one.cost, next_rank + offset) for offset, one in enumerate(members)))
        )
        next_rank += len(members)
    return tuple(units)
