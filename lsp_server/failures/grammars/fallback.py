"""The last resort: any line that names an existing workspace file and a line, in words that speak of failure."""

from __future__ import annotations

import re

from lsp_server.model.failure import FailureKind
from lsp_server.text.late_pattern import late_pattern

from ..drafts import Draft, RawFrame, Trace, kind_of
from ..grammar import Block, Context, Grammar, Opened

_PLACE = late_pattern(
    r"(?P<lead>^|[\s\"'`(\[<|│])(?P<path>(?:file://)?(?:[A-Za-z]:[/\\])?[\w@~./\\+-][\w@~./\\+-]{0,400}\.\w{1,10})"
    r"(?:(?::|\[)(?P<line>\d{1,9})(?:[:,](?P<col>\d{1,9}))?(?=[\s:,;.)\]'\"`>│|]|$)"
    r"| ?\((?P<number>\d{1,9})(?:[:,]\d{1,9})?\))"
)
_SPEAKS = late_pattern(
    r"error|fail|exception|fatal|panic|assert|abort|invalid|unexpected|undefined|undeclared|cannot|could not|expec"
    r"ted|traceback|warning"
    r"|violation|location|scenario|unresolved|mismatch|denied|not found|missing|crash|✗|✘|×|✖|\bat\b|\bin\b|\bfrom\b",
    re.IGNORECASE,
)
_SKIP = late_pattern(
    r"^(?:rspec |bin/rails |diff |index |\+\+\+ |--- |@@ |Binary |\S+ \S+ HTTP)|https?://|\b"
    r"(?:GET|POST|PUT|DELETE|PASS|ok|passed|✓|✔)\b"
)


BARE = "place"
"""Tool of a draft that is a place without a word of failure beside it."""


class _Places:
    """Neighbouring lines with places are one trace."""

    def __init__(self, place: RawFrame, message: str, stands_alone: bool) -> None:
        self._frames = [place]
        self._message = message
        self._alone = stands_alone

    def feed(self, line: str, _context: Context) -> bool:
        if self._alone:
            return False
        match = _bare(line)
        if match is None:
            return False
        self._frames.append(_frame(match))
        return True

    def close(self, context: Context) -> None:
        kind = kind_of(self._message, FailureKind.DIAGNOSTIC)
        draft = Draft(self._message, kind, test=context.test, traces=[Trace(self._message, self._frames)])
        draft.weak = True
        draft.tool = "" if _SPEAKS.search(self._message) else BARE
        context.emit(draft)


def _frame(match: re.Match[str]) -> RawFrame:
    return RawFrame(
        match["path"], int(match["line"] or match["number"]), int(match["col"]) if match["col"] else None, weak=True
    )


def _bare(line: str) -> re.Match[str] | None:
    """A line that is little more than its place."""
    match = _PLACE.search(line)
    if match is None or _SKIP.search(line):
        return None
    return match if len(line) - (match.end() - match.start()) < 60 and not re.search(r"error|warning", line) else None


def _open(line: str, context: Context) -> Block | Opened | None:
    match = _PLACE.search(line)
    if match is None or _SKIP.search(line):
        return None
    starts = not line[: match.start()].strip(" \t-*•>❯│|└─→#(\"'`")
    if not starts and not _SPEAKS.search(line):
        return None
    rest = line[match.end() :].strip(" :)]-")
    text = rest if len(rest) > 12 else line.strip()
    above = next((one.strip() for one in context.before[:3] if one.strip()), "")
    if len(rest) <= 12 and starts and _SPEAKS.search(above):
        text = above
    return _Places(_frame(match), text, stands_alone=len(rest) > 60)


GRAMMARS = (
    Grammar(
        "fallback",
        "any line that names a workspace file and a line",
        ("everything else",),
        "something failed at src/x.py:12",
        ("/\\.\\w{1,10}[:(]\\d/", "/\\.\\w{1,10} \\(\\d/"),
        _open,
    ),
)
