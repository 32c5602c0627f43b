"""The result of a packing run in the shape that callers see: items, omissions, totals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from ..model.candidate import Candidate, Cause, Rejected
from ..model.pack import Listing, Omission, PackItem, Selection, SourceCount
from ..model.request import Budget
from ..model.values import Value
from .evidence import Evidence
from .fingerprint import fingerprint
from .ledger import Refusal
from .order import Ranked, Unit
from .passes import Packed


class Task(Value):
    """What was asked of selection, as the result repeats it. `cut`: found but not offered, by source."""

    budget: Budget
    evidence: Evidence
    policy: str
    counter: str
    cut: Mapping[str, int]


def items_of(units: Iterable[Unit]) -> tuple[PackItem, ...]:
    """The items of admitted units, in rank order. The text is the candidate's own, never cut."""
    return tuple(_item(member) for unit in units for member in unit.members)


def outcome(
    units: Sequence[Unit],
    packed: Packed,
    rejected: Sequence[Rejected],
    task: Task,
    listing: Listing,
    overhead: int,
) -> Selection:
    """Every candidate once, as an item or as an omission with its cause."""
    items = items_of(packed.units)
    chosen = {item.id: item for item in items}
    ranked = [member for unit in units for member in unit.members]
    omitted = [
        _omission(member, packed.refusals[member.candidate.id])
        for member in ranked
        if member.candidate.id not in chosen
    ]
    omitted += [_rejection(one) for one in sorted(rejected, key=_place)]
    return Selection(
        items=items,
        omitted=tuple(omitted),
        used=overhead + sum(item.cost for item in items),
        overhead=overhead,
        budget=task.budget.available,
        ceiling=task.budget.hard_limit,
        truncated=bool(omitted),
        missing_critical=_misses_failing_line(items, task.evidence),
        missing_required=_missing_required(ranked, rejected, chosen, packed.refusals),
        policy=task.policy,
        counter=task.counter,
        sources=_source_counts(items, omitted, task.cut),
        fingerprint=fingerprint(items, task.policy, task.budget, task.counter),
        listing=listing,
    )


def _item(member: Ranked) -> PackItem:
    candidate = member.candidate
    return PackItem(
        id=candidate.id,
        path=candidate.path,
        range=candidate.range,
        content=candidate.content,
        reason=candidate.reason,
        source=candidate.source,
        why=candidate.why,
        score=candidate.score,
        cost=member.cost,
        rank=member.rank,
        content_hash=candidate.content_hash,
        version=candidate.version,
        origin=candidate.origin,
        group=candidate.group,
        parent=candidate.parent,
        symbol=candidate.symbol,
        masked=candidate.masked,
        required=candidate.required,
        parts=candidate.parts,
        trail=candidate.trail,
    )


def _omission(member: Ranked, refusal: Refusal) -> Omission:
    candidate = member.candidate
    return Omission(
        id=candidate.id,
        path=candidate.path,
        range=candidate.range,
        reason=candidate.reason,
        source=candidate.source,
        score=candidate.score,
        cause=refusal.cause,
        cost=member.cost,
        rank=member.rank,
        blocked_by=refusal.blocked_by,
        needs=refusal.needs,
        detail=refusal.detail,
    )


def _rejection(one: Rejected) -> Omission:
    return Omission(
        id=one.id,
        path=one.path,
        range=one.range,
        reason=one.reason,
        source=one.source,
        score=one.score,
        cause=one.cause,
        detail=one.detail,
    )


def _place(one: Rejected) -> tuple[str, int, str]:
    return (one.path, one.range.start, one.id)


def _misses_failing_line(items: Sequence[PackItem], evidence: Evidence) -> bool:
    shown = any(evidence.holds_failing_line(item.path, item.range) for item in items)
    return evidence.has_lines and not shown


def _missing_required(
    ranked: Sequence[Ranked],
    rejected: Sequence[Rejected],
    chosen: Mapping[str, PackItem],
    refusals: Mapping[str, Refusal],
) -> tuple[str, ...]:
    """Required candidates whose text is not in the pack: a duplicate's text is, and so is a covered range's."""
    missing = [
        member.candidate.id
        for member in ranked
        if member.candidate.required
        and member.candidate.id not in chosen
        and not _is_shown_by_another(member.candidate, refusals[member.candidate.id], chosen)
    ]
    return (*missing, *(one.id for one in sorted(rejected, key=_place) if one.required))


def _is_shown_by_another(candidate: Candidate, refusal: Refusal, chosen: Mapping[str, PackItem]) -> bool:
    if refusal.cause not in (Cause.DUPLICATE, Cause.OVERLAP):
        return False
    blocker = chosen.get(refusal.blocked_by or "")
    return blocker is not None and blocker.range.covers(candidate.range)


def _source_counts(
    items: Sequence[PackItem], omitted: Sequence[Omission], cut: Mapping[str, int]
) -> Mapping[str, SourceCount]:
    admitted = Counter(item.source for item in items)
    left_out = Counter(omission.source for omission in omitted)
    return {
        source: SourceCount(
            found=admitted[source] + left_out[source] + cut.get(source, 0),
            admitted=admitted[source],
            omitted=left_out[source],
            cut=cut.get(source, 0),
        )
        for source in sorted({*admitted, *left_out, *cut})
    }
