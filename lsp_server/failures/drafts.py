"""Drafts: what a grammar read off the output, before any path is looked up in the workspace."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, auto

from lsp_server.model.failure import FailureKind, Role
from lsp_server.model.request import Severity


class PathStyle(Enum):
    """How `RawFrame.path` names its file."""

    FILE = auto()
    """A path or URL as printed."""
    JAVA = auto()
    """`package.Class|File.java`: the class finds the folder, the file the name."""
    MODULE = auto()
    """A dotted or `::` module or class name without a file."""


@dataclass(slots=True)
class RawFrame:
    """One place as printed. `line` is 1-based; 0 means none was printed.

    `bases` are folders the path may be relative to, nearest first (a make directory, a crate, a Go
    import path). `text` is the source line printed beside it. `weak` marks a place that only the
    generic fallback saw: it must name a workspace file exactly.
    """

    path: str
    line: int
    column: int | None = None
    end_line: int | None = None
    symbol: str | None = None
    text: str | None = None
    role: Role = Role.FRAME
    style: PathStyle = PathStyle.FILE
    bases: tuple[str, ...] = ()
    weak: bool = False


@dataclass(slots=True)
class Trace:
    """One exception of a chain; `frames` innermost first."""

    message: str = ""
    frames: list[RawFrame] = field(default_factory=list[RawFrame])


@dataclass(slots=True)
class Draft:
    """One failure as read. `traces` root cause first: the first workspace frame is the primary one.

    `chained` says that the first trace is an explicit cause of the later ones. `related` are places
    that explain but did not fail. `suite` is the test file, when the output named it apart.
    """

    message: str
    kind: FailureKind
    severity: Severity = Severity.ERROR
    code: str | None = None
    test: str | None = None
    tool: str = ""
    traces: list[Trace] = field(default_factory=list[Trace])
    related: list[RawFrame] = field(default_factory=list[RawFrame])
    suite: str | None = None
    chained: bool = False
    weak: bool = False

    def frames(self) -> list[RawFrame]:
        """All frames of all traces, in order of suspicion."""
        return [frame for trace in self.traces for frame in trace.frames]


def diagnostic(
    message: str,
    place: RawFrame,
    *,
    severity: Severity = Severity.ERROR,
    code: str | None = None,
    tool: str = "",
    kind: FailureKind | None = None,
) -> Draft:
    """A draft with one place, as compilers and linters report them."""
    return Draft(message.strip(), kind or FailureKind.DIAGNOSTIC, severity, code, None, tool, [Trace(message, [place])])


_ASSERTION = (
    "AssertionError", "AssertionFailedError", "ComparisonFailure", "ExpectationNotMet", "ExpectationFailed",
    "MultipleFailuresError", "assert ", "assertion ", "Assertion", "expect(", "Expected ", "expected:", "expected ",
    "Failed asserting", "Test::Unit::AssertionFailed", "XCTAssert", "Minitest::Assertion", "AssertFailed",
)  # fmt: skip
_SYNTAX = ("SyntaxError", "IndentationError", "TabError", "syntax error", "Syntax error", "Parse error", "ParseError")
_TIMEOUT = ("Timeout", "timeout", "timed out", "Exceeded timeout")


def is_syntax(message: str, code: str | None = None) -> bool:
    """True when a message speaks of text that does not parse."""
    return any(word in message for word in _SYNTAX) or (code or "") in {"invalid-syntax", "E999", "E0001"}


def kind_of(message: str, otherwise: FailureKind = FailureKind.EXCEPTION) -> FailureKind:
    """The kind that an exception's message speaks of."""
    head = message[:300].removeprefix("Error: ")
    if any(word in head for word in _SYNTAX) and " JSON" not in head:
        return FailureKind.SYNTAX
    if head.startswith(_ASSERTION) or any(word in head[:120] for word in _ASSERTION[:7]):
        return FailureKind.ASSERTION
    if any(word in head for word in _TIMEOUT):
        return FailureKind.TIMEOUT
    return otherwise


def severity_of(word: str | None, otherwise: Severity = Severity.ERROR) -> Severity:
    """The severity a tool's word stands for."""
    if not word:
        return otherwise
    lowered = word.lower().strip("[]():")
    if lowered.startswith(("err", "fatal", "fail", "crit", "e", "block", "major", "high", "panic", "bug", "sorry")):
        return Severity.ERROR
    if lowered.startswith(("warn", "w", "medium", "minor", "deprecat", "style", "convention", "refactor", "c", "r")):
        return Severity.WARNING
    if lowered.startswith(("info", "note", "i", "n", "remark", "suggest", "low", "message", "verbose")):
        return Severity.INFORMATION
    if lowered.startswith(("hint", "help")):
        return Severity.HINT
    return otherwise
