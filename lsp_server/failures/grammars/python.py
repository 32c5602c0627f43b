"""Python: tracebacks with chains and groups, syntax errors, faulthandler, doctest, unittest, IPython, Rich."""

from __future__ import annotations

import re

from lsp_server.model.failure import FailureKind, Role
from lsp_server.model.request import Severity
from lsp_server.text.late_pattern import late_pattern

from ..drafts import Draft, RawFrame, Trace, diagnostic, kind_of
from ..grammar import DONE, Block, Context, Grammar, Opened

FRAME = late_pattern(
    r'^(?P<lead>[\s|>E]*?)File "(?P<path>[^"\n]{1,1000})", line (?P<line>\d{1,9})(?:,? in (?P<name>.{0,300}))?\s*$'
)
HEADER = late_pattern(
    r"^(?P<lead>[^\n]{0,200}?)(?:Exception Group )?Traceback \((?:most recent call last|innermost last)\):?\s*$"
)
CAUSE = "The above exception was the direct cause of the following exception:"
CONTEXT = "During handling of the above exception, another exception occurred:"
_BARS = late_pattern(r"^(?:[ \t]*\|(?: \|){0,40}(?: |$)|INTERNALERROR> )")
_GROUP_PART = late_pattern(r"^\s*(?:\| )*\+-[+-]{2,}[- ]*\d{0,6}[ -]*-{3,}|^\s*\|?\s*\+-{4,}\s*\d{1,6}\s*-{4,}")
_GROUP_END = late_pattern(r"^\s*(?:\|\s*)*\+-{10,}\s*$")
_CARETS = late_pattern(r"^[\s|E]*[~^][~^ ]*$")
EXCEPTION = late_pattern(r"^[A-Za-z_][\w.]{0,200}(?:\[[^\]]{0,200}\])?(?::.*)?$")


def _without_bars(line: str) -> str:
    """`line` without the bars that an exception group draws at its left."""
    bars = _BARS.match(line)
    return line[bars.end() :] if bars else line


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


class Traceback:
    """One exception with everything it is chained to, from the first `Traceback` line to the last message."""

    def __init__(self, carried: Draft | None = None, relation: str = "") -> None:
        self.traces: list[Trace] = [] if carried is None else list(carried.traces)
        self.chained = carried is not None and carried.chained
        self.message = "" if carried is None else carried.message
        self._relation = relation
        self._trace: Trace | None = None
        self._inner_first = False
        self._frame_indent = 0
        self._blank = 0
        self._groups = 0
        self._started = False

    def start(self, *, inner_first: bool = False) -> None:
        """A new exception begins."""
        self._flush()
        self._trace = Trace()
        self._started = True
        self._inner_first = inner_first

    def feed(self, line: str, _context: Context) -> bool:
        """Takes one line of the traceback."""
        frame = FRAME.match(line)
        if frame:
            self._add(frame, line)
            return True
        if HEADER.match(line):
            self.start()
            return True
        if CAUSE in line or CONTEXT in line:
            self._flush()
            self._relation = "cause" if CAUSE in line else "context"
            return True
        if _GROUP_PART.match(line) or _GROUP_END.match(line):
            self._flush()
            self._groups += 1
            self._relation = "part"
            return True
        body = _without_bars(line)
        if not body.strip():
            self._blank += 1
            return self._blank < 3
        self._blank = 0
        return self._body(line, body)

    def _body(self, line: str, body: str) -> bool:
        trace = self._trace
        if trace is None:
            return "|" in line[:12] or body.startswith(('"""', "..."))
        if not trace.message:
            if not trace.frames:
                return not self._started or EXCEPTION.match(body) is None or self._say(body)
            if _indent(body) > self._frame_indent or body.lstrip().startswith("[Previous line"):
                last = trace.frames[-1]
                if last.text is None and not _CARETS.match(line) and not body.lstrip().startswith("[Prev"):
                    last.text = body.strip()
                return True
            return self._say(body)
        return "|" in line[:12] and bool(self._groups)

    def _say(self, body: str) -> bool:
        if self._trace is not None:
            self._trace.message = body.strip()
        return True

    def _add(self, match: re.Match[str], line: str) -> None:
        if self._trace is None or (self._trace.message and not self._inner_first):
            self.start()
        if self._trace is None:
            return
        name = match["name"]
        self._frame_indent = _indent(_without_bars(line))
        self._trace.frames.append(RawFrame(match["path"], int(match["line"]), symbol=name.strip() if name else None))

    def _flush(self) -> None:
        trace, self._trace = self._trace, None
        if trace is None or not (trace.frames or trace.message):
            return
        if not self._inner_first:
            trace.frames.reverse()
        relation, self._relation = self._relation, ""
        if relation == "cause" or not self.traces:
            self.chained = self.chained or relation == "cause"
            self.traces.append(trace)
        elif relation == "part":
            self.traces.insert(max(0, min(self._groups - 1, len(self.traces) - 1)), trace)
        elif relation == "context":
            for frame in (frame for older in self.traces for frame in older.frames):
                frame.role = Role.CAUSE
            self.traces.insert(0, trace)
        else:
            self.traces.append(trace)
        if trace.message and relation != "part":
            self.message = trace.message

    def close(self, context: Context) -> None:
        """Emits the exception."""
        self._flush()
        if not any(trace.frames for trace in self.traces):
            return
        kind = kind_of(self.message)
        if self.message.startswith(("Fatal Python error", "Timeout (")):
            kind = FailureKind.TIMEOUT if "Timeout" in self.message else FailureKind.CRASH
        context.emit(
            Draft(
                self.message, kind, test=context.test, tool="python", traces=self.traces,
                chained=self.chained, suite=context.suite,
            )
        )  # fmt: skip


