"""Candidates: whole snippets that compete for a place in the pack."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from types import MappingProxyType

from .lines import LineRange
from .values import Value


class Reason(StrEnum):
    """Why a candidate exists at all. Set only by the retriever that made it."""

    FAILURE = "failure"
    REFERENCE = "reference"
    SEARCH = "search"
    MENTION = "mention"
    RULE = "rule"
    OPEN = "open"
    MAP = "map"


class Origin(StrEnum):
    """Where a text came from: an open editor buffer or the disk."""

    BUFFER = "buffer"
    DISK = "disk"


NO_PARTS: Mapping[str, float] = MappingProxyType({})


class Candidate(Value):
    """A whole snippet that may enter the pack.

    `path` is canonical and workspace-relative; `content` is the file's own text of `range` (masked
    where a secret was seen); `content_hash` is of `content` as shown. `score` is comparable only
    inside one source. `source` is the retriever's stable id; `why` is one human line.
    `parts` are named score parts, `trail` the path of edges that led here (for `explain`). `log_odds`
    says how likely it holds the fix beside what `score` says, against the others of the pack; only
    `budget.stop: auto` reads it.
    """

    id: str
    path: str
    range: LineRange
    content: str
    reason: Reason
    score: float
    source: str
    content_hash: str
    why: str = ""
    version: int | None = None
    origin: Origin = Origin.DISK
    required: bool = False
    group: str | None = None
    parent: str | None = None
    symbol: str | None = None
    is_test: bool = False
    masked: int = 0
    parts: Mapping[str, float] = field(default_factory=lambda: NO_PARTS)
    trail: tuple[str, ...] = ()
    log_odds: float = 0.0


class Cause(StrEnum):
    """Why a candidate is not in the pack. The first that holds, in this order."""

    POLICY = "policy"
    MISSING = "missing"
    UNREADABLE = "unreadable"
    STALE = "stale"
    DUPLICATE = "duplicate"
    OVERLAP = "overlap"
    MAX_ITEMS = "max-items"
    FILE_QUOTA = "file-quota"
    SOURCE_QUOTA = "source-quota"
    BUDGET = "budget"
    GROUP = "group"


class Rejected(Value):
    """A candidate that was turned away before ranking (denied, missing, unreadable, stale).

    For a denied file `range` may be a placeholder and there is never content or a content hash.
    `group` and `required` are the candidate's: a rejected member keeps its whole group out.
    """

    id: str
    path: str
    range: LineRange
    reason: Reason
    source: str
    score: float
    cause: Cause
    detail: str = ""
    group: str | None = None
    required: bool = False
