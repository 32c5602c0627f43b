"""`path:line:column: severity: message` and its many relatives: compilers, linters, type checkers."""

from __future__ import annotations

import re

from lsp_server.model.failure import FailureKind, Role
from lsp_server.model.request import Severity
from lsp_server.text.late_pattern import late_pattern

from ..drafts import Draft, RawFrame, diagnostic, is_syntax, severity_of
from ..grammar import DONE, Block, Context, Grammar, Opened

PATH = r"(?P<path>(?:[A-Za-z]:[/\\])?[^\s:*?\"<>|][^\n:*?\"<>|]{0,600}?)"
_LEVEL = (
    r"(?:fatal error|internal compiler error|runtime error|sorry, unimplemented|[Ee]rror|ERROR|[Ww]arning|WARNING"
    r"|[Nn]ote|NOTE|[Ii]nfo|INFO|[Hh]int|[Rr]emark|[Ss]tyle|[Ff]atal|FATAL|FAILURE|[Ff]ailure|[Cc]onvention|refactor"
    r"|help|suggestion|SEVERE|CRITICAL)"
)
_WITH_LEVEL = late_pattern(
    rf"^(?:\s{{0,4}}|[^\n\w./~]{{1,4}} ?|\[\w+\] |\w{{1,12}}> ?)(?:%?(?P<early>{_LEVEL}):? )?{PATH}:(?P<line>\d{{1,9}})"
    rf"(?::(?P<col>\d{{1,9}}))?(?:[:-](?P<eline>\d{{1,9}}):(?P<ecol>\d{{1,9}}))?(?:-\d{{1,9}})?(?:: | - |:|\s)\s{{0,4}}"
    rf"\[?(?P<level>{_LEVEL})\b\]?(?:[: ]?\[?(?P<code>[A-Z]{{1,8}}-?\d{{1,6}}|[A-Za-z][\w-]{{2,60}}(?=\]))\]?)?"
    rf"(?:\[[^\]\n]{{1,80}}\])?:? ?(?P<text>.*)$"
)
_WITH_CODE = late_pattern(
    rf"^(?:\s{{0,4}}){PATH}:(?P<line>\d{{1,9}})(?::(?P<col>\d{{1,9}}))?:? "
    rf"(?P<code>[A-Z]{{1,10}}\d{{1,6}}|[A-Z]{{1,4}}|invalid-syntax)\b:?"
    r"(?:/[\w-]+)? ?(?P<text>.*)$"
)
_PLAIN = late_pattern(
    rf"^(?:\s{{0,4}}|\w{{1,12}}: ){PATH}:(?P<line>\d{{1,9}})(?::(?P<col>\d{{1,9}}))?(?:-\d{{1,9}}"
    rf"(?::\d{{1,9}})?)?:\s{{1,4}}(?P<text>\S.*)$"
)
_EARLY = late_pattern(
    rf"^\s{{0,4}}(?:%?)(?P<level>{_LEVEL})\b(?:\[(?P<code>[\w:.-]{{1,60}})\]|(?: |: )(?P<rule>\w{{2,60}}) -|:)? "
    rf"(?:in )?{PATH}:(?P<line>\d{{1,9}})"
    r"(?::(?P<col>\d{1,9}))?(?:: | - |:? )(?P<text>\S.*)$"
)
_TAIL_CODE = late_pattern(r"(?:\s{1,4}|^)[\[(](?P<code>[A-Za-z][\w./@:#=+-]{1,80})[\])]$")
_UNIX_LEVEL = late_pattern(r" ?\[(?P<level>Error|Warning|Info)(?:/(?P<code>[^\]\n]{1,80}))?\]$")
_GUTTER = late_pattern(r"^\s*(?P<line>\d{1,9}) [|│](?P<text>.*)$")
_MARKS = late_pattern(r"^[\s|]*[\^~][\^~ .+-]*.{0,80}$")
_INSTANTIATION = late_pattern(r"requested here|in instantiation|instantiated from|required from|substitut")


