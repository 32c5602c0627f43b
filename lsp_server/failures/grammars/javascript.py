"""JavaScript and TypeScript: V8, Bun, Deno and browser stacks, Jest, Vitest, node:test and TAP, bundlers' messages."""

from __future__ import annotations

import re

from lsp_server.text.late_pattern import late_pattern

from ..drafts import Draft, RawFrame, Trace, kind_of
from ..grammar import Block, Context, Grammar, Opened
from .traces import TraceBlock, TraceStyle, message_above

_IN_PARENS = late_pattern(
    r"^\s*(?:at |❯ )(?:async )?(?P<name>[^\n]{0,400}?) ?\((?P<path>[^\n]{1,1000}?):(?P<line>\d{1,9}):"
    r"(?P<col>\d{1,9})\)(?: \{)?\s*$"
)
_BARE = late_pattern(
    r"^\s*(?:at |❯ )(?:async )?(?:(?P<name>[\w$.<>\[\] ]{1,200}) )?(?P<path>"
    r"(?:file:|[A-Za-z]:|webpack|https?:)?[^\s()][^\n()]{0,1000}?):(?P<line>\d{1,9}):(?P<col>\d{1,9})(?: \{)?\s*$"
)
_EVAL = late_pattern(r"\(eval at [^\n(]{0,200} \((?P<path>[^\n()]{1,800}):(?P<line>\d{1,9}):(?P<col>\d{1,9})\)")
_GECKO = late_pattern(r"^(?P<name>[\w$./<>\[\]*]{0,200})@(?P<path>[^\n@]{1,800}?):(?P<line>\d{1,9}):(?P<col>\d{1,9})$")


def frame(line: str) -> RawFrame | None:
    """A frame as V8, Vitest or a Gecko browser prints it."""
    inner = _EVAL.search(line) if "(eval at" in line else None
    match = inner or _IN_PARENS.match(line) or _BARE.match(line) or (_GECKO.match(line) if "@" in line else None)
    if match is None:
        return None
    name = match.groupdict().get("name")
    return RawFrame(match["path"], int(match["line"]), int(match["col"]), symbol=name.strip() if name else None)


_FILLER = late_pattern(
    r"^\s*(?:at [^\n]*|\.\.\. \d+ lines matching[^\n]*|\{|\}\]?,?|\[?\w+\]?: (?!.*Error)[^\n]*,?|\[errors\]: \[|["
    r"\]}],?|'[^\n]*',?)\s*$"
)
_CAUSE = late_pattern(r"^\s*(?:\[cause\]: |Caused by: |cause: (?=\w*Error))(?P<message>.*)$")
STYLE = TraceStyle("node", frame, _FILLER, _CAUSE)


def _open_stack(line: str, context: Context) -> Block | Opened | None:
    if frame(line) is None:
        return None
    block = TraceBlock(STYLE, message_above(context.before, frame))
    block.feed(line, context)
    return block


_NAMED = late_pattern(r"^(?:Uncaught )?[\w.$]*(?:Error|Exception)\b(?: \[\w+\])?")
_THROWN_AT = late_pattern(
    r"^(?P<path>(?:file://|webpack:)?(?:[A-Za-z]:)?[/\\.][^\n:]{1,800}?\.[\w]{1,6}):(?P<line>\d{1,9})$"
)


class _Thrown:
    """Node's report of an uncaught exception: place, source line, caret, message, stack."""

    def __init__(self, place: RawFrame) -> None:
        self._place = place
        self._lines: list[str] = []
        self._stack: TraceBlock | None = None
        self._frames: list[RawFrame] = []

    def feed(self, line: str, context: Context) -> bool:
        if self._stack is not None:
            return self._stack.feed(line, context)
        first = frame(line)
        if first is not None:
            message = next((text for text in self._lines if _NAMED.match(text)), "")
            self._stack = TraceBlock(STYLE, message or message_above(list(reversed(self._lines[1:]))))
            return self._stack.feed(line, context)
        if not self._lines and line.strip():
            self._place.text = line.strip()
        self._lines.append(line)
        return len(self._lines) < 24 and not line.startswith(("Node.js v", "Bun v"))

    def close(self, context: Context) -> None:
        message = next((text.strip() for text in self._lines if _NAMED.match(text)), "")
        if self._stack is None:
            if message or any(set(text.strip()) == {"^"} for text in self._lines if text.strip()):
                context.emit(Draft(message, kind_of(message), tool="node", traces=[Trace(message, [self._place])]))
            return
        inner = Context(test=context.test, suite=context.suite)
        self._stack.close(inner)
        draft = inner.last
        if draft is None:
            draft = Draft(message, kind_of(message), tool="node", traces=[Trace(message, [])])
        same = [
            one for one in draft.frames() if one.line == self._place.line and _tail(one.path) == _tail(self._place.path)
        ]
        for one in same:
            one.text = self._place.text
        if not same:
            draft.traces[0].frames.insert(0, self._place)
        context.emit(draft)


def _tail(path: str) -> str:
    return re.split(r"[/\\]", path)[-1]


def _open_thrown(line: str, _context: Context) -> Block | Opened | None:
    match = _THROWN_AT.match(line)
    if match is None or match["path"].endswith((".php", ".go", ".py", ".rb")):
        return None
    return _Thrown(RawFrame(match["path"], int(match["line"])))


PATH_TRIGGER = "/\\.\\w{1,10}:\\d/"
GRAMMARS = (
    Grammar(
        "node-thrown",
        "uncaught exception",
        ("Node.js", "Bun"),
        "/app/x.js:16 … TypeError: …",
        (PATH_TRIGGER,),
        _open_thrown,
    ),
    Grammar(
        "js-stack",
        "V8, Vitest and browser stack",
        ("Node.js", "Deno", "Bun", "browsers", "mocha", "Cypress"),
        "at f (src/x.js:16:13)",
        ("  at ", "\tat ", "❯ ", "@file:", "@http", "@webpack"),
        _open_stack,
    ),
)


def same_file(one: str, other: str) -> bool:
    """True when two spellings of a path have the same last part."""
    return _tail(one) == _tail(other)
