"""`explain`: why is this line or symbol in the last pack, or not? In the order one would debug it."""

from __future__ import annotations

from dataclasses import dataclass

from ..model.candidate import Cause
from ..model.errors import RequestError
from ..model.pack import ContextPack, Omission, PackItem
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


@dataclass(frozen=True, slots=True)
class Explanation:
    """`verdict` is `included`, an omission's cause, `denied`, `not-indexed`, `unknown-symbol` or `not-retrieved`."""

    verdict: str
    explanation: str
    path: str | None = None
    line: int | None = None
    item: str | None = None


def explain(
    looking: Looking, pack: ContextPack | None, path: str | None, line: int | None, symbol: str | None
) -> Explanation:
    """Why a place is or is not in `pack`. Raises RequestError when no place is given."""
    if symbol and not path:
        targets = symbols_named(looking.snapshot, symbol)
        if not targets:
            return Explanation("unknown-symbol", f"nothing called `{symbol}` is defined in the index")
        path, line = targets[0].path, looking.snapshot.symbol(targets[0]).name_line
    if not path:
        raise RequestError("path", "give a path (with a line), or a symbol")
    if not looking.allowed(path):
        return Explanation("denied", f"{path}: {CAUSES[Cause.POLICY]}", path, line)
    if pack is None:
        return Explanation("not-retrieved", "no pack has been built yet", path, line)
    at = path if line is None else f"{path}:{line}"
    item = next((one for one in pack.selection.items if _holds(one, path, line)), None)
    if item is not None:
        return Explanation("included", _included(item), path, line, item.id)
    omission = next((one for one in pack.selection.omitted if _holds(one, path, line)), None)
    if omission is not None:
        return Explanation(str(omission.cause), f"{at} was found but left out: {_left_out(omission)}", path, line)
    if not looking.snapshot.has(path):
        return Explanation("not-indexed", f"{path} is not in the index", path, line)
    return Explanation(
        "not-retrieved",
        f"{at} is indexed, but no source proposed it: nothing that fails leads there, and its words were not asked for",
        path,
        line,
    )


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
        "explanation": explanation.explanation,
        "path": explanation.path,
        "line": explanation.line,
        "item": explanation.item,
    }