class _Diagnosed:
    """The lines below a diagnostic: its source line in a gutter or bare above a caret."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._place = draft.traces[0].frames[0]
        self._bare: str | None = None
        self._seen = 0

    def feed(self, line: str, _context: Context) -> bool:
        self._seen += 1
        gutter = _GUTTER.match(line)
        if gutter:
            if int(gutter["line"]) == self._place.line and self._place.text is None:
                self._place.text = gutter["text"].strip()
            return True
        if re.match(r"^\s+[|│]", line):
            return True
        if _MARKS.match(line):
            if self._bare is not None and self._place.text is None and self._seen <= 4:
                self._place.text = self._bare
            return True
        if self._seen > 4 or not line.strip() or _looks_like_place(line):
            return False
        if self._bare is None or self._seen <= 2:
            self._bare = line.strip()
            return True
        return False

    def close(self, context: Context) -> None:
        """The diagnostic was emitted when it was read."""


def _looks_like_place(line: str) -> bool:
    return (
        re.search(
            r"[\w)\]]:\d{1,9}(?::\d{1,9})?:? |\(\d{1,9}(?:,\d{1,9})?\)|^In file|^\s*from |^\S.*:$|^make|^---|^===|^#",
            line,
        )
        is not None
    )


def _open_colon(line: str, context: Context) -> Block | Opened | None:
    if (
        "://" in line
        and re.match(r"^\s*(?:\w+ )?\w+://", line)
        and not line.lstrip().startswith(("file:", "e: file", "w: file"))
    ):
        return None
    match = _WITH_LEVEL.match(line)
    level, code, tool = None, None, ""
    if match:
        level, code = match["level"] or match["early"], match["code"]
    else:
        match = _WITH_CODE.match(line)
        if match and not _is_code(match["code"]):
            match = None
        if match:
            code = match["code"]
            level = _level_of_code(code, match["text"])
    if match is None:
        match = _EARLY.match(line)
        if match:
            level, code = match["level"], match["code"] or match["rule"]
    if match is None or not _is_file(match["path"]):
        return None
    return _diagnosed(match, level, code, tool, context)


def _is_file(path: str) -> bool:
    return (
        re.search(
            r"\.\w{1,10}$|(?:^|[/\\])(?:Makefile|Dockerfile\S*|Rakefile|Gemfile|BUILD|WORKSPACE|Jenkinsfile|CMakeL"
            r"ists\.txt|Podfile|Vagrantfile|Justfile|justfile)$",
            path,
        )
        is not None
    )


_PLAIN_WORDS = {
    "GET",
    "PUT",
    "POST",
    "HTTP",
    "OK",
    "INFO",
    "DEBUG",
    "PASS",
    "FAIL",
    "AM",
    "PM",
    "UTC",
    "GMT",
    "KB",
    "MB",
    "GB",
    "ID",
    "TODO",
    "NOTE",
    "IN",
    "AT",
}


def _is_code(code: str) -> bool:
    return code not in _PLAIN_WORDS


def _level_of_code(code: str, _text: str) -> str:
    """Python linters print no severity: E9 and F82 are errors, the rest are conventions (pylint: the letter)."""
    if code in {"E", "F", "W", "C", "R", "I", "N"}:
        return {"E": "error", "F": "fatal", "I": "info"}.get(code, "warning")
    if re.match(r"^[CRWI]\d{4}$", code):
        return "warning"
    return "error"


def _diagnosed(
    match: re.Match[str], level: str | None, code: str | None, tool: str, context: Context
) -> Block | Opened:
    text = match["text"].strip()
    groups = match.groupdict()
    end = int(groups["eline"]) if groups.get("eline") else None
    line = int(match["line"])
    place = RawFrame(match["path"].strip(), line, int(match["col"]) if match["col"] else None, bases=context.bases)
    place.end_line = end if end and end > line else None
    tail = _TAIL_CODE.search(text)
    if tail and not code:
        code, text = tail["code"], text[: tail.start()].strip()
    severity = severity_of(
        level.split()[0] if level and level not in {"internal compiler error", "runtime error"} else level
    )
    if level and level.lower() in {"note", "help"} and joins(place, text, code, context):
        return DONE
    kind = FailureKind.CRASH if level == "runtime error" else None
    draft = diagnostic(text, place, severity=severity, code=code, tool=tool, kind=kind)
    draft.related.extend(context.includes)
    context.includes.clear()
    context.emit(draft)
    return _Diagnosed(draft)


def joins(place: RawFrame, text: str, code: str | None, context: Context) -> bool:
    """A note belongs to the diagnostic before it; a lone one (ShellCheck's) is a diagnostic itself."""
    context.includes.clear()
    last = context.last
    if code and re.match(r"^SC\d+$", code):
        return False
    if last is None or last.kind not in {FailureKind.DIAGNOSTIC, FailureKind.SYNTAX}:
        return False
    place.role = Role.RELATED
    at = last.traces[0].frames[0]
    if (at.path, at.line) != (place.path, place.line):
        last.related.insert(0 if _INSTANTIATION.search(text) else len(last.related), place)
    return True


def _open_plain(line: str, context: Context) -> Block | Opened | None:
    """`path:line:col: message` without a severity: go, vet, flake8's kin, ESLint's unix format, Ruby, awk …"""
    if "://" in line.split(" ", 1)[0] and not line.startswith("file:"):
        return None
    match = _PLAIN.match(line)
    if match is None or not _is_file(match["path"]):
        return None
    text = match["text"].strip()
    if match["col"] is None and not _tells(text):
        return None
    level = _UNIX_LEVEL.search(text)
    code = None
    severity = Severity.ERROR
    if level:
        severity, code, text = severity_of(level["level"]), level["code"], text[: level.start()]
    elif re.match(r"^\[\w+\] ", text):
        word = text[1 : text.index("]")]
        severity, text = severity_of(word), text[text.index("]") + 2 :]
    tail = _TAIL_CODE.search(text)
    if tail and not code:
        code, text = tail["code"], text[: tail.start()].strip()
    weak = not match["col"]
    place = RawFrame(
        match["path"].strip(),
        int(match["line"]),
        int(match["col"]) if match["col"] else None,
        bases=context.bases,
        weak=weak,
    )
    kind = FailureKind.SYNTAX if is_syntax(text) and not code else FailureKind.DIAGNOSTIC
    draft = diagnostic(text, place, severity=severity, code=code, kind=kind)
    draft.related.extend(context.includes)
    context.includes.clear()
    context.emit(draft)
    return _Diagnosed(draft)


_TELLING = late_pattern(
    r"error|fail|warn|invalid|unexpected|expected|undefined|unknown|cannot|can't|could not|missing|not found|no su"
    r"ch|undeclared"
    r"|unused|syntax|unterminated|illegal|denied|mismatch|declared|redefin|duplicate|deprecated|command not found|"
    r"unbound|exception"
    r"|\*\*\*|assert|panic|fatal|wrong|bad |too (?:many|few)|out of range|nil |null",
    re.IGNORECASE,
)


_BARE = late_pattern(rf"^\s{{2,6}}{PATH}:(?P<line>\d{{1,9}}):(?P<col>\d{{1,9}})\s*$")


def _open_related(line: str, context: Context) -> Block | Opened | None:
    """tsc --pretty prints the places that explain an error indented below it."""
    match = _BARE.match(line)
    last = context.last
    if match is None or last is None or not (last.code or "").startswith("TS"):
        return None
    last.related.append(RawFrame(match["path"], int(match["line"]), int(match["col"]), role=Role.RELATED))
    return DONE


def _tells(text: str) -> bool:
    return _TELLING.search(text) is not None


_ANY = "/\\.\\w{1,10}:\\d/"
_SPECIAL = ("Makefile:", "ockerfile:", "Rakefile:", "Gemfile:", "Jenkinsfile:", "Podfile:", "ustfile:")
GRAMMARS = (
    Grammar(
        "colon",
        "path:line:column: severity: message",
        (
            "gcc",
            "clang",
            "swiftc",
            "javac",
            "mypy",
            "GHC",
            "zig",
            "ShellCheck",
            "flake8",
            "ruff",
            "pylint",
            "RuboCop",
            "yamllint",
            "Verilator",
            "nasm",
            "Sphinx",
        ),
        "src/x.c:8:5: error: too few arguments",
        (_ANY, *_SPECIAL),
        _open_colon,
    ),
)
PLAIN = (
    Grammar("tsc-related", "tsc's related places", ("tsc",), "  src/ship.ts:3:3", (_ANY,), _open_related),
    Grammar(
        "colon-plain",
        "path:line:column: message",
        ("go build", "go vet", "golangci-lint", "ESLint unix", "Ruby", "actionlint", "Erlang", "Elixir"),
        "x.go:5:2: imported and not used",
        (_ANY, *_SPECIAL),
        _open_plain,
    ),
)
