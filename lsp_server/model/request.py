"""What a caller asks for: the request of `context/build` and its budget."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from types import MappingProxyType

from .errors import BudgetError
from .failure import Failure
from .lines import LineRange
from .severity import Severity as Severity
from .values import Value

DEFAULT_MAX_TOKENS = 8_000


class Unit(StrEnum):
    """What a budget counts."""

    TOKENS = "tokens"
    CHARS = "chars"


class Stop(StrEnum):
    """When packing ends: budget full, or as soon as nothing left is likely to matter."""

    FILL = "fill"
    AUTO = "auto"


class RenderFormat(StrEnum):
    """How the pack is written out."""

    MARKDOWN = "markdown"
    XML = "xml"
    JSON = "json"
    NONE = "none"


DEFAULT_FLOORS: Mapping[str, float] = MappingProxyType({"failing": 0.0, "reference": 0.25, "search": 0.0})


def whole_amount(value: object, path: str) -> int:
    """`value` if it is a whole number >= 0, else BudgetError naming `path`."""
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise BudgetError(path, f"must be a whole number >= 0, got {value!r}")
    return value


class Quota(Value):
    """A cap for one source: items and/or cost; None is no cap."""

    max_items: int | None = None
    max_cost: int | None = None


class Budget(Value):
    """How much the pack may cost. `limit` in `unit`; zero is legal.

    `ceiling` (default: `limit`) bounds required items; `reserve` is taken off the limit before
    anything is packed; `per_file` caps items a file; `per_source` caps a source; `floors` are shares
    of the limit kept for the tiers `failing`, `reference`, `search`.
    Raises BudgetError naming the field.
    """

    limit: int = DEFAULT_MAX_TOKENS
    unit: Unit = Unit.TOKENS
    ceiling: int | None = None
    reserve: int = 0
    max_items: int | None = None
    per_file: int | None = None
    per_source: Mapping[str, Quota] = field(default_factory=dict[str, Quota])
    floors: Mapping[str, float] = field(default_factory=lambda: DEFAULT_FLOORS)
    stop: Stop = Stop.FILL

    def __post_init__(self) -> None:
        whole_amount(self.limit, "maxTokens" if self.unit is Unit.TOKENS else "maxChars")
        whole_amount(self.reserve, "reserve")
        for name, value in (("ceiling", self.ceiling), ("maxItems", self.max_items), ("perFile", self.per_file)):
            if value is not None:
                whole_amount(value, name)
        if self.ceiling is not None and self.ceiling < self.limit:
            raise BudgetError("ceiling", f"must be at least the budget ({self.limit}), got {self.ceiling}")
        for name, quota in self.per_source.items():
            for key, value in (("maxItems", quota.max_items), ("maxCost", quota.max_cost)):
                if value is not None:
                    whole_amount(value, f"perSource.{name}.{key}")
        total = 0.0
        for name, share in self.floors.items():
            if name not in DEFAULT_FLOORS:
                raise BudgetError(f"floors.{name}", f"unknown tier; known: {', '.join(DEFAULT_FLOORS)}")
            if isinstance(share, bool) or not 0.0 <= share <= 1.0:
                raise BudgetError(f"floors.{name}", f"must be a share between 0 and 1, got {share!r}")
            total += share
        if total > 1.0:
            raise BudgetError("floors", f"shares add up to {total:g}, more than 1")

    @property
    def available(self) -> int:
        """The limit less the reserve, never below zero."""
        return max(0, self.limit - self.reserve)

    @property
    def hard_limit(self) -> int:
        """What required items may reach: the ceiling, or the available budget when none was given."""
        return self.available if self.ceiling is None else max(0, self.ceiling - self.reserve)


class RenderOptions(Value):
    """Output format and whether lines carry their numbers."""

    format: RenderFormat = RenderFormat.MARKDOWN
    line_numbers: bool = False


class RelatedLocation(Value):
    """A place a diagnostic points at beside its own. Lines are 1-based."""

    path: str
    range: LineRange
    message: str = ""


class DiagnosticInput(Value):
    """One diagnostic as the editor reported it, with its LSP position already converted.

    `version` is the document version it was computed for (None: unknown); `path` is canonical, or
    the URI itself for a document outside every root. `column` is 1-based in code points.
    """

    path: str
    range: LineRange
    message: str
    severity: Severity = Severity.ERROR
    code: str | None = None
    tool: str = ""
    version: int | None = None
    column: int | None = None
    unnecessary: bool = False
    related: tuple[RelatedLocation, ...] = ()


class FailureOutput(Value):
    """Raw output of a test run, build or log. `data` are bytes as captured or text.

    `format` is `auto` or the id of a format; `cwd` is where the tool ran, workspace-relative. `commit`
    is the commit that it ran on, when that is not the present text (a CI log): line numbers are then
    shifted through what changed since.
    """

    data: bytes | str
    format: str = "auto"
    cwd: str | None = None
    commit: str | None = None


class Mention(Value):
    """A file or symbol the user named: required items, never over the privacy rules."""

    path: str | None = None
    symbol: str | None = None
    range: LineRange | None = None


class Place(Value):
    """A line in a file, for hints such as the cursor or a recent edit."""

    path: str
    range: LineRange


class Pinned(Value):
    """Text that a long task keeps in sight: the user's goal verbatim, the state so far, the latest failure."""

    goal: str = ""
    state: str = ""
    failure: str = ""


class BuildRequest(Value):
    """Everything `context/build` is asked. At least one of the first five groups is not empty.

    `failures` are failures that somebody has parsed already; they come before all parsed ones.
    """

    diagnostics: tuple[DiagnosticInput, ...] = ()
    failure_output: tuple[FailureOutput, ...] = ()
    task: str = ""
    mentions: tuple[Mention, ...] = ()
    failures: tuple[Failure, ...] = ()
    cursor: Place | None = None
    open_documents: tuple[str, ...] = ()
    recent_edits: tuple[Place, ...] = ()
    budget: Budget = field(default_factory=Budget)
    render: RenderOptions = field(default_factory=RenderOptions)
    policy: str | None = None
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    include_warnings: bool = False
    include_rules: bool = False
    explain: bool = False
    pinned: Pinned = field(default_factory=Pinned)
