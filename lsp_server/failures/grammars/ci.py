"""CI annotations: GitHub Actions, Azure Pipelines, TeamCity."""

from __future__ import annotations

import re

from lsp_server.model.failure import FailureKind
from lsp_server.text.late_pattern import late_pattern

from ..drafts import Draft, RawFrame, Trace, diagnostic, kind_of, severity_of
from ..grammar import DONE, Block, Context, Grammar, Opened
from . import javascript

_COMMAND = late_pattern(r"^\s*::(?P<level>error|warning|notice)(?: (?P<properties>[^\n]*?))?::(?P<text>.*)$")


_AZURE = late_pattern(r"^##vso\[task\.logissue (?P<properties>[^\]\n]*)\](?P<text>.*)$")


_TEAMCITY = late_pattern(r"^\s*##teamcity\[(?P<name>testFailed|inspection|buildProblem) (?P<properties>.*)\]\s*$")


_DATA = {"%0A": "\n", "%0D": "", "%25": "%", "%2C": ",", "%3A": ":"}


def _open_annotation(line: str, context: Context) -> Block | Opened | None:
    command, azure, city = _COMMAND.match(line), _AZURE.match(line), _TEAMCITY.match(line)
    if command:
        return _command(
            command["level"], _properties(command["properties"] or "", ","), _decoded(command["text"]), context
        )
    if azure:
        given = _properties(azure["properties"], ";")
        values = {
            "file": given.get("sourcepath", ""),
            "line": given.get("linenumber", ""),
            "col": given.get("columnnumber", ""),
            "title": given.get("code", ""),
        }
        return _command(given.get("type", "error"), values, _decoded(azure["text"]), context)
    if city:
        return _teamcity(city["properties"], context)
    return None


def _properties(text: str, separator: str) -> dict[str, str]:
    found: dict[str, str] = {}
    key = ""
    for part in text.split(separator):
        name, equals, value = part.partition("=")
        if equals and re.match(r"^\s*\w+$", name):
            key = name.strip()
            found[key] = _decoded(value)
        elif key:
            found[key] += separator + part
    return found


def _decoded(text: str) -> str:
    for code, character in _DATA.items():
        text = text.replace(code, character)
    return text


def _command(level: str, values: dict[str, str], text: str, context: Context) -> Opened:
    path, number = values.get("file", ""), values.get("line", "")
    title = values.get("title") or None
    frames = [found for one in text.split("\n") if (found := javascript.frame(one)) is not None]
    test = title.split(" > ", 1)[1] if title and " > " in title else None
    message = text.split("\n\n")[0] if frames else text
    severity = severity_of({"notice": "info"}.get(level, level))
    if path and number.isdecimal():
        column = values.get("col") or values.get("column") or ""
        place = RawFrame(path, int(number[:9]), int(column[:9]) if column.isdecimal() else None)
        if not any(one.line == place.line and javascript.same_file(one.path, path) for one in frames):
            frames.insert(0, place)
    kind = kind_of(message, FailureKind.EXCEPTION if test else FailureKind.DIAGNOSTIC)
    if frames or message:
        draft = Draft(
            message.split("\n")[0] if test else message,
            kind,
            severity,
            None if test else title,
            test,
            "annotation",
            [Trace(message, frames)],
        )
        if frames:
            context.emit(draft)
    return DONE


_CITY_VALUE = late_pattern(r"(?P<key>\w+)='(?P<value>(?:[^'|\n]|\|.)*)'")


_CITY_ESCAPE = {"|n": "\n", "|r": "", "|'": "'", "|[": "[", "|]": "]", "||": "|"}


def _teamcity(text: str, context: Context) -> Opened:
    values = {
        match["key"]: re.sub(r"\|[nr'\[\]|]", lambda m: _CITY_ESCAPE[m[0]], match["value"])
        for match in _CITY_VALUE.finditer(text)
    }
    path, number = values.get("file") or values.get("sourcepath") or "", values.get("line", "")
    message = values.get("message") or values.get("description") or ""
    if path and number.isdecimal():
        severity = severity_of(values.get("SEVERITY"))
        context.emit(
            diagnostic(
                message, RawFrame(path, int(number[:9])), severity=severity, code=values.get("typeId"), tool="teamcity"
            )
        )
        return DONE
    frames: list[RawFrame] = []
    for one in values.get("details", "").split("\n"):
        found = javascript.frame(one) or _any_frame(one)
        if found is not None:
            frames.append(found)
    name = values.get("name")
    context.emit(
        Draft(
            message,
            kind_of(message, FailureKind.ASSERTION),
            test=name,
            tool="teamcity",
            traces=[Trace(message, frames)],
        )
    )
    return DONE


def _any_frame(line: str) -> RawFrame | None:
    from . import jvm, native, python

    found = jvm.frame(line) or native.dotnet_frame(line)
    if found is not None:
        return found
    match = python.FRAME.match(line) or re.match(
        r"^\s*(?P<path>[^\s:()][^\n:()]{0,400}\.\w{1,6}):(?P<line>\d{1,9})\s*$", line
    )
    return RawFrame(match["path"], int(match["line"])) if match else None


GRAMMARS = (
    Grammar(
        "annotation",
        "CI annotations",
        ("GitHub Actions", "Azure Pipelines", "TeamCity"),
        "::error file=src/x.py,line=12::msg",
        ("::error", "::warning", "::notice", "##vso[", "##teamcity["),
        _open_annotation,
    ),
)
