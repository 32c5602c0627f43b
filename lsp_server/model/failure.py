"""Failures: what went wrong and where, whatever tool said it."""

from __future__ import annotations

from enum import StrEnum

from .severity import Severity
from .values import Value


class FailureKind(StrEnum):
    """The kinds of failure the parsers tell apart."""

    ASSERTION = "assertion"
    EXCEPTION = "exception"
    SETUP = "setup"
    COLLECTION = "collection"
    SYNTAX = "syntax"
    TIMEOUT = "timeout"
    PANIC = "panic"
    RACE = "race"
    CRASH = "crash"
    ERROR_RETURN = "error-return"
    DIAGNOSTIC = "diagnostic"
    WARNING = "warning"


class Role(StrEnum):
    """What a location is to its failure; the first location is the primary one."""

    PRIMARY = "primary"
    FRAME = "frame"
    TEST = "test"
    CAUSE = "cause"
    RELATED = "related"


class Location(Value):
    """A line of workspace code that a failure names.

    `path` canonical, `line`/`end_line` 1-based closed, `column` 1-based or None. `confidence` is
    1.0 when the text named the line exactly, less when it was re-anchored or inferred.
    `reported_line` is the number the text printed, when it differs. `text` is the source line as
    printed by the tool, when it was. `symbol` is the function or test the tool named.
    """

    path: str
    line: int
    end_line: int | None = None
    column: int | None = None
    role: Role = Role.PRIMARY
    confidence: float = 1.0
    symbol: str | None = None
    reported_line: int | None = None
    text: str | None = None

    @property
    def last_line(self) -> int:
        """`end_line`, or `line` when the location is a single line."""
        return self.line if self.end_line is None else self.end_line


class LibraryFrame(Value):
    """A frame outside the workspace, kept apart: path as printed, line, function."""

    path: str
    line: int | None = None
    symbol: str | None = None


class Failure(Value):
    """One failure with its locations in order of suspicion; locations[0] is the primary one."""

    id: str
    message: str
    kind: FailureKind
    severity: Severity = Severity.ERROR
    code: str | None = None
    test: str | None = None
    tool: str = ""
    locations: tuple[Location, ...] = ()
    library_frames: tuple[LibraryFrame, ...] = ()
    stale: bool = False

    @property
    def primary(self) -> Location | None:
        """The most suspicious location, or None when the output named no workspace line."""
        return self.locations[0] if self.locations else None


class FailureReport(Value):
    """What parsing found: failures in order, and how many more were seen but left out, by cause."""

    failures: tuple[Failure, ...] = ()
    left_out: tuple[tuple[str, int], ...] = ()
    ambiguous: tuple[str, ...] = ()
