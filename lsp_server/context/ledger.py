"""The ledger of one packing run: what is selected so far, and whether a further unit may join.

Checked in this order: overlap with selected items, caps, automatic stop, budget, completeness of the group.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TypeAlias

from ..model.candidate import Cause
from ..model.request import Budget
from ..model.values import Value
from .order import Ranked, Unit

Refusals: TypeAlias = "Mapping[str, Refusal]"
"""Why each member of a unit stays out, by id. Empty: the unit may be admitted."""


class Refusal(Value):
    """Why one candidate stays out. `needs` is how much more budget it would have taken at its turn."""

    cause: Cause
    blocked_by: str | None = None
    needs: int | None = None
    detail: str = ""


class Ledger:
    """Selected units with their totals. Lives as long as one packing run."""

    def __init__(self, budget: Budget, broken_groups: Mapping[str, str]) -> None:
        """`broken_groups` maps a group to the id of a member that was rejected before ranking."""
        self.used = 0
        self.selected: dict[str, Ranked] = {}
        self._budget = budget
        self._broken_groups = broken_groups
        self._on_path: dict[str, list[Ranked]] = {}
        self._source_items = Counter[str]()
        self._source_cost = Counter[str]()

    def limit(self, unit: Unit) -> int:
        """What `used` may reach with `unit`: the ceiling when it is required, else the budget."""
        if self._budget.available == 0:
            return 0
        return self._budget.hard_limit if unit.required else self._budget.available

    def reserve(self, cost: int) -> None:
        """Book `cost` that is no item's (the overhead)."""
        self.used += cost

    def admit(self, unit: Unit) -> None:
        """Select all members of `unit`."""
        for member in unit.members:
            candidate = member.candidate
            self.used += member.cost
            self.selected[candidate.id] = member
            self._occupy(member)
            self._source_items[candidate.source] += 1
            self._source_cost[candidate.source] += member.cost

    def refusals(self, unit: Unit, stopped: str = "") -> Refusals:
        """Why `unit` may not join; empty when it may. `stopped` says why an automatic stop leaves it out."""
        found = self._overlaps(unit)
        if not found and not unit.required:
            found = self._caps(unit)
        if not found and stopped:
            found = {member.candidate.id: Refusal(Cause.BUDGET, detail=stopped) for member in unit.members}
        if not found:
            found = self._over_budget(unit)
        if not found and unit.group in self._broken_groups:
            culprit = self._broken_groups[unit.group or ""]
            return {member.candidate.id: Refusal(Cause.GROUP, blocked_by=culprit) for member in unit.members}
        return _whole_unit(unit, found)

    def _occupy(self, member: Ranked) -> None:
        self._on_path.setdefault(member.candidate.path, []).append(member)

    def _overlaps(self, unit: Unit) -> dict[str, Refusal]:
        found: dict[str, Refusal] = {}
        for member in unit.members:
            candidate = member.candidate
            blockers = [
                other
                for other in self._on_path.get(candidate.path, ())
                if other.candidate.range.overlaps(candidate.range)
            ]
            if blockers:
                best = min(blockers, key=lambda other: other.rank).candidate
                same = (best.range, best.content_hash) == (candidate.range, candidate.content_hash)
                found[candidate.id] = Refusal(Cause.DUPLICATE if same else Cause.OVERLAP, blocked_by=best.id)
        return found

    def _caps(self, unit: Unit) -> dict[str, Refusal]:
        budget, ids = self._budget, [member.candidate.id for member in unit.members]
        if budget.max_items is not None and len(self.selected) + len(ids) > budget.max_items:
            return dict.fromkeys(ids, Refusal(Cause.MAX_ITEMS, detail=f"maxItems is {budget.max_items}"))
        return self._file_quota(unit) or self._source_quota(unit)

    def _file_quota(self, unit: Unit) -> dict[str, Refusal]:
        quota = self._budget.per_file
        if quota is None:
            return {}
        wanted = Counter(member.candidate.path for member in unit.members)
        full = {path for path, count in wanted.items() if len(self._on_path.get(path, ())) + count > quota}
        refusal = Refusal(Cause.FILE_QUOTA, detail=f"perFile is {quota}")
        return {member.candidate.id: refusal for member in unit.members if member.candidate.path in full}

    def _source_quota(self, unit: Unit) -> dict[str, Refusal]:
        items = Counter(member.candidate.source for member in unit.members)
        found: dict[str, Refusal] = {}
        for source, count in items.items():
            quota = self._budget.per_source.get(source)
            if quota is None:
                continue
            members = [member for member in unit.members if member.candidate.source == source]
            cost = sum(member.cost for member in members)
            over = quota.max_items is not None and self._source_items[source] + count > quota.max_items
            over = over or (quota.max_cost is not None and self._source_cost[source] + cost > quota.max_cost)
            if over:
                refusal = Refusal(Cause.SOURCE_QUOTA, detail=f"perSource.{source} is used up")
                found.update({member.candidate.id: refusal for member in members})
        return found

    def _over_budget(self, unit: Unit) -> dict[str, Refusal]:
        limit = self.limit(unit)
        if limit > 0 and self.used + unit.cost <= limit:
            return {}
        refusal = Refusal(Cause.BUDGET, needs=max(1, self.used + unit.cost - limit))
        return {member.candidate.id: refusal for member in unit.members}


def _whole_unit(unit: Unit, found: dict[str, Refusal]) -> Refusals:
    """Members that hold no refusal of their own stay out because of the first that does."""
    if not found or len(found) == len(unit.members):
        return found
    culprit = next(member.candidate.id for member in unit.members if member.candidate.id in found)
    alone = Refusal(Cause.GROUP, blocked_by=culprit)
    return {member.candidate.id: found.get(member.candidate.id, alone) for member in unit.members}
