"""Babel, Prettier, webpack, esbuild and their kin: the place at the end of a line or on its own."""

from __future__ import annotations

import re

from lsp_server.model.failure import FailureKind
from lsp_server.text.late_pattern import late_pattern

from ..drafts import RawFrame, diagnostic, severity_of
from ..grammar import DONE, Block, Context, Grammar, Opened
from .javascript import PATH_TRIGGER

_PAREN_END = late_pattern(
    r"^\s*(?:\[\w+\] |[✖✘×] )?(?:(?P<word>SyntaxError|TypeError|ParseError|\w*Error): )?(?P<path>"
    r"(?:[A-Za-z]:)?[/\\.\w@][^\n:]{0,600}\.\w{1,6}): (?P<text>[^\n]*?) ?\((?P<line>\d{1,9}):(?P<col>\d{1,9})\)$"
)


def _open_paren_end(line: str, context: Context) -> Block | Opened | None:
    match = _PAREN_END.match(line)
    if match is None:
        return None
    place = RawFrame(match["path"], int(match["line"]), int(match["col"]))
    word = match["word"] or match["text"].split(":")[0]
    kind = FailureKind.SYNTAX if "Syntax" in word else FailureKind.DIAGNOSTIC
    context.emit(diagnostic(match["text"], place, tool="babel", kind=kind))
    return DONE


_BUNDLER = late_pattern(
    r"^(?:(?P<level>ERROR|WARNING) in )?\.?/?(?P<path>[^\s:][^\n:]{0,500}?\.\w{1,8})(?: "
    r"(?P<wline>\d{1,9}):(?P<wcol>\d{1,9})(?:-[\d:]+)?|:(?P<line>\d{1,9}):(?P<col>\d{1,9}))\s*$"
)


class _Bundled:
    """webpack, Next.js, svelte-check, esbuild: the place on a line of its own, the message below it (or above)."""

    def __init__(self, place: RawFrame, level: str | None, above: str) -> None:
        self._place, self._level, self._message = place, level, above

    def feed(self, line: str, _context: Context) -> bool:
        text = line.strip()
        source = re.match(r"^\s*>? ?(?P<line>\d{1,9}) [|│](?P<text>.*)$", line)
        if source:
            if int(source["line"]) == self._place.line:
                self._place.text = source["text"].strip()
            return True
        if not self._message and text:
            self._message = text
            return True
        return False

    def close(self, context: Context) -> None:
        code = re.match(r"^(?:\w+ )?(?P<code>TS\d+): ", self._message)
        severity = severity_of(self._level or self._message.split(":")[0].split()[0] if self._message else None)
        context.emit(
            diagnostic(
                self._message, self._place, severity=severity, code=code["code"] if code else None, tool="bundler"
            )
        )


def _open_bundled(line: str, context: Context) -> Block | Opened | None:
    match = _BUNDLER.match(line)
    if match is None:
        return None
    above = next((text.strip() for text in context.before[:3] if text.strip()), "")
    esbuild = re.match(r"^(?:[✘▲✖X] )?\[(?P<level>ERROR|WARNING)\] (?P<text>.*)$", above)
    if not match["level"] and esbuild is None and not line.startswith(("./", "/", "ERROR", "src/", "app/", "pages/")):
        return None
    number, column = match["line"] or match["wline"], match["col"] or match["wcol"]
    place = RawFrame(match["path"], int(number), int(column))
    return _Bundled(
        place, match["level"] or (esbuild["level"] if esbuild else None), esbuild["text"] if esbuild else ""
    )


GRAMMARS = (
    Grammar(
        "babel",
        "place in parentheses at the end",
        ("Babel", "Prettier", "Vite"),
        "SyntaxError: src/x.js: Unexpected token (4:30)",
        ("rror: ", "[error] "),
        _open_paren_end,
    ),
    Grammar(
        "bundler",
        "place on its own line",
        ("webpack", "esbuild", "Next.js", "svelte-check"),
        "ERROR in ./src/x.ts:3:5",
        (PATH_TRIGGER, "ERROR in ./", "WARNING in ./"),
        _open_bundled,
    ),
)
