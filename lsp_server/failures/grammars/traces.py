"""What stack traces of most languages share: a run of frame lines under a message, with causes below or above."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from enum import Enum, auto

from lsp_server.model.failure import FailureKind
from lsp_server.model.values import Value
from lsp_server.text.late_pattern import late_pattern

from ..drafts import Draft, RawFrame, Trace, kind_of
from ..grammar import Context

MAX_FRAMES = 300
"""Frames kept of one trace: the innermost ones."""

FrameReader = Callable[[str], RawFrame | None]


class Printed(Enum):
    """Which end of the stack a trace begins with."""

    INNERMOST_FIRST = auto()
    OUTERMOST_FIRST = auto()


class TraceStyle(Value):
    """How one language prints traces. `cause` finds the line that begins the next exception of the chain (group
    `message`), which is the root cause; `filler` are lines without a place inside a trace."""

    tool: str
    frame: FrameReader
    filler: re.Pattern[str] | None = None
    cause: re.Pattern[str] | None = None
    printed: Printed = Printed.INNERMOST_FIRST
    kind: FailureKind = FailureKind.EXCEPTION


class TraceBlock:
    """A trace being read; `message` is what stood above it."""

    def __init__(self, style: TraceStyle, message: str, test: str | None = None) -> None:
        self._style = style
        self._traces = [Trace(message)]
        self._test = test
        self.frames_before: list[RawFrame] = []

    def feed(self, line: str, _context: Context) -> bool:
        """Takes one line of the trace."""
        frame = self._style.frame(line)
        if frame is not None:
            frames = self._traces[-1].frames
            if len(frames) < MAX_FRAMES:
                frames.append(frame)
            elif self._style.printed is Printed.OUTERMOST_FIRST:
                frames.pop(0)
                frames.append(frame)
            return True
        cause = self._style.cause.match(line) if self._style.cause is not None else None
        if cause:
            self._traces.append(Trace(cause["message"].strip()))
            return True
        return self._style.filler is not None and self._style.filler.match(line) is not None

    def close(self, context: Context) -> None:
        """Emits the exception, root cause first."""
        traces = [trace for trace in self._traces if trace.frames or trace.message]
        if not any(trace.frames for trace in traces):
            return
        if self._style.printed is Printed.OUTERMOST_FIRST:
            for trace in traces:
                trace.frames.reverse()
        message = traces[0].message
        traces.reverse()
        if self.frames_before:
            traces[0].frames[:0] = self.frames_before
        context.emit(
            Draft(
                message, kind_of(message, self._style.kind), test=self._test or context.test, tool=self._style.tool,
                traces=traces, chained=len(traces) > 1, suite=context.suite,
            )
        )  # fmt: skip


_SAYS = late_pattern(
    r"^\W{0,12}(?:Uncaught |Unhandled |Exception in thread \"[^\"]{0,100}\" |Error: Uncaught |\[?\w+\]? )?"
    r"[\w.$\\]*(?:Error|Exception|Throwable|Failure|Panic|Fault|Assertion)\w*\b"
)


def message_above(before: Sequence[str], reader: FrameReader | None = None) -> str:
    """The message of a trace: the paragraph right above it, from the line that names an exception on."""
    block: list[str] = []
    for line in before[:12]:
        if reader is not None and reader(line) is not None:
            break
        block.append(line)
        if _SAYS.match(line):
            return "\n".join(reversed(block)).strip().removeprefix("=> ")
    filled = [number for number, line in enumerate(block) if line.strip()]
    if not filled:
        return ""
    last = filled[0]
    while last + 1 < len(block) and block[last + 1].strip():
        last += 1
    return block[last].strip()
