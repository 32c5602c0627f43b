"""Other ways to print Python failures: Rich, IPython, doctest, unittest."""

from __future__ import annotations

import re

from lsp_server.model.failure import FailureKind, Role
from lsp_server.text.late_pattern import late_pattern

from ..drafts import Draft, RawFrame, Trace, kind_of
from ..grammar import DONE, Block, Context, Grammar, Opened
from .python import (
    EXCEPTION,
    FRAME,
    HEAD,
    HEADER,
    Traceback,
)

_UNITTEST = late_pattern(r"^(?P<word>FAIL|ERROR): (?P<test>\S[^\n]{0,300}?)(?: \((?P<where>[\w.]+)\))?(?: .*)?$")


def _open_unittest(line: str, context: Context) -> Block | Opened | None:
    match = _UNITTEST.match(line)
    if match is None or not any(before.startswith("=====") for before in context.before[:1]):
        return None
    where = match["where"] or ""
    name = match["test"]
    context.test = where if where.endswith("." + name) else f"{where}.{name}" if where else name
    return DONE


def _open_unittest_end(line: str, context: Context) -> Block | Opened | None:
    if re.match(r"^Ran \d+ tests? in ", line):
        context.test = None
        return DONE
    return None


class _Doctest:
    def __init__(self, place: RawFrame) -> None:
        self._place = place
        self._inner = Traceback()
        self._lines: list[str] = []
        self._tracing = False

    def feed(self, line: str, context: Context) -> bool:
        if line.startswith("*****"):
            return False
        if HEADER.match(line):
            self._tracing = True
        if self._tracing:
            self._inner.feed(line, context)
        elif len(self._lines) < 20:
            self._lines.append(line)
        return True

    def close(self, context: Context) -> None:
        inner = Context()
        self._inner.close(inner)
        draft = inner.last
        self._place.role = Role.TEST
        if draft is None:
            message = " ".join(text.strip() for text in self._lines if text.strip())
            place = self._place
            place.role = Role.FRAME
            draft = Draft(message, FailureKind.ASSERTION, tool="doctest", traces=[Trace(message, [place])])
        else:
            draft.traces.append(Trace("", [self._place]))
        draft.test, draft.tool = self._place.symbol, "doctest"
        context.emit(draft)


def _open_doctest(line: str, context: Context) -> Block | Opened | None:
    match = FRAME.match(line)
    if match is None or not context.before or not context.before[0].startswith("*****"):
        return None
    return _Doctest(RawFrame(match["path"], int(match["line"]), symbol=match["name"]))


_CELL = late_pattern(
    r"^(?:File (?P<path>[^\n]{1,500}?):(?P<line>\d{1,9})(?:, in (?P<name>.{0,200}))?"
    r"|Cell In ?\[\d+\](?:, line \d+|:\d+).*|(?:Input In|In) ?\[\d+\].*"
    r"|(?P<old>[~/.\w][^\n]{0,400}\.py) in (?P<oldname>[^\n]{1,200}))$"
)


_ARROW = late_pattern(r"^-{2,}> ?(?P<line>\d{1,9}) (?P<text>.*)$")


class _IPython:
    def __init__(self) -> None:
        self._trace = Trace()
        self._old: RawFrame | None = None

    def feed(self, line: str, _context: Context) -> bool:
        if self._trace.message:
            return False
        cell = _CELL.match(line)
        arrow = _ARROW.match(line)
        if cell:
            if cell["path"]:
                self._trace.frames.append(RawFrame(cell["path"], int(cell["line"]), symbol=_bare(cell["name"])))
            self._old = RawFrame(cell["old"], 0, symbol=_bare(cell["oldname"])) if cell["old"] else None
        elif arrow:
            if self._old is not None:
                self._old.line = int(arrow["line"])
                self._trace.frames.append(self._old)
                self._old = None
            if self._trace.frames and self._trace.frames[-1].line == int(arrow["line"]):
                self._trace.frames[-1].text = arrow["text"].strip()
        elif line and not line[0].isspace() and EXCEPTION.match(line) and self._trace.frames and ":" in line:
            self._trace.message = line.strip()
        return True

    def close(self, context: Context) -> None:
        self._trace.frames.reverse()
        message = self._trace.message
        if self._trace.frames:
            context.emit(Draft(message, kind_of(message), tool="ipython", traces=[self._trace]))


def _bare(name: str | None) -> str | None:
    return name.split("(")[0].strip() if name else None


def _open_ipython(line: str, _context: Context) -> Block | Opened | None:
    if re.match(r"^[A-Za-z_][\w.]{0,200} {2,}Traceback \(most recent call last\)$", line):
        return _IPython()
    return None


_RICH_FRAME = late_pattern(
    r"^[│|] (?P<path>(?:[A-Za-z]:)?[^\s│][^\n│]{0,400}?):(?P<line>\d{1,9}) in (?P<name>[^\n│]{1,200}?)\s*[│|]$"
)


_RICH_SOURCE = late_pattern(r"^[│|] ❱ *(?P<line>\d{1,9}) (?P<text>[^\n]*?)\s*[│|]$")


class _Rich:
    def __init__(self) -> None:
        self._trace = Trace()
        self._boxed = True

    def feed(self, line: str, _context: Context) -> bool:
        if not self._boxed:
            if not line.strip():
                return True
            if EXCEPTION.match(line) and not self._trace.message:
                self._trace.message = line.strip()
                return True
            return False
        if line.startswith(("╰", "+--")):
            self._boxed = False
            return True
        frame = _RICH_FRAME.match(line)
        source = _RICH_SOURCE.match(line)
        if frame:
            self._trace.frames.append(RawFrame(frame["path"], int(frame["line"]), symbol=frame["name"]))
        elif source and self._trace.frames and self._trace.frames[-1].line == int(source["line"]):
            self._trace.frames[-1].text = source["text"].replace("│", " ").strip()
        return line.startswith(("│", "|"))

    def close(self, context: Context) -> None:
        self._trace.frames.reverse()
        if self._trace.frames:
            message = self._trace.message
            context.emit(Draft(message, kind_of(message), tool="rich", traces=[self._trace], test=context.test))


def _open_rich(line: str, _context: Context) -> Block | Opened | None:
    return _Rich() if line.startswith(("╭", "+-")) and "Traceback (most recent call last)" in line else None


GRAMMARS = (
    Grammar("python-rich", "Rich traceback", ("rich",), "│ /app/x.py:54 in main │", (HEAD,), _open_rich),
    Grammar(
        "ipython", "IPython traceback", ("IPython", "Jupyter"), "File ~/x.py:14, in job(n)", (HEAD,), _open_ipython
    ),
    Grammar("doctest", "doctest report", ("doctest",), 'File "x.py", line 31, in mod.f', ('File "',), _open_doctest),
    Grammar(
        "unittest",
        "unittest report",
        ("unittest", "nose2", "Django test"),
        "FAIL: test_x (tests.t.Case.test_x)",
        ("FAIL: ", "ERROR: "),
        _open_unittest,
    ),
    Grammar("unittest-end", "unittest summary", ("unittest",), "Ran 3 tests in 0.1s", ("Ran ",), _open_unittest_end),
)
