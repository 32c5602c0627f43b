"""`explain`: why is this line or symbol in the last pack, or not? In the order one would debug it.

Is it known at all (symbol, index)? Did any source propose it? Was what was proposed replaced (stale, the same
lines under another name, a better item over it)? Was it outranked (quotas)? Did the budget end before it? Or
is it denied? The verdict is the first of these that holds for the best candidate; `also` tells of the others.
"""

from __future__ import annotations

from ..model.candidate import Cause
from ..model.errors import RequestError
from ..model.pack import ContextPack, Omission, PackItem
from ..model.values import Value
from .looking import Looking
from .related import symbols_named

CAUSES = {
    Cause.POLICY: "the privacy rules forbid showing this file",
    Cause.MISSING: "the file is gone",
    Cause.UNREADABLE: "the file cannot be read as text",
    Cause.STALE: "the text has changed since it was found",
    Cause.DUPLICATE: "the same lines are in the pack already",
    Cause.OVERLAP: "a better item shows some of the same lines",
    Cause.MAX_ITEMS: "the pack has as many items as it may have",
    Cause.FILE_QUOTA: "the pack has as many items of this file as it may have",
    Cause.SOURCE_QUOTA: "its source has used up its share",
    Cause.BUDGET: "it did not fit into what was left of the budget",
    Cause.GROUP: "another member of its group could not be shown",
}
"""One plain sentence a cause, without the final stop."""

STAGES = {
    Cause.MISSING: "replaced",
    Cause.UNREADABLE: "replaced",
    Cause.STALE: "replaced",
    Cause.DUPLICATE: "duplicate",
    Cause.OVERLAP: "duplicate",
    Cause.MAX_ITEMS: "outranked",
    Cause.FILE_QUOTA: "outranked",
    Cause.SOURCE_QUOTA: "outranked",
    Cause.GROUP: "outranked",
    Cause.BUDGET: "over-budget",
    Cause.POLICY: "denied",
}
"""The stage of the pipeline at which a cause turns a candidate away."""

MAX_ALSO = 5


class Explanation(Value):
    """`verdict` is `included`, an omission's cause, `denied`, `not-indexed`, `unknown-symbol` or `not-retrieved`.

    `stage` sums it up: included, unknown, never-retrieved, replaced, duplicate, outranked, over-budget, denied.
    `also` are further sentences on the same place.
    """

    verdict: str
    explanation: str
    path: str | None = None
    line: int | None = None
    item: str | None = None
    stage: str = ""
    also: tuple[str, ...] = ()


def explain(
    looking: Looking, pack: ContextPack | None, path: str | None, line: int | None, symbol: str | None
) -> Explanation:
    """Why a place is or is not in `pack`. Raises RequestError when no place is given."""
    also: tuple[str, ...] = ()
    if symbol:
        targets = symbols_named(looking.snapshot, symbol, path)
        if not targets:
            where = f" in {path}" if path else " in the index"
            return Explanation("unknown-symbol", f"nothing called `{symbol}` is defined{where}", path, stage="unknown")
        places = [(target.path, looking.snapshot.symbol(target).name_line) for target in targets]
        # Of several definitions the one that came furthest is the one that was meant.
        path, line = next((place for place in places if pack is not None and _item_at(pack, *place)), places[0])
        if len(targets) > 1:
            also = (f"`{symbol}` is defined {len(targets)} times; this is about {path}:{line}",)
    if not path:
        raise RequestError("path", "give a path (with a line), or a symbol")
    return _of_place(looking, pack, path, line, also)


def _of_place(
    looking: Looking, pack: ContextPack | None, path: str, line: int | None, also: tuple[str, ...]
) -> Explanation:
    at = path if line is None else f"{path}:{line}"
    if not looking.allowed(path):
        return Explanation("denied", f"{path}: {CAUSES[Cause.POLICY]}", path, line, stage="denied", also=also)
    if pack is None:
        return Explanation("not-retrieved", "no pack has been built yet", path, line, stage="never-retrieved")
    item = _item_at(pack, path, line)
    left = [one for one in pack.selection.omitted if _holds(one, path, line)]
    if item is not None:
        notes = (*also, *(f"{one.id} was left out: {_left_out(one)}" for one in left[:MAX_ALSO]))
        return Explanation("included", _included(item), path, line, item.id, "included", notes)
    if left:
        first, *others = left
        notes = (*also, *(f"{one.id} too: {_left_out(one)}" for one in others[:MAX_ALSO]))
        text = f"{at} was found by {first.source} as {first.id} but left out: {_left_out(first)}"
        return Explanation(str(first.cause), text, path, line, None, STAGES[first.cause], notes)
    if not looking.snapshot.has(path):
        return Explanation("not-indexed", f"{path} is not in the index", path, line, stage="unknown", also=also)
    return Explanation("not-retrieved", _never(pack, path, line, at), path, line, None, "never-retrieved", also)


def _never(pack: ContextPack, path: str, line: int | None, at: str) -> str:
    same_file = [item for item in pack.selection.items if item.path == path] if line is not None else []
    text = (
        f"{at} is indexed, but no source proposed it: nothing that fails leads there, and its words were not asked for"
    )
    if same_file:
        text += f"; of this file the pack has {', '.join(str(item.range) for item in same_file[:MAX_ALSO])}"
    cut = sum(count.cut for count in pack.selection.sources.values())
    return text + (f"; the sources cut {cut} more that they found, it may be among those" if cut else "")


def _item_at(pack: ContextPack, path: str, line: int | None) -> PackItem | None:
    return next((one for one in pack.selection.items if _holds(one, path, line)), None)


def _holds(one: PackItem | Omission, path: str, line: int | None) -> bool:
    return one.path == path and (line is None or one.range.contains(line))


def _included(item: PackItem) -> str:
    trail = f" (by way of {' → '.join(item.trail)})" if item.trail else ""
    why = item.why or f"found by {item.source}"
    return f"{item.path}:{item.range} is item {item.rank} ({item.reason}): {why}{trail}"


def _left_out(omission: Omission) -> str:
    text = omission.detail or CAUSES[omission.cause]
    if omission.blocked_by:
        text += f" ({omission.blocked_by})"
    if omission.needs is not None:
        text += f"; {omission.needs} more would admit it"
    rank = f"; it ranked {omission.rank}" if omission.rank is not None else ""
    return text + rank


def explanation_to_dict(explanation: Explanation) -> dict[str, object]:
    """The plain form."""
    return {
        "verdict": explanation.verdict,
        "stage": explanation.stage,
        "explanation": explanation.explanation,
        "path": explanation.path,
        "line": explanation.line,
        "item": explanation.item,
        "also": list(explanation.also),
    }
