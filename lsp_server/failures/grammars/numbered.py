"""Numbered failure lists: RSpec, Minitest, Mocha and its kin, PHPUnit, ExUnit, Playwright, Jasmine, hspec."""

from __future__ import annotations

import re

from lsp_server.model.failure import FailureKind
from lsp_server.text.late_pattern import late_pattern

from ..drafts import Draft, RawFrame, Trace, kind_of
from ..grammar import Block, Context, Grammar, Opened
from . import javascript

_ITEM = late_pattern(r"^(?P<indent>\s{0,4})(?P<number>\d{1,5})\) (?P<title>\S.{0,400})$")
_RUBY = late_pattern(
    r"^\s*(?:# ?\s*)?(?:\.?/?)(?P<path>(?:[A-Za-z]:|\./)?[^\s:#][^\n:]{0,500}\."
    r"(?:rb|rake|ru|erb|feature)):(?P<line>\d{1,9})(?::in [`'](?P<name>.{1,200})'?)?$"
)
_PHP = late_pattern(
    r"^(?:\s{0,6}|.{0,40}\s)?(?P<path>(?:[A-Za-z]:)?[/\\]?[^\s:()][^\n:()]{0,500}\.(?:php|phpt)):(?P<line>\d{1,9})$"
)
_ELIXIR = late_pattern(
    r"^\s*(?:\(\w[\w. -]{0,60}\) )?(?P<path>[\w./-]{1,300}\.exs?):(?P<line>\d{1,9})(?:: (?P<name>.{0,200}))?$"
)
_MINITEST = late_pattern(r"^(?P<test>[\w:]{1,200}#\S{1,200})(?: \[(?P<path>[^\n\]]{1,500}):(?P<line>\d{1,9})\])?:$")
_HASKELL = late_pattern(r"^\s+(?P<path>[\w./-]{1,300}\.l?hs):(?P<line>\d{1,9})(?::(?P<col>\d{1,9}))?:?\s*$")
_PLACE_IN_TITLE = late_pattern(
    r"^(?:\[[^\]\n]{1,60}\] › )?(?P<path>[\w./@-]{1,300}\.\w{1,5}):(?P<line>\d{1,9}):(?P<col>\d{1,9}) › "
    r"(?P<title>.{1,300}?)[ ─-]*$"
)
_MARKED = late_pattern(r"^\s*> ?(?P<line>\d{1,9}) ?\|(?P<text>.*)$")
_END = late_pattern(
    r"^(?:Finished in|Failed examples:|Randomized with|\d+ (?:runs?|examples?|tests?|doctests?|scenarios?|passing|"
    r"failing|passed|failed|specs?)\b|FAILURES!|ERRORS!|Tests: |There (?:was|were) \d|--$"
    r"|Failures:|Pending|Slow |Coverage|OK,|WARNINGS!|rspec \./|bin/rails|# [\w.-]+ )"
)