def _open_traceback(line: str, context: Context) -> Block | Opened | None:
    if HEADER.match(line):
        block = Traceback()
        block.start()
        return block
    if CAUSE in line or CONTEXT in line:
        last = context.last
        carried = context.drafts.pop() if last is not None and last.tool == "python" else None
        return Traceback(carried, "cause" if CAUSE in line else "context")
    match = FRAME.match(line)
    if match is None:
        return None
    block = Traceback()
    block.start()
    block.feed(line, context)
    return block


class _Fault(Traceback):
    """faulthandler: every thread is a trace, innermost call first."""

    def __init__(self, message: str) -> None:
        super().__init__()
        self.message = message

    def feed(self, line: str, _context: Context) -> bool:
        if "(most recent call first)" in line:
            self.start(inner_first=True)
            return True
        match = FRAME.match(line)
        if match:
            self._add(match, line)
            return True
        return not line.strip() and self._trace is None


def _open_fault(line: str, context: Context) -> Block | Opened | None:
    if line.startswith(("Fatal Python error", "Timeout (")):
        return _Fault(line.strip())
    if "(most recent call first)" in line:
        block = _Fault(next((one.strip() for one in context.before if one.startswith("Timeout (")), ""))
        block.start(inner_first=True)
        return block
    return None


_DEFINED_AT = late_pattern(r"defined at (?P<path>[^\n>]{1,800}?):(?P<line>\d{1,9})>")


def _open_task(line: str, context: Context) -> Block | Opened | None:
    match = _DEFINED_AT.search(line)
    if match is None:
        return None
    context.related.append(RawFrame(match["path"].split(" running at ")[-1], int(match["line"]), role=Role.RELATED))
    return DONE


_WARNING = late_pattern(
    r"^\s*(?P<path>[^\s:][^\n:]{0,500}|[A-Za-z]:[^\n:]{1,500}):(?P<line>\d{1,9}): "
    r"(?P<name>[A-Za-z_.]{0,80}Warning): (?P<text>.*)$"
)


def _open_warning(line: str, context: Context) -> Block | Opened | None:
    match = _WARNING.match(line)
    if match is None:
        return None
    place = RawFrame(match["path"], int(match["line"]))
    message = f"{match['name']}: {match['text']}"
    context.emit(diagnostic(message, place, severity=Severity.WARNING, tool="python", kind=FailureKind.WARNING))
    return DONE


HEAD = "Traceback ("
GRAMMARS = (
    Grammar(
        "python-traceback",
        "Traceback with chains, groups and recursion; SyntaxError",
        ("Python", "Django", "Celery", "asyncio"),
        'File "x.py", line 12, in f',
        (HEAD, 'File "', CAUSE, CONTEXT),
        _open_traceback,
    ),
    Grammar(
        "python-fault",
        "faulthandler dump",
        ("faulthandler", "pytest-timeout"),
        'Fatal Python error: … File "x.py", line 46 in main',
        ("Fatal Python error", "(most recent call first)"),
        _open_fault,
    ),
    Grammar("python-task", "asyncio task report", ("asyncio",), "defined at x.py:17>", ("defined at ",), _open_task),
    Grammar(
        "python-warning",
        "Python warning",
        ("warnings",),
        "x.py:5: DeprecationWarning: old",
        ("Warning: ",),
        _open_warning,
    ),
)
