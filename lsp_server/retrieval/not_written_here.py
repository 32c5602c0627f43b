"""Generated and vendored files rank lower, and what is shown of them says so: a fix seldom belongs there."""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType

from ..index.snapshot import Snapshot
from ..model.values import replace
from ..workspace.classify import PathFlag
from .lead import Lead

SHARE = 0.5
"""All evidence for such a unit counts this much. Chosen: no right answer of the benchmark lies in such a file."""

ASKED_FOR = frozenset({"diagnostic", "traceback", "mention", "open", "change", "cochange", "rule", "contribution"})
"""Parts of what fails or what the user or another tool named: that counts whole."""

_WORDS = ((PathFlag.GENERATED, "a generated file"), (PathFlag.VENDORED, "a vendored file"))


def ranked_lower(snapshot: Snapshot, leads: Iterable[Lead]) -> tuple[Lead, ...]:
    """The same leads, those into generated and vendored files with less of everything that speaks for them."""
    return tuple(_lowered(lead, snapshot.flags(lead.path)) for lead in leads)


def _lowered(lead: Lead, flags: PathFlag) -> Lead:
    if not flags & (PathFlag.GENERATED | PathFlag.VENDORED) or not ASKED_FOR.isdisjoint(lead.parts):
        return lead
    word = next(word for flag, word in _WORDS if flags & flag)
    parts = MappingProxyType({name: score * SHARE for name, score in lead.parts.items()})
    return replace(lead, score=lead.score * SHARE, parts=parts, why=f"{lead.why} ({word})")
