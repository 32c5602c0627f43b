"""`grep`: a literal or a regular expression in every text of the index, within limits of time and number.

Matching is done on text as it may be shown: a pattern cannot be used to feel for what is masked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from enum import StrEnum

import regex

from ..model.errors import RequestError, ResourceLimitError, SourceError
from ..model.values import Value
from ..text.line_table import LineTable
from .json import PLAIN_EDGE, Edge
from .looking import Looking, Scope

DEFAULT_LIMIT, MAX_LIMIT = 100, 2_000
MAX_PATTERN = 2_000
"""Characters of a pattern."""
MAX_LINE = 500
"""Characters shown of one line."""


class PatternKind(StrEnum):
    """How the pattern is read."""

    LITERAL = "literal"
    REGEX = "regex"


class Case(StrEnum):
    """Whether case matters; `smart`: only when the pattern has a capital letter."""

    SENSITIVE = "sensitive"
    INSENSITIVE = "insensitive"
    SMART = "smart"


class GrepRequest(Value):
    """What to look for. `limit` counts matches."""

    pattern: str
    kind: PatternKind = PatternKind.LITERAL
    case: Case = Case.SENSITIVE
    limit: int = DEFAULT_LIMIT
    scope: Scope = field(default_factory=Scope)


class GrepMatch(Value):
    """A match: 1-based line, 0-based code point column, its length on that line, the line's text."""

    path: str
    line: int
    column: int
    length: int
    text: str


class GrepResult(Value):
    """Matches by path and line. `stopped` is why there may be more: "", `limit` or `time`."""

    matches: tuple[GrepMatch, ...]
    files: int
    stopped: str = ""


def grep_code(looking: Looking, request: GrepRequest, seconds_left: Callable[[], float]) -> GrepResult:
    """All matches until the limit or the time is reached. Raises RequestError for a wrong pattern."""
    pattern = compile_pattern(request)
    inside = request.scope.test()
    matches: list[GrepMatch] = []
    files = 0
    for path in looking.snapshot.paths():
        looking.checkpoint()
        if not inside(path) or not looking.allowed(path):
            continue
        if seconds_left() <= 0:
            return GrepResult(tuple(matches), files, "time")
        files += 1
        try:
            found = _in_file(looking, path, pattern, request.limit - len(matches), seconds_left)
        except TimeoutError:
            return GrepResult(tuple(matches), files, "time")
        matches += found
        if len(matches) >= request.limit:
            return GrepResult(tuple(matches), files, "limit")
    return GrepResult(tuple(matches), files)


def compile_pattern(request: GrepRequest) -> regex.Pattern[str]:
    """The pattern compiled. Raises RequestError naming the field, ResourceLimitError for an endless one."""
    if not request.pattern:
        raise RequestError("pattern", "must not be empty")
    if len(request.pattern) > MAX_PATTERN:
        raise ResourceLimitError(
            "pattern", f"has {len(request.pattern)} characters, more than {MAX_PATTERN}", "MAX_PATTERN"
        )
    smart = request.case is Case.SMART and request.pattern == request.pattern.lower()
    flags = regex.VERSION1 | regex.MULTILINE
    if smart or request.case is Case.INSENSITIVE:
        flags |= regex.IGNORECASE
    source = regex.escape(request.pattern) if request.kind is PatternKind.LITERAL else request.pattern
    try:
        return regex.compile(source, flags)
    except (regex.error, OverflowError, RecursionError, ValueError) as error:
        raise RequestError("pattern", f"is not a regular expression: {error}") from None


def _in_file(
    looking: Looking, path: str, pattern: regex.Pattern[str], room: int, seconds_left: Callable[[], float]
) -> list[GrepMatch]:
    try:
        raw = looking.reader.read(path).text
        if pattern.search(raw, timeout=max(0.001, seconds_left())) is None:
            return []
        text = looking.shown(path).text
    except SourceError:
        return []
    table = LineTable.of(text)
    found: list[GrepMatch] = []
    last_line = 0
    for match in pattern.finditer(text, timeout=max(0.001, seconds_left())):
        line, column = table.locate(match.start())
        if match.end() == match.start() and (line == last_line or match.start() == len(text)):
            continue  # an empty match says nothing more about a line
        last_line = line
        whole = table.line(line)
        length = min(match.end() - match.start(), len(whole) - column)
        found.append(GrepMatch(path, line, column, max(0, length), _cut(whole)))
        if len(found) >= room:
            break
    return found


def _cut(line: str) -> str:
    return line if len(line) <= MAX_LINE else line[: MAX_LINE - 1] + "…"


def grep_to_dict(result: GrepResult, edge: Edge = PLAIN_EDGE) -> dict[str, object]:
    """The plain form; `range` is LSP's own, on the match's first line."""
    return {
        "matches": [
            {
                "path": match.path,
                "uri": edge.uri(match.path),
                "line": match.line,
                "range": {
                    "start": {"line": match.line - 1, "character": edge.columns(match.text[: match.column])},
                    "end": {
                        "line": match.line - 1,
                        "character": edge.columns(match.text[: match.column + match.length]),
                    },
                },
                "text": match.text,
            }
            for match in result.matches
        ],
        "files": result.files,
        "truncated": bool(result.stopped),
        "stopped": result.stopped or None,
    }
