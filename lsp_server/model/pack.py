"""The context pack: what was chosen, what was not, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from .candidate import NO_PARTS, Cause, Origin, Reason
from .failure import Failure
from .lines import LineRange
from .request import Pinned
from .values import Value

SCHEMA_VERSION = 1
"""Version of the JSON shapes. Fields are added within a version, never removed."""


class PackItem(Value):
    """A chosen snippet. `cost` is of the snippet as rendered; `rank` is 1-based."""

    id: str
    path: str
    range: LineRange
    content: str
    reason: Reason
    source: str
    why: str
    score: float
    cost: int
    rank: int
    content_hash: str
    version: int | None = None
    origin: Origin = Origin.DISK
    group: str | None = None
    parent: str | None = None
    symbol: str | None = None
    masked: int = 0
    required: bool = False
    parts: Mapping[str, float] = field(default_factory=lambda: NO_PARTS)
    trail: tuple[str, ...] = ()


class Omission(Value):
    """A candidate that is not in the pack. `rank` and `cost` are None if it never reached ranking."""

    id: str
    path: str
    range: LineRange
    reason: Reason
    source: str
    score: float
    cause: Cause
    cost: int | None = None
    rank: int | None = None
    blocked_by: str | None = None
    needs: int | None = None
    detail: str = ""


class SourceCount(Value):
    """What became of one source's candidates; `cut` were found but not even offered."""

    found: int = 0
    admitted: int = 0
    omitted: int = 0
    cut: int = 0


class Freshness(Value):
    """How current the index was: revision, files still to be indexed, HEAD, documents gone stale."""

    revision: int = 0
    pending_files: int = 0
    head: str | None = None
    stale_documents: tuple[str, ...] = ()
    degraded: tuple[str, ...] = ()


class Unresolved(Value):
    """References near the failure that no confident definition was found for."""

    calls: int = 0
    names: tuple[str, ...] = ()


class Listing(Value):
    """How much of the preamble fits its share: the notice, and how many failures with how long messages.

    `message_length` is in code points; failures beyond `failures` are only counted.
    """

    notice: bool = False
    failures: int = 0
    message_length: int = 0


class Selection(Value):
    """The result of ranking and packing alone: items in rank order and everything else with its cause."""

    items: tuple[PackItem, ...]
    omitted: tuple[Omission, ...]
    used: int
    overhead: int
    budget: int
    ceiling: int
    truncated: bool
    missing_critical: bool
    missing_required: tuple[str, ...]
    policy: str
    counter: str
    sources: Mapping[str, SourceCount] = field(default_factory=dict[str, SourceCount])
    fingerprint: str = ""
    listing: Listing = field(default_factory=Listing)


class ContextPack(Value):
    """The answer of `context/build`. `layout` are item ids in reading order; `timings` in milliseconds."""

    selection: Selection
    layout: tuple[str, ...]
    failures: tuple[Failure, ...]
    failure_items: Mapping[str, tuple[str, ...]]
    failures_left_out: tuple[tuple[str, int], ...] = ()
    unresolved: Unresolved = field(default_factory=Unresolved)
    freshness: Freshness = field(default_factory=Freshness)
    timings: Mapping[str, float] = field(default_factory=dict[str, float])
    rendered: str | None = None
    pinned: Pinned = field(default_factory=Pinned)
