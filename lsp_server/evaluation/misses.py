"""Why an answer missed: each right place is not retrieved, retrieved but omitted (with the cause), or shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum

from ..model.lines import LineRange
from ..model.pack import ContextPack
from ..model.values import Value
from .cases import Case, Span
from .runner import Result


class Fate(StrEnum):
    """What became of a right place."""

    SHOWN = "shown"
    PARTLY_SHOWN = "partly shown"
    OMITTED = "retrieved but omitted"
    NOT_RETRIEVED = "not retrieved"


class PlaceFate(Value):
    """One right place, its fate, and for an omitted one the cause, rank, cost and score parts."""

    place: Span
    fate: Fate
    cause: str = ""
    rank: int | None = None
    cost: int | None = None


class Missed(Value):
    """A case whose right answer was not shown whole."""

    case: Case
    arm: str
    budget: int
    places: tuple[PlaceFate, ...]


def missed_cases(results: Iterable[Result]) -> list[Missed]:
    """The cases of packs in which a right place is missing, in order."""
    found: list[Missed] = []
    for result in results:
        if result.pack is None:
            continue
        places = tuple(fate_of(place, result.pack) for place in places_of(result.case))
        if any(place.fate is not Fate.SHOWN for place in places):
            found.append(Missed(result.case, result.arm, result.budget, places))
    return found


def places_of(case: Case) -> tuple[Span, ...]:
    """The right places of a case: its functions, and right lines outside all of them."""
    outside = [
        span
        for span in case.gold
        if not any(function.path == span.path and _overlap(function.range, span.range) for function in case.functions)
    ]
    return (*case.functions, *outside)


def fate_of(place: Span, pack: ContextPack) -> PlaceFate:
    """What became of one right place in a pack."""
    shown = [item.range for item in pack.selection.items if item.path == place.path]
    if place.range is None:
        if shown:
            return PlaceFate(place, Fate.SHOWN)
    else:
        lines = range(place.range.start, place.range.end + 1)
        hit = sum(any(each.contains(line) for each in shown) for line in lines)
        if hit == len(lines):
            return PlaceFate(place, Fate.SHOWN)
        if hit:
            return PlaceFate(place, Fate.PARTLY_SHOWN)
    omitted = [one for one in pack.selection.omitted if one.path == place.path and _overlap(one.range, place.range)]
    if not omitted:
        return PlaceFate(place, Fate.NOT_RETRIEVED)
    best = min(omitted, key=lambda one: one.rank if one.rank is not None else len(pack.selection.omitted) + 1)
    return PlaceFate(place, Fate.OMITTED, best.detail or str(best.cause), best.rank, best.cost)


def fates(results: Iterable[Result]) -> Counter[str]:
    """How many right places met each fate."""
    return Counter(
        str(fate_of(place, result.pack).fate)
        for result in results
        if result.pack is not None
        for place in places_of(result.case)
    )


def _overlap(one: LineRange | None, other: LineRange | None) -> bool:
    return one is None or other is None or one.overlaps(other)


def scenario(missed: Missed) -> dict[str, object]:
    """A missed case as a regression scenario: what was asked, what is right, and what became of it."""
    case = missed.case
    checkout = case.checkout
    return {
        "id": case.id,
        "workspace": case.workspace,
        "checkout": None
        if checkout is None
        else {
            "repository": checkout.repository,
            "commit": checkout.commit,
            "overlayCommit": checkout.overlay_commit,
            "overlayFiles": list(checkout.overlay_files),
        },
        "arm": missed.arm,
        "budget": missed.budget,
        "places": [
            {
                "path": place.place.path,
                **({"start": place.place.range.start, "end": place.place.range.end} if place.place.range else {}),
                "fate": str(place.fate),
                "cause": place.cause,
                "rank": place.rank,
                "cost": place.cost,
            }
            for place in missed.places
        ],
    }
