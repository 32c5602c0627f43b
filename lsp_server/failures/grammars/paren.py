"""`path(line,column): severity code: message`: tsc, MSVC, MSBuild, Pylint, Nim, D."""

from __future__ import annotations

from lsp_server.model.request import Severity
from lsp_server.text.late_pattern import late_pattern

from ..drafts import RawFrame, diagnostic, severity_of
from ..grammar import DONE, Block, Context, Grammar, Opened
from .colon import joins

_PAREN = late_pattern(
    r"^\s*(?:\d{1,4}>\s?|\[\w+\] )?(?P<path>(?:[A-Za-z]:[/\\])?[^\s:*?\"<>|][^\n:*?\"<>|]{0,600}?)\s?\("
    r"(?P<line>\d{1,9})(?:[,:.-] ?(?P<col>\d{1,9}))?(?:,\d{1,9},\d{1,9}|-\d{1,9})?\)\s?:?\s"
    r"(?:\w+ )?(?P<level>fatal error|[Ee]rror|ERROR|[Ww]arning|WARNING|[Nn]ote|[Ii]nfo|[Mm]essage|[Hh]int|[Ff]atal"
    r")\b(?: (?P<code>[A-Z]{1,8}\d{1,6}))?(?:\[[^\]\n]{1,60}\])?\s*:? ?(?P<text>.*)$"
)


_PYLINT_MSVS = late_pattern(
    r"^(?P<path>[^\s:(][^\n:(]{0,600})\((?P<line>\d{1,9})\): \["
    r"(?P<code>[A-Z]\d{4})\([\w-]+\)[^\]\n]{0,200}\] (?P<text>.*)$"
)


_PROJECT = late_pattern(r" \[[^\]\n]{1,400}proj(?:::[^\]\n]*)?\]$")


def _open_paren(line: str, context: Context) -> Block | Opened | None:
    match = _PAREN.match(line)
    if match is None:
        lint = _PYLINT_MSVS.match(line)
        if lint is None:
            return None
        severity = Severity.ERROR if lint["code"][0] in "EF" else Severity.WARNING
        context.emit(
            diagnostic(
                lint["text"],
                RawFrame(lint["path"], int(lint["line"])),
                severity=severity,
                code=lint["code"],
                tool="pylint",
            )
        )
        return DONE
    text = _PROJECT.sub("", match["text"].strip())
    place = RawFrame(
        match["path"], int(match["line"]), int(match["col"]) if match["col"] else None, bases=context.bases
    )
    if match["level"].lower() in {"note", "message"} and joins(place, text, match["code"], context):
        return DONE
    context.emit(diagnostic(text, place, severity=severity_of(match["level"].split()[0]), code=match["code"], tool=""))
    return DONE


GRAMMARS = (
    Grammar(
        "paren",
        "path(line,column): severity code: message",
        ("tsc", "MSVC", "MSBuild", "dotnet", "pylint", "Nim", "D", "Pascal"),
        "src/x.ts(3,39): error TS2322: …",
        ("/\\.\\w{1,10} ?\\(\\d/",),
        _open_paren,
    ),
)
