"""Diagnostics in bulk: which of hundreds are failures worth showing, and how many were left out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from lsp_server.model.errors import SourceError
from lsp_server.model.failure import Failure, FailureKind, Location, Role
from lsp_server.model.request import DiagnosticInput, Place, Severity
from lsp_server.model.source import SourceReader
from lsp_server.model.values import replace
from lsp_server.text.late_pattern import late_pattern

from .dedupe import unique_locations
from .drafts import is_syntax
from .view import WorkspaceView

PER_CODE_AND_SYMBOL = 3
PER_FILE = 20
MANY = 40
"""From this number on, cascades and groups are thinned out; fewer are all shown."""

_QUOTED = late_pattern(r"'[^']{0,200}'|\"[^\"]{0,200}\"|`[^`]{0,200}`|‘[^’]{0,200}’|\b\d+\b")
_SYNTAX_WORDS = late_pattern(
    r"\bexpected\b|unexpected token|unterminated|syntax|unclosed|unmatched|parse error|was not closed|missing [\"'"
    r"`(){}\[\];]",
    re.IGNORECASE,
)
_UNRESOLVED = late_pattern(
    r"not defined|undefined|undeclared|cannot find|could not find|unresolved|no such|does not exist|not found|unknown",
    re.IGNORECASE,
)


def select_diagnostics(
    diagnostics: Sequence[DiagnosticInput],
    failures: Sequence[Failure],
    view: WorkspaceView[Any],
    reader: SourceReader,
    cursor: Place | None = None,
    recent_edits: Sequence[Place] = (),
) -> tuple[list[Failure], dict[str, int]]:
    """`diagnostics` as failures, best first, and the left out ones counted by cause.

    Severity Error is a failure, a warning stays a warning; hints are dropped. `Unnecessary` lowers the
    rank and never excludes (Go rejects programs with unused names).
    """
    left_out: dict[str, int] = {}
    kept: list[DiagnosticInput] = []
    for item in diagnostics:
        if item.severity is Severity.HINT:
            left_out["hint"] = left_out.get("hint", 0) + 1
        else:
            kept.append(item)
    kept = _unique(kept)
    if len(kept) > MANY:
        kept = _thin(kept, left_out)
    near = _Nearness(failures, cursor, recent_edits)
    kept.sort(key=near.rank)
    shown = _capped(kept, view, near, left_out)
    return [_failure(item, view, reader) for item in shown], left_out


def _unique(items: Sequence[DiagnosticInput]) -> list[DiagnosticInput]:
    seen: set[tuple[object, ...]] = set()
    result: list[DiagnosticInput] = []
    for item in items:
        key = (item.path, item.range.start, item.message, item.code)
        if key not in seen:
            seen.add(key)
            result.append(item)
    return result


def _thin(items: Sequence[DiagnosticInput], left_out: dict[str, int]) -> list[DiagnosticInput]:
    """The first syntax error of a file without its cascade; unresolved names once a message template."""
    broken: dict[str, int] = {}
    for item in items:
        if item.severity is Severity.ERROR and _is_syntax(item):
            broken[item.path] = min(broken.get(item.path, item.range.start), item.range.start)
    result: list[DiagnosticInput] = []
    groups: dict[tuple[str, str], int] = {}
    for item in items:
        first = broken.get(item.path)
        if first is not None and item.range.start > first and (_is_syntax(item) or _UNRESOLVED.search(item.message)):
            left_out["cascade"] = left_out.get("cascade", 0) + 1
            continue
        if _UNRESOLVED.search(item.message):
            key = (item.code or "", _QUOTED.sub("…", item.message) + "|" + _subject(item.message))
            groups[key] = groups.get(key, 0) + 1
            if groups[key] > PER_CODE_AND_SYMBOL:
                left_out["same-cause"] = left_out.get("same-cause", 0) + 1
                continue
        result.append(item)
    return result


def _is_syntax(item: DiagnosticInput) -> bool:
    return (
        is_syntax(item.message, item.code)
        or (item.code or "") in _TS_SYNTAX
        or bool(_SYNTAX_WORDS.search(item.message[:80]))
    )


_TS_SYNTAX = {"1002", "1003", "1005", "1109", "1128", "1131", "1136", "1160", "1161"}


def _subject(message: str) -> str:
    quoted = _QUOTED.search(message)
    return quoted.group() if quoted else ""


class _Nearness:
    """How close a diagnostic is to what the user does: failing frames, the cursor, edits, shared targets."""

    def __init__(self, failures: Sequence[Failure], cursor: Place | None, edits: Sequence[Place]) -> None:
        self._failing = {(place.path, place.line) for failure in failures for place in failure.locations}
        self._cursor = cursor
        self._edits = edits
        self._targets: dict[tuple[str, int], int] = {}

    def rank(self, item: DiagnosticInput) -> tuple[object, ...]:
        """Sort key, best first."""
        lines = range(item.range.start, min(item.range.end, item.range.start + 50) + 1)
        failing = any((item.path, line) in self._failing for line in lines)
        at_cursor = (
            self._cursor is not None and item.path == self._cursor.path and item.range.overlaps(self._cursor.range)
        )
        edited = any(edit.path == item.path and edit.range.overlaps(item.range) for edit in self._edits)
        same_file = self._cursor is not None and item.path == self._cursor.path
        return (
            item.severity is not Severity.ERROR,
            not failing,
            not at_cursor,
            not edited,
            item.unnecessary,
            not _is_syntax(item),
            not same_file,
        )

    def is_near(self, item: DiagnosticInput) -> bool:
        """True when a cap must not hit it."""
        key = self.rank(item)
        return not (key[1] and key[2] and key[3])


def _capped(
    items: Sequence[DiagnosticInput], view: WorkspaceView[Any], near: _Nearness, left_out: dict[str, int]
) -> list[DiagnosticInput]:
    by_file: dict[str, int] = {}
    by_symbol: dict[tuple[str, str, str], int] = {}
    result: list[DiagnosticInput] = []
    for item in items:
        if not near.is_near(item):
            if by_file.get(item.path, 0) >= PER_FILE:
                left_out["file-limit"] = left_out.get("file-limit", 0) + 1
                continue
            key = (item.path, item.code or _QUOTED.sub("…", item.message), _enclosing(view, item))
            if len(items) > MANY and by_symbol.get(key, 0) >= PER_CODE_AND_SYMBOL:
                left_out["symbol-limit"] = left_out.get("symbol-limit", 0) + 1
                continue
            by_symbol[key] = by_symbol.get(key, 0) + 1
        by_file[item.path] = by_file.get(item.path, 0) + 1
        result.append(item)
    return result


def _enclosing(view: WorkspaceView[Any], item: DiagnosticInput) -> str:
    file = view.file(item.path)
    symbol = file.facts.enclosing(item.range.start) if file is not None else None
    return symbol.qualified_name if symbol is not None else ""


def _failure(item: DiagnosticInput, view: WorkspaceView[Any], reader: SourceReader) -> Failure:
    places: list[Location] = []
    if view.has(item.path):
        places.append(_location(item, view, reader))
        for related in item.related:
            if view.has(related.path) and not _is_echo(item, related.message):
                lines = related.range
                end = lines.end if lines.end > lines.start else None
                places.append(Location(related.path, lines.start, end, role=Role.RELATED))
    kind = FailureKind.SYNTAX if is_syntax(item.message, item.code) else FailureKind.DIAGNOSTIC
    return Failure(
        "", item.message, kind, item.severity, item.code, None, item.tool, tuple(unique_locations(places)),
        stale=bool(places) and places[0].confidence < 1.0,
    )  # fmt: skip


def _is_echo(item: DiagnosticInput, message: str) -> bool:
    """rust-analyzer sends a hint at the related place that only points back."""
    return message in {"original diagnostic", "original diagnostic here"} or message == item.message


def _location(item: DiagnosticInput, view: WorkspaceView[Any], reader: SourceReader) -> Location:
    file = view.file(item.path)
    symbol = file.facts.enclosing(item.range.start) if file is not None else None
    place = Location(
        item.path, item.range.start, item.range.end if item.range.end > item.range.start else None, item.column,
        Role.PRIMARY, 1.0, symbol.qualified_name if symbol is not None else None,
    )  # fmt: skip
    try:
        source = reader.read(item.path)
    except SourceError:
        return place
    stale = item.version is not None and source.version is not None and item.version != source.version
    if item.range.start > len(source.lines):
        last = max(1, len(source.lines))
        return replace(place, line=last, end_line=None, confidence=0.3, reported_line=item.range.start)
    return replace(place, confidence=0.7) if stale else place
