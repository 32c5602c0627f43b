"""Python tools' JSON: pytest-json-report and pytest-reportlog, mypy, pyright, pylint, flake8, bandit."""

from __future__ import annotations

from collections.abc import Mapping

from lsp_server.model.request import Severity

from ..drafts import Draft, RawFrame, Trace, diagnostic, kind_of, severity_of
from .lsp import place
from .reading import Structure, TextReader, from_text
from .values import Json, at, mapping, objects, string, whole


def _is_pytest(value: Json) -> bool:
    top = mapping(value)
    return ("tests" in top and "summary" in top and "exitcode" in top) or "$report_type" in top


def _read_pytest(value: Json, read: TextReader) -> list[Draft]:
    top = mapping(value)
    if "$report_type" in top:
        return _report_line(top, read)
    drafts: list[Draft] = []
    for item in [*objects(top.get("tests")), *objects(top.get("collectors"))]:
        if string(item.get("outcome")) not in {"failed", "error"}:
            continue
        phases = [mapping(item.get(phase)) for phase in ("setup", "call", "teardown")]
        failed = next((one for one in phases if string(one.get("outcome")) == "failed"), item)
        drafts.append(_phase(string(item.get("nodeid")), failed, read))
    return drafts


def _phase(test: str, phase: Mapping[str, Json], read: TextReader) -> Draft:
    crash = mapping(phase.get("crash"))
    message = string(crash.get("message"))
    long = phase.get("longrepr")
    draft = from_text(string(long), read, message=message, test=test, tool="pytest")
    if not draft.frames():
        frames = [
            RawFrame(string(one.get("path")), whole(one.get("lineno")), symbol=string(one.get("message"))[3:] or None)
            for one in objects(phase.get("traceback"))
        ]
        frames.reverse()
        if crash.get("path"):
            frames.insert(0, RawFrame(string(crash.get("path")), whole(crash.get("lineno"))))
        draft.traces = [Trace(message, frames)]
    draft.kind = kind_of(draft.message)
    return draft


def _report_line(top: Mapping[str, Json], read: TextReader) -> list[Draft]:
    if string(top.get("outcome")) != "failed":
        return []
    long = mapping(top.get("longrepr"))
    crash = mapping(long.get("reprcrash"))
    frames: list[RawFrame] = []
    for entry in objects(at(long, "reprtraceback", "reprentries")):
        where = mapping(at(entry, "data", "reprfileloc"))
        if where:
            frames.append(RawFrame(string(where.get("path")), whole(where.get("lineno"))))
    frames.reverse()
    message = string(crash.get("message"))
    if not frames and crash:
        frames.append(RawFrame(string(crash.get("path")), whole(crash.get("lineno"))))
    draft = Draft(message, kind_of(message), test=string(top.get("nodeid")) or None, tool="pytest")
    draft.traces = [Trace(message, frames)]
    if not frames and isinstance(top.get("longrepr"), str):
        return [from_text(string(top.get("longrepr")), read, test=draft.test, tool="pytest")]
    return [draft]


def _is_mypy(value: Json) -> bool:
    top = mapping(value)
    return {"file", "line", "column", "message", "severity"} <= top.keys() and ("hint" in top or "code" in top)


def _read_mypy(value: Json, _read: TextReader) -> list[Draft]:
    top = mapping(value)
    spot = RawFrame(string(top.get("file")), whole(top.get("line")), whole(top.get("column")) + 1)
    severity = severity_of(string(top.get("severity")))
    return [
        diagnostic(
            string(top.get("message")), spot, severity=severity, code=string(top.get("code")) or None, tool="mypy"
        )
    ]


def _is_pyright(value: Json) -> bool:
    return "generalDiagnostics" in mapping(value)


def _read_pyright(value: Json, _read: TextReader) -> list[Draft]:
    drafts: list[Draft] = []
    for item in objects(mapping(value).get("generalDiagnostics")):
        file = string(item.get("file")) or string(at(item, "uri", "_filePath"))
        severity = severity_of(string(item.get("severity")))
        spot = place(file, item.get("range"))
        code = string(item.get("rule")) or None
        drafts.append(diagnostic(string(item.get("message")), spot, severity=severity, code=code, tool="pyright"))
    return drafts


def _is_pylint(value: Json) -> bool:
    rows = objects(value) or objects(mapping(value).get("messages"))
    return bool(rows) and ("message-id" in rows[0] or "messageId" in rows[0]) and "line" in rows[0]


def _read_pylint(value: Json, _read: TextReader) -> list[Draft]:
    drafts: list[Draft] = []
    for row in objects(value) or objects(mapping(value).get("messages")):
        code = string(row.get("message-id") or row.get("messageId"))
        path = string(row.get("path") or row.get("absolutePath"))
        spot = RawFrame(path, whole(row.get("line")), whole(row.get("column")) + 1)
        severity = Severity.ERROR if code[:1] in {"E", "F"} else Severity.WARNING
        drafts.append(diagnostic(string(row.get("message")), spot, severity=severity, code=code, tool="pylint"))
    return drafts


def _is_ruff(value: Json) -> bool:
    rows = objects(value)
    return bool(rows) and "filename" in rows[0] and "location" in rows[0] and "message" in rows[0]


def _read_ruff(value: Json, _read: TextReader) -> list[Draft]:
    drafts: list[Draft] = []
    for row in objects(value) or [mapping(value)]:
        line = whole(at(row, "location", "row"))
        end = whole(at(row, "end_location", "row"))
        spot = RawFrame(string(row.get("filename")), line, whole(at(row, "location", "column")) or None)
        spot.end_line = end if end > line and whole(at(row, "end_location", "column")) > 1 else None
        code = string(row.get("code")) or None
        drafts.append(diagnostic(string(row.get("message")), spot, code=code, tool="ruff"))
    return drafts


def _is_ruff_line(value: Json) -> bool:
    return bool(mapping(value)) and _is_ruff([value])


def _is_bandit(value: Json) -> bool:
    rows = objects(mapping(value).get("results"))
    return bool(rows) and "issue_text" in rows[0]


def _read_bandit(value: Json, _read: TextReader) -> list[Draft]:
    return [
        diagnostic(
            string(row.get("issue_text")),
            RawFrame(string(row.get("filename")), whole(row.get("line_number"))),
            severity=severity_of(string(row.get("issue_severity")), Severity.WARNING),
            code=string(row.get("test_id")) or None,
            tool="bandit",
        )
        for row in objects(mapping(value).get("results"))
    ]


STRUCTURES = (
    Structure("pytest-json", "pytest-json-report, reportlog", ("pytest",), _is_pytest, _read_pytest),
    Structure("mypy-json", "mypy --output json", ("mypy",), _is_mypy, _read_mypy),
    Structure("pyright-json", "pyright --outputjson", ("pyright", "basedpyright"), _is_pyright, _read_pyright),
    Structure("pylint-json", "pylint -f json, json2", ("pylint",), _is_pylint, _read_pylint),
    Structure("ruff-json", "ruff --output-format json, json-lines", ("ruff",), _is_ruff, _read_ruff),
    Structure("ruff-json-lines", "ruff --output-format json-lines", ("ruff",), _is_ruff_line, _read_ruff),
    Structure("bandit-json", "bandit -f json", ("bandit",), _is_bandit, _read_bandit),
)
