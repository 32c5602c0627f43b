"""Packing: which ranked units enter the pack. Whole units only, and what does not fit never ends the search.

Passes: (0) the best-ranked unit with a failing line that fits, (1) required, (2) tier floors, (3) the rest
by rank. A further unit is checked by the ledger: overlap, caps, budget.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from ..model.request import DEFAULT_FLOORS, Budget, Stop
from .evidence import Evidence
from .ledger import Ledger, Refusal
from .listing import OVERHEAD_SHARE
from .order import Unit
from .policies import Policy, Tier, tier_of

NO_BROKEN_GROUPS: Mapping[str, str] = MappingProxyType({})


def no_overhead(_limit: int) -> int:
    """A pack without a preamble."""
    return 0


@dataclass(frozen=True, slots=True)
class Packed:
    """What a run admitted, in rank order, and why each other candidate was refused (by id).

    `overhead_limit` is what the preamble was allowed, `used` the overhead plus all admitted costs.
    """

    units: tuple[Unit, ...]
    refusals: Mapping[str, Refusal]
    overhead_limit: int
    used: int


def pack(
    units: Sequence[Unit],
    budget: Budget,
    evidence: Evidence,
    policy: Policy,
    *,
    overhead: Callable[[int], int] = no_overhead,
    broken_groups: Mapping[str, str] = NO_BROKEN_GROUPS,
) -> Packed:
    """Admit `units` (best first) under `budget`.

    `overhead(limit)` is what the preamble takes when it may take at most `limit`; it is asked after
    pass 0, so that it never displaces the failing code. `broken_groups` maps groups that lost a member
    before ranking to that member's id.
    """
    ledger = Ledger(budget, broken_groups)
    critical = _admit_critical(units, ledger, evidence)
    room = budget.available if critical is None else ledger.limit(critical)
    overhead_limit = max(0, min(budget.available // OVERHEAD_SHARE, room - ledger.used))
    ledger.reserve(overhead(overhead_limit))
    refusals = _admit_required(units, ledger)
    stopped = _automatic_stop(units, budget, evidence, policy)
    shares = policy.floors if budget.floors == DEFAULT_FLOORS else budget.floors
    floors = {tier: int(budget.available * shares.get(tier, 0.0)) for tier in Tier}
    _admit_floors(units, ledger, evidence, floors, stopped)
    _admit_rest(units, ledger, stopped, refusals)
    admitted = tuple(unit for unit in units if _is_selected(unit, ledger))
    return Packed(admitted, refusals, overhead_limit, ledger.used)


def _is_selected(unit: Unit, ledger: Ledger) -> bool:
    return unit.members[0].candidate.id in ledger.selected


def _admit_critical(units: Sequence[Unit], ledger: Ledger, evidence: Evidence) -> Unit | None:
    for unit in units:
        if unit.is_critical(evidence) and not ledger.refusals(unit):
            ledger.admit(unit)
            return unit
    return None


def _admit_required(units: Sequence[Unit], ledger: Ledger) -> dict[str, Refusal]:
    refused: dict[str, Refusal] = {}
    for unit in units:
        if not unit.required or _is_selected(unit, ledger):
            continue
        refusals = ledger.refusals(unit)
        if refusals:
            refused.update(refusals)
        else:
            ledger.admit(unit)
    return refused


def _admit_floors(
    units: Sequence[Unit],
    ledger: Ledger,
    evidence: Evidence,
    floors: Mapping[Tier, int],
    stopped: Callable[[Unit], str],
) -> None:
    for tier, share in floors.items():
        if share == 0:
            continue
        of_tier = [unit for unit in units if tier_of(unit.members[0].candidate, evidence) is tier]
        spent = sum(unit.cost for unit in of_tier if _is_selected(unit, ledger))
        for unit in of_tier:
            if unit.required or _is_selected(unit, ledger) or spent + unit.cost > share:
                continue
            if not ledger.refusals(unit, stopped(unit)):
                ledger.admit(unit)
                spent += unit.cost


def _admit_rest(
    units: Sequence[Unit], ledger: Ledger, stopped: Callable[[Unit], str], refused: dict[str, Refusal]
) -> None:
    for unit in units:
        if unit.required or _is_selected(unit, ledger):
            continue
        refusals = ledger.refusals(unit, stopped(unit))
        if refusals:
            refused.update(refusals)
            continue
        ledger.admit(unit)


def _automatic_stop(units: Sequence[Unit], budget: Budget, evidence: Evidence, policy: Policy) -> Callable[[Unit], str]:
    """Says why `stop: auto` leaves a unit out ("" when it does not). Failing lines are never left out by it."""

    def best(unit: Unit) -> float:
        return max(policy.stop_score(member.candidate) for member in unit.members)

    level = policy.stop_level if budget.stop is Stop.AUTO else None
    if budget.stop is Stop.AUTO and policy.stop_share is not None:
        top = max((best(unit) for unit in units if not unit.is_critical(evidence)), default=0.0)
        level = max(policy.stop_share * top, level or 0.0)

    def stopped(unit: Unit) -> str:
        if level is None or unit.is_critical(evidence):
            return ""
        return f"stopped: {best(unit):g} is below the level {level:g}" if best(unit) < level else ""

    return stopped
