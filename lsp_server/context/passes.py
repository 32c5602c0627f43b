"""Packing: which ranked units enter the pack. Whole units only, and what does not fit never ends the search.

Passes: (0) the best-ranked unit with a failing line that fits, (1) required, (2) tier floors, (3) the rest
by rank; under a policy with a reserve for breadth, (3) leaves that free, then come units of files that nothing is shown
of, then again the rest. A further unit is checked by the ledger: overlap, caps, budget. `stop: auto` packs twice: first
to the budget, then only what the policy's rule leaves of that, so that it never shows what a filled pack does not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

from ..model.candidate import Reason
from ..model.request import DEFAULT_FLOORS, Budget, Stop
from ..model.values import Value
from .evidence import Evidence
from .ledger import Ledger, Refusal
from .listing import OVERHEAD_SHARE
from .order import Unit
from .policies import Policy, Tier, tier_of
from .stopping import Piece, StopRule, pieces_kept

NO_BROKEN_GROUPS: Mapping[str, str] = MappingProxyType({})


def no_overhead(_limit: int) -> int:
    """A pack without a preamble."""
    return 0


class Packed(Value):
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
    filled = _packed(units, budget, evidence, policy, overhead, broken_groups, _nothing_stopped)
    if budget.stop is not Stop.AUTO or policy.stop is None:
        return filled
    stopped = _automatic_stop(filled.units, evidence, policy.stop)
    return _packed(units, budget, evidence, policy, overhead, broken_groups, stopped)


Stopped: TypeAlias = Callable[[Unit], str]
"""Says why an automatic stop leaves a unit out ("" when it does not)."""


def _nothing_stopped(_unit: Unit) -> str:
    return ""


def _packed(
    units: Sequence[Unit],
    budget: Budget,
    evidence: Evidence,
    policy: Policy,
    overhead: Callable[[int], int],
    broken_groups: Mapping[str, str],
    stopped: Stopped,
) -> Packed:
    ledger = Ledger(budget, broken_groups)
    critical = _admit_critical(units, ledger, evidence)
    room = budget.available if critical is None else ledger.limit(critical)
    overhead_limit = max(0, min(budget.available // OVERHEAD_SHARE, room - ledger.used))
    ledger.reserve(overhead(overhead_limit))
    refusals = _admit_required(units, ledger)
    shares = policy.floors if budget.floors == DEFAULT_FLOORS else budget.floors
    floors = {tier: int(budget.available * shares.get(tier, 0.0)) for tier in Tier}
    _admit_floors(units, ledger, evidence, floors, stopped)
    _admit_breadth(units, ledger, budget.available, policy.breadth(budget), stopped)
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
    stopped: Stopped,
) -> None:
    for tier, share in floors.items():
        if share == 0:
            continue
        of_tier = [unit for unit in units if tier_of(unit.members[0].candidate, evidence) is tier]
        spent = sum(unit.cost for unit in of_tier if _is_selected(unit, ledger))
        for unit in of_tier:
            if spent + unit.cost <= share and _may_join(unit, ledger, stopped):
                ledger.admit(unit)
                spent += unit.cost


SMALL_PART = 20
"""A unit of a further file may take this part of the budget: several files shall find room in the reserve."""


def _admit_breadth(units: Sequence[Unit], ledger: Ledger, available: int, reserve: int, stopped: Stopped) -> None:
    """The rest by rank as far as it leaves `reserve` free, then the best small unit of each file not shown yet.

    Tests are no further files: whoever reads the pack has the failing ones.
    """
    if reserve <= 0:
        return
    for unit in units:
        if ledger.used + unit.cost <= available - reserve and _may_join(unit, ledger, stopped):
            ledger.admit(unit)
    shown = {member.candidate.path for member in ledger.selected.values()}
    for unit in units:
        candidate = unit.members[0].candidate
        if candidate.path in shown or candidate.is_test or unit.cost > available // SMALL_PART:
            continue
        if _may_join(unit, ledger, stopped):
            ledger.admit(unit)
            shown.add(candidate.path)


def _may_join(unit: Unit, ledger: Ledger, stopped: Stopped) -> bool:
    return not (unit.required or _is_selected(unit, ledger) or ledger.refusals(unit, stopped(unit)))


def _admit_rest(units: Sequence[Unit], ledger: Ledger, stopped: Stopped, refused: dict[str, Refusal]) -> None:
    for unit in units:
        if unit.required or _is_selected(unit, ledger):
            continue
        refusals = ledger.refusals(unit, stopped(unit))
        if refusals:
            refused.update(refusals)
            continue
        ledger.admit(unit)


ASKED_FOR = frozenset({Reason.MENTION, Reason.RULE})
"""What the user named or wrote stays."""


def _automatic_stop(filled: Sequence[Unit], evidence: Evidence, rule: StopRule) -> Stopped:
    """Ends a pack of `filled` where the rule says. Failing lines and what was asked for are never left out."""
    pieces = [_piece(unit, evidence) for unit in filled]
    free = [unit for unit, piece in zip(filled, pieces, strict=True) if not piece.fixed]
    kept = pieces_kept(pieces, rule)
    left_out = {member.candidate.id for unit in free[kept:] for member in unit.members}
    shown = {member.candidate.id for unit in filled for member in unit.members} - left_out
    last = max((member.rank for unit in free[:kept] for member in unit.members), default=0)
    why = f"stopped after rank {last}: more is not likely to help" if last else "stopped: the failing code is enough"

    def stopped(unit: Unit) -> str:
        return "" if unit.members[0].candidate.id in shown else why

    return stopped


def _piece(unit: Unit, evidence: Evidence) -> Piece:
    candidates = [member.candidate for member in unit.members]
    critical = unit.is_critical(evidence)
    return Piece(
        score=max(candidate.score for candidate in candidates),
        log_odds=max(candidate.log_odds for candidate in candidates),
        bytes=sum(len(candidate.content) for candidate in candidates),
        lines=sum(len(candidate.range) for candidate in candidates),
        fixed=critical or unit.required or any(candidate.reason in ASKED_FOR for candidate in candidates),
        silent=critical and all(candidate.is_test for candidate in candidates),
    )
