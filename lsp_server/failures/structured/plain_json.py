"""JSON that no tool's reader claims: rows that name a file, a line and a message, and log records with a stack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..drafts import Draft, RawFrame, diagnostic, severity_of
from .reading import Structure, TextReader, from_text
from .values import Json, at, listing, mapping, string, whole

_FILE = (
    "file",
    "path",
    "filename",
    "filePath",
    "file_path",
    "fileName",
    "file_name",
    "uri",
    "source_file",
    "sourceFile",
)
_LINE = ("line", "lineno", "line_number", "lineNumber", "startLine", "start_line", "row", "line_start", "beginLine")
_TEXT = ("message", "msg", "text", "description", "reason", "title", "error", "details")
_CODE = ("code", "rule", "ruleId", "rule_id", "check_id", "id", "symbol", "name")
_STACK = (
    "stack",
    "stacktrace",
    "stack_trace",
    "stackTrace",
    "traceback",
    "exc_info",
    "exception",
    "backtrace",
    "error.stack",
)
MAX_NODES = 200_000


def _rows(value: Json) -> Iterator[Mapping[str, Json]]:
    waiting: list[Json] = [value]
    seen = 0
    while waiting and seen < MAX_NODES:
        node = waiting.pop()
        seen += 1
        row = mapping(node)
        if row:
            if _first(row, _FILE) and _place(row):
                yield row
            waiting.extend(reversed(list(row.values())))
        else:
            waiting.extend(reversed(listing(node)))


def _first(row: Mapping[str, Json], names: tuple[str, ...]) -> str:
    return next((text for name in names if (text := string(row.get(name)))), "")


def _place(row: Mapping[str, Json]) -> int:
    for where in (
        row,
        *(
            mapping(row.get(name))
            for name in ("location", "start", "position", "range", "region", "span", "loc", "begin")
        ),
    ):
        for inner in (where, mapping(where.get("start")), mapping(where.get("begin"))):
            line = next((number for name in _LINE if (number := whole(inner.get(name)))), 0)
            if line:
                return line
    return 0


def _accepts(value: Json) -> bool:
    return next(_rows(value), None) is not None or bool(_stack(value))


def _stack(value: Json) -> str:
    row = mapping(value)
    for name in _STACK:
        found = row.get(name)
        if isinstance(found, str) and "\n" in found:
            return found
        for inner in ("stack", "stacktrace", "backtrace"):
            text = string(at(found, inner))
            if "\n" in text:
                return text
    for holder in ("err", "error", "exception"):
        text = string(at(row, holder, "stack")) or string(at(row, holder, "stacktrace"))
        if text:
            return text
    return ""


def _read(value: Json, read: TextReader) -> list[Draft]:
    stack = _stack(value)
    if stack:
        return [from_text(stack, read, message="" if "\n" in stack else _first(mapping(value), _TEXT))]
    drafts: list[Draft] = []
    for row in _rows(value):
        if string(row.get("level") or row.get("severity") or row.get("status")).lower() in _HARMLESS:
            continue
        text = _first(row, _TEXT)
        if not text:
            continue
        severity = severity_of(string(row.get("severity") or row.get("level") or row.get("type")))
        spot = RawFrame(_first(row, _FILE), _place(row), weak=True)
        drafts.append(diagnostic(text, spot, severity=severity, code=_first(row, _CODE) or None))
    return drafts


_HARMLESS = {"debug", "trace", "passed", "pass", "ok", "success", "skipped"}

STRUCTURE = Structure(
    "json", "Any JSON with file, line and message", ("ShellCheck", "Semgrep", "log records"), _accepts, _read
)
