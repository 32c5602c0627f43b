"""Pinned text of a long task: goal, state and latest failure stand above the pack, whole or not at all.

They are required parts of the overhead: what they cost is taken off the budget before anything is packed, and
a part that does not fit is named in `missingRequired` (`pinned:goal`). The goal is the user's own words; state
and failure text are notes that somebody derived, and are marked so.
"""

from __future__ import annotations

from collections.abc import Callable

from ..model.pack import ContextPack
from ..model.request import Budget, BuildRequest, Pinned, RenderFormat
from ..model.source import TokenCounter
from ..model.values import Value, replace
from .escape import fence_for, xml_attribute
from .json import PLAIN_EDGE, Edge, pack_to_dict
from .render import json_text

TITLES = {
    "goal": "Goal, in the user's words",
    "failure": "Latest failure (derived: output as noted)",
    "state": "State so far (derived: notes of an earlier step)",
}
"""Parts in order of importance, with their headings."""


class Fitted(Value):
    """Pinned text as it will be shown: `parts` by name, `cost` of `text`, and the names that had no room."""

    parts: tuple[tuple[str, str], ...] = ()
    text: str = ""
    cost: int = 0
    left_out: tuple[str, ...] = ()

    def reserved(self, budget: Budget) -> Budget:
        """What is left of the budget for everything else."""
        return replace(budget, reserve=budget.reserve + self.cost) if self.cost else budget


NOTHING_PINNED = Fitted()


def fit_pinned(request: BuildRequest, counter: TokenCounter, mask: Callable[[str], str] = str) -> Fitted:
    """The parts of `request.pinned` that fit its budget, secrets masked."""
    fitted = NOTHING_PINNED
    for name in TITLES:
        given = mask(str(getattr(request.pinned, name)).strip())
        if not given:
            continue
        parts = (*fitted.parts, (name, given))
        text = _text(parts, request.render.format)
        cost = counter.count(text)
        if cost <= request.budget.available:
            fitted = replace(fitted, parts=parts, text=text, cost=cost)
        else:
            fitted = replace(fitted, left_out=(*fitted.left_out, f"pinned:{name}"))
    return fitted


def with_pinned(pack: ContextPack, fitted: Fitted, request: BuildRequest, edge: Edge = PLAIN_EDGE) -> ContextPack:
    """The pack with the pinned text on top and in its figures; `pack` was built with the reserved budget."""
    if not fitted.parts and not fitted.left_out:
        return pack
    selection = replace(
        pack.selection,
        used=pack.selection.used + fitted.cost,
        overhead=pack.selection.overhead + fitted.cost,
        budget=request.budget.available,
        ceiling=request.budget.hard_limit,
        missing_required=(*fitted.left_out, *pack.selection.missing_required),
    )
    held = dict(fitted.parts)
    pinned = Pinned(held.get("goal", ""), held.get("state", ""), held.get("failure", ""))
    pack = replace(pack, selection=selection, pinned=pinned)
    if request.render.format is RenderFormat.JSON:
        return replace(pack, rendered=json_text(pack_to_dict(replace(pack, rendered=None), edge)))
    return pack if pack.rendered is None else replace(pack, rendered=fitted.text + pack.rendered)


def _text(parts: tuple[tuple[str, str], ...], format: RenderFormat) -> str:
    if format is RenderFormat.XML:
        return "".join(f"<pinned part={xml_attribute(name)} text={xml_attribute(text)}/>\n" for name, text in parts)
    sections: list[str] = []
    for name, text in parts:
        fence = fence_for(text)
        sections.append(f"## {TITLES[name]}\n\n{fence}text\n{text}\n{fence}\n\n")
    return "".join(sections)
