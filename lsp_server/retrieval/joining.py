"""One lead where several speak of one place."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ..model.candidate import Reason
from ..model.values import replace
from .lead import Lead

STRENGTH = (
    Reason.MENTION,
    Reason.FAILURE,
    Reason.REFERENCE,
    Reason.SEARCH,
    Reason.OPEN,
    Reason.RULE,
    Reason.MAP,
)
"""When several sources propose one place, the item carries the first of these reasons."""


def joined(held: Lead, more: Lead) -> Lead:
    """One lead for one place: the stronger reason speaks, and of each part the better score is kept."""
    parts = dict(held.parts)
    for part, score in more.parts.items():
        parts[part] = max(score, parts.get(part, 0.0))
    return with_stronger_reason(held, more, MappingProxyType(parts))


def with_stronger_reason(held: Lead, more: Lead, parts: Mapping[str, float]) -> Lead:
    """What both say of their place, in the words of the one with the stronger reason, with `parts`."""
    first, second = sorted((held, more), key=lambda lead: (STRENGTH.index(lead.reason), -lead.score))
    return replace(
        first,
        parts=parts,
        required=held.required or more.required,
        trail=first.trail or second.trail,
        lines=tuple(sorted({*first.lines, *second.lines})),
    )