class _Item:
    """One numbered failure; frames of any of the runners' languages."""

    def __init__(self, title: str, indent: int, before: list[str]) -> None:
        self._indent = indent
        self._titles = [title]
        self._in_title = True
        self._message: list[str] = []
        self._traces = [Trace()]
        self._test: str | None = None
        self._quiet = 0
        self._place_after: RawFrame | None = None
        placed = _PLACE_IN_TITLE.match(title)
        if placed:
            self._titles = [placed["title"]]
            self._place_after = RawFrame(placed["path"], int(placed["line"]), int(placed["col"]))
        above = _HASKELL.match(before[0]) if before else None
        if above:
            self._traces[0].frames.append(RawFrame(above["path"], int(above["line"])))
        self._in_title = not (title in {"Failure:", "Error:"} or placed is not None)
        self._marked: tuple[int, str] | None = None

    def feed(self, line: str, _context: Context) -> bool:
        match = _ITEM.match(line)
        if match and len(match["indent"]) <= self._indent:
            return False
        if _END.match(line):
            return False
        if not line.strip():
            self._in_title = False
            self._quiet += 1
            return self._quiet < 120
        if "Caused by: ---" in line:
            self._traces.append(Trace())
            return True
        frame = self._frame(line)
        if frame is not None:
            self._traces[-1].frames.append(frame)
            self._in_title = False
            return True
        return self._text(line)

    def _frame(self, line: str) -> RawFrame | None:
        found = javascript.frame(line)
        if found is not None:
            return found
        mini = _MINITEST.match(line.strip())
        if mini:
            self._test = mini["test"]
            if mini["path"]:
                return RawFrame(mini["path"], int(mini["line"]))
            return None
        for pattern in (_RUBY, _PHP, _ELIXIR):
            match = pattern.match(line)
            if match:
                name = match.groupdict().get("name")
                if pattern is _ELIXIR and not self._traces[0].frames and self._place_after is None and not name:
                    self._place_after = RawFrame(match["path"], int(match["line"]))
                    self._in_title = False
                    return None
                return RawFrame(match["path"], int(match["line"]), symbol=name)
        return None

    def _text(self, line: str) -> bool:
        text = line.strip()
        marked = _MARKED.match(line)
        if marked:
            self._marked = (int(marked["line"]), marked["text"].strip())
            return True
        indent = len(line) - len(line.lstrip())
        mocha = (
            self._in_title
            and indent > self._indent + 2
            and (text.endswith(":") or not re.match(r"^[\w.]*(?:Error|Exception|Failure)\b", text))
        )
        if mocha and len(self._titles) < 8 and not text.startswith(("Failure/Error", "Assertion", "**", "expected")):
            self._titles.append(text.removesuffix(":"))
            self._in_title = not text.endswith(":")
        elif len(self._message) < 30 and not text.startswith(("# ", "code:", "stacktrace:", "^", "at ")):
            self._in_title = False
            self._message.append(text.removeprefix("Failure/Error: "))
        return True

    def close(self, context: Context) -> None:
        traces = [trace for trace in self._traces if trace.frames]
        traces.reverse()
        message = " ".join(self._message[:12]).strip()
        if self._marked is not None:
            for frame in (one for trace in traces for one in trace.frames if one.line == self._marked[0]):
                frame.text = frame.text or self._marked[1]
        if self._place_after is not None:
            traces.append(Trace("", [self._place_after]))
        if not traces and not message:
            return
        title = self._titles[0] if self._titles[0] not in {"Failure:", "Error:"} else ""
        test = self._test or " ".join([title, *self._titles[1:]]).strip() or None
        exception = re.search(r"\b(?:[A-Z][\w:\\.]*)?(?:Error|Exception)\b", message[:400])
        kind = kind_of(
            message, FailureKind.EXCEPTION if exception or self._titles[0] == "Error:" else FailureKind.ASSERTION
        )
        if exception and "Assert" not in exception.group() and "Expectation" not in exception.group():
            kind = FailureKind.EXCEPTION if kind is FailureKind.ASSERTION else kind
        if re.search(r'"(?:before|after) (?:all|each)" hook', test or ""):
            kind = FailureKind.SETUP
        context.emit(Draft(message, kind, test=test, tool="runner", traces=traces, chained=len(self._traces) > 1))


def _open_item(line: str, context: Context) -> Block | Opened | None:
    match = _ITEM.match(line)
    if match is None:
        return None
    placed = bool(context.before and _HASKELL.match(context.before[0]))
    if context.before and context.before[0].strip() and int(match["number"]) != 1 and not placed:
        return None
    return _Item(match["title"].rstrip(), len(match["indent"]), context.before)


def _open_minitest(line: str, _context: Context) -> Block | Opened | None:
    match = _MINITEST.match(line)
    if match is None or not match["path"]:
        return None
    block = _Item("Failure:", 0, [])
    block.feed(line, _context)
    return block


GRAMMARS = (
    Grammar(
        "minitest-line",
        "failure heading",
        ("Minitest", "Rails"),
        "XTest#test_y [test/x_test.rb:12]:",
        (".rb:",),
        _open_minitest,
    ),
    Grammar(
        "numbered",
        "numbered failures",
        ("RSpec", "Minitest", "Mocha", "Cypress", "PHPUnit", "ExUnit", "Playwright", "Jasmine", "hspec"),
        "1) Suite test …",
        tuple(f"{digit}) " for digit in range(10)),
        _open_item,
    ),
)
