"""Reports that name the file once and list lines below it: stylish linters, ShellCheck, PHPStan, PHP_CodeSniffer."""

from __future__ import annotations

import re

from lsp_server.model.request import Severity
from lsp_server.text.late_pattern import late_pattern

from ..drafts import RawFrame, diagnostic, severity_of
from ..grammar import DONE, Block, Context, Grammar, Opened

_ENTRY = late_pattern(
    r"^\s{1,8}(?P<line>\d{1,9}):(?P<col>\d{1,9})\s{1,12}(?P<level>error|warning|info|hint|✖|⚠|✘|×|ℹ|[EWIC])\s"
    r"{1,12}(?P<text>\S.*?)(?:\s{2,}(?P<code>[\w@/.-]{1,120})|\s+\((?P<paren>[\w-]{1,60})\))?\s*$"
)
_CRA = late_pattern(
    r"^\s{1,4}Line (?P<line>\d{1,9})(?::(?P<col>\d{1,9}))?:\s{1,4}(?P<text>\S.*?)(?:\s{2,}"
    r"(?P<code>[\w@/.-]{1,120}))?\s*$"
)
_FILE = late_pattern(r"^\s{0,2}(?P<path>(?:[A-Za-z]:)?[^\s:*?\"<>|✖][^\n:*?\"<>|]{0,500}\.\w{1,10})$")
_SQLFLUFF = late_pattern(
    r"^L:\s{0,6}(?P<line>\d{1,9}) \| P:\s{0,6}(?P<col>\d{1,9}) \|\s{1,4}(?P<code>\w{1,12}) \| (?P<text>.*)$"
)
_SQLFLUFF_FILE = late_pattern(r"^== \[(?P<path>[^\]\n]{1,500})\] FAIL$")


class _Listed:
    """Entries below a file's name, until something else comes."""

    def __init__(self, path: str) -> None:
        self._path = path

    def feed(self, line: str, context: Context) -> bool:
        match = _ENTRY.match(line) or _CRA.match(line) or _SQLFLUFF.match(line)
        if match is None:
            file = _FILE.match(line)
            if file:
                self._path = file["path"].strip()
                return True
            return not line.strip()
        groups = match.groupdict()
        level = groups.get("level") or "error"
        severity = severity_of(
            {"✖": "error", "✘": "error", "×": "error", "⚠": "warning", "ℹ": "info"}.get(level, level)
        )
        code = groups.get("code") or groups.get("paren")
        place = RawFrame(self._path, int(match["line"]), int(match["col"]) if match["col"] else None)
        context.emit(diagnostic(match["text"].strip(), place, severity=severity, code=code, tool="eslint"))
        return True

    def close(self, context: Context) -> None:
        """Every entry was emitted when it was read."""


def _open_listed(line: str, context: Context) -> Block | Opened | None:
    heading = _SQLFLUFF_FILE.match(line)
    if heading:
        return _Listed(heading["path"])
    if not (_ENTRY.match(line) or _CRA.match(line)):
        return None
    for before in context.before:
        file = _FILE.match(before)
        if file:
            block = _Listed(file["path"].strip())
            block.feed(line, context)
            return block
    return None


_SHELLCHECK = late_pattern(r"^In (?P<path>\S[^\n]{0,500}) line (?P<line>\d{1,9}):$")
_SHELLCHECK_SAYS = late_pattern(r"^\s*(?:\^-*\^?|\^--) (?P<code>SC\d{4})(?: \((?P<level>\w+)\))?: (?P<text>.*)$")


class _ShellCheck:
    def __init__(self, path: str, line: int) -> None:
        self._path, self._line = path, line
        self._text: str | None = None

    def feed(self, line: str, context: Context) -> bool:
        said = _SHELLCHECK_SAYS.match(line)
        if said:
            place = RawFrame(self._path, self._line, text=self._text)
            context.emit(
                diagnostic(
                    said["text"],
                    place,
                    severity=severity_of(said["level"], Severity.WARNING),
                    code=said["code"],
                    tool="shellcheck",
                )
            )
            return True
        if self._text is None:
            self._text = line.strip()
            return True
        return False

    def close(self, context: Context) -> None:
        """Every finding was emitted when it was read."""


def _open_shellcheck(line: str, _context: Context) -> Block | Opened | None:
    match = _SHELLCHECK.match(line)
    return _ShellCheck(match["path"], int(match["line"])) if match else None


_TABLE_HEAD = late_pattern(r"^\s{1,3}Line\s{2,}(?P<path>\S[^\n]{0,400}?)(?: \(in context of .*\))?\s*$")
_TABLE_ROW = late_pattern(r"^\s{1,3}(?P<line>:?\d{1,9})\s{2,}(?P<text>\S.*)$")
_PHPCS_HEAD = late_pattern(r"^FILE: (?P<path>\S[^\n]{0,500})$")
_PHPCS_ROW = late_pattern(r"^\s{1,6}(?P<line>\d{1,9}) \| (?P<level>ERROR|WARNING)\s*\|(?: \[[ x]\])? (?P<text>.*)$")


