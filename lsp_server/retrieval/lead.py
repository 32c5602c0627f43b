"""Leads: places worth showing, before anybody has read their text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from ..index.snapshot import SymbolId
from ..model.candidate import NO_PARTS, Reason
from ..model.facts import ChunkKind
from ..model.lines import LineRange
from ..model.values import Value
from .units import Unit


class Lead(Value):
    """A line range that one source proposes, with its evidence.

    `score` is this source's own, between 0 and 1 (each source normalises itself). `why` is one human
    line; `trail` the path of edges from the failing line to here, oldest first. `symbol` is the
    definition that the range shows, if it shows one, and `name` its qualified name. `lines` are
    1-based lines of interest: when the range is too large to be shown whole, those are shown.
    `bytes` is the text's size as the index knows it (0: unknown). `log_odds` is what `odds.py` makes of it.
    """

    path: str
    range: LineRange
    reason: Reason
    source: str
    score: float
    why: str
    symbol: SymbolId | None = None
    name: str = ""
    required: bool = False
    group: str | None = None
    parent: str | None = None
    is_test: bool = False
    parts: Mapping[str, float] = field(default_factory=lambda: NO_PARTS)
    trail: tuple[str, ...] = ()
    lines: tuple[int, ...] = ()
    kind: ChunkKind | None = None
    bytes: int = 0
    log_odds: float = 0.0

    @property
    def id(self) -> str:
        """Stable identity of the place: `path:start-end`."""
        return f"{self.path}:{self.range.start}-{self.range.end}"


def lead_of(
    unit: Unit,
    reason: Reason,
    source: str,
    score: float,
    why: str,
    trail: tuple[str, ...] = (),
    lines: tuple[int, ...] = (),
) -> Lead:
    """A lead that proposes `unit`, its score cut to 0..1."""
    return Lead(
        path=unit.path,
        range=unit.range,
        reason=reason,
        source=source,
        score=min(1.0, max(0.0, score)),
        why=why,
        symbol=unit.symbol,
        name=unit.name,
        parent=unit.parent,
        is_test=unit.is_test,
        trail=trail,
        lines=lines,
        kind=unit.kind,
        bytes=unit.bytes,
    )


class SourceResult(Value):
    """What one source found: its leads, best first, and how many more it left out."""

    source: str
    leads: tuple[Lead, ...] = ()
    cut: int = 0


def best_first(source: str, leads: Mapping[str, Lead], limit: int) -> SourceResult:
    """A result of at most `limit` leads, best score first, ties by path and line."""
    ordered = sorted(leads.values(), key=lambda lead: (-lead.score, lead.path, lead.range.start, lead.range.end))
    return SourceResult(source, tuple(ordered[:limit]), max(0, len(ordered) - limit))


def keep_best(leads: dict[str, Lead], lead: Lead) -> None:
    """Put `lead` into `leads` unless a better one for the same place is there."""
    place = lead.id
    held = leads.get(place)
    if held is None or lead.score > held.score:
        leads[place] = lead