class _Table:
    def __init__(self, path: str, row: re.Pattern[str]) -> None:
        self._path, self._row = path, row
        self._rules = 0

    def feed(self, line: str, context: Context) -> bool:
        match = self._row.match(line)
        if match:
            place = RawFrame(self._path, int(match["line"].lstrip(":")))
            severity = severity_of(match.groupdict().get("level"))
            context.emit(diagnostic(match["text"].strip(), place, severity=severity, tool="phpstan"))
            return True
        if re.match(r"^\s*-{3,}[ -]*$", line):
            self._rules += 1
            return self._rules < 4
        return line.startswith(("  ", "FOUND ")) or " | " in line

    def close(self, context: Context) -> None:
        """Every row was emitted when it was read."""


def _open_table(line: str, _context: Context) -> Block | Opened | None:
    head, sniffed = _TABLE_HEAD.match(line), _PHPCS_HEAD.match(line)
    if head:
        return _Table(head["path"], _TABLE_ROW)
    return _Table(sniffed["path"], _PHPCS_ROW) if sniffed else None


_SAID_FIRST = late_pattern(
    r"^\s*(?P<level>error|warning|info|hint) (?:•|-) (?P<text>.*?) (?:•|-) (?P<path>\S[^\n•]{0,400}?):"
    r"(?P<line>\d{1,9}):(?P<col>\d{1,9}) (?:•|-) (?P<code>[\w-]{1,80})$"
)
_DART_DASH = late_pattern(
    r"^\s*(?P<level>error|warning|info|hint) - (?P<path>\S[^\n]{0,400}?):(?P<line>\d{1,9}):"
    r"(?P<col>\d{1,9}) - (?P<text>.*?)(?: - (?P<code>[\w-]{1,80}))?$"
)
_PSALM = late_pattern(
    r"^(?P<level>ERROR|INFO|WARNING): (?P<code>\w{1,80}) - (?P<path>[^\n:]{1,400}):(?P<line>\d{1,9}):"
    r"(?P<col>\d{1,9}) - (?P<text>.*)$"
)
_HADOLINT = late_pattern(
    r"^(?P<path>[\w./-]{1,300}):(?P<line>\d{1,9}) (?P<code>[A-Z]{2}\d{3,4}(?:/[\w-]+)?) (?:"
    r"(?P<level>error|warning|info|style): )?(?P<text>.*)$"
)
_MARKDOWN = late_pattern(
    r"^(?P<path>[\w./-]{1,300}\.mdx?):(?P<line>\d{1,9})(?::(?P<col>\d{1,9}))? (?:"
    r"(?P<level>error|warning) )?(?P<code>MD\d{3})(?:/[\w./-]+)? (?P<text>.*)$"
)
_BIOME = late_pattern(
    r"^(?P<path>\S[^\n]{0,400}?):(?P<line>\d{1,9}):(?P<col>\d{1,9}) (?P<code>[\w/]{3,120})(?P<level>)"
    r"(?: {1,3}FIXABLE)?(?P<text>) ━+$"
)


def _open_row(line: str, context: Context) -> Block | Opened | None:
    for pattern in (_SAID_FIRST, _DART_DASH, _PSALM, _MARKDOWN, _HADOLINT, _BIOME):
        match = pattern.match(line)
        if match:
            groups = match.groupdict()
            place = RawFrame(match["path"], int(match["line"]), int(match["col"]) if groups.get("col") else None)
            context.emit(
                diagnostic(
                    match["text"] or match["code"],
                    place,
                    severity=severity_of(groups.get("level") or None),
                    code=groups.get("code"),
                    tool="lint",
                )
            )
            return DONE
    return None


GRAMMARS = (
    Grammar(
        "stylish",
        "file heading, then line:column entries",
        ("ESLint stylish", "stylelint", "yamllint", "SQLFluff", "CRA"),
        "src/x.js\n  1:5  warning  msg  no-unused-vars",
        ("  error  ", " warning  ", "  ✖  ", "  ⚠  ", "  Line ", "== [", "  ×  "),
        _open_listed,
    ),
    Grammar("shellcheck", "ShellCheck on a terminal", ("ShellCheck",), "In x.sh line 5:", ("In ",), _open_shellcheck),
    Grammar(
        "table",
        "tables with a Line column",
        ("PHPStan", "PHP_CodeSniffer", "Larastan"),
        " Line   src/x.php",
        (" Line  ", "FILE: "),
        _open_table,
    ),
    Grammar(
        "row",
        "one finding a row, in the linter's own order",
        ("dart analyze", "Psalm", "markdownlint", "hadolint", "Biome"),
        "error • msg • lib/x.dart:3:5 • code",
        (" • ", "error - ", "warning - ", "ERROR: ", ".md:", ".mdx:", "ockerfile:", " ━━"),
        _open_row,
    ),
)
