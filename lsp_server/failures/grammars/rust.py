"""Rust and whoever draws arrows like rustc: diagnostics with `-->`, panics, backtraces, cargo test, nextest."""

from __future__ import annotations

import re

from lsp_server.model.failure import FailureKind, Role
from lsp_server.text.late_pattern import late_pattern

from ..drafts import Draft, RawFrame, Trace, diagnostic, severity_of
from ..grammar import DONE, Block, Context, Grammar, Opened

_ARROW = late_pattern(
    r"^\s*(?:-->|:::|╭─\[|╭▸|,-\[|┌─|└─|╭→|→)\s?(?P<path>(?:[A-Za-z]:[/\\]|file://)?[^\n:\]]{1,800}?):"
    r"(?P<line>\d{1,9})(?::(?P<col>\d{1,9}))?\]?(?::.*|: .*|\s*)$"
)
_HEAD = late_pattern(
    r"^(?:\s{0,4})(?:[×⚠✖x!] )?(?P<level>error|warning|note|help|info|fatal|Error|Warning|panic|internal compiler "
    r"error)?"
    r"(?:\[(?P<code>[\w:./-]{1,80})\])?:? ?(?P<text>\S.*)$"
)
_CODE_FIRST = late_pattern(
    r"^(?P<code>[A-Z]{1,10}\d{1,6}|invalid-syntax|[\w-]{1,40}\([\w/-]{1,60}\)):? (?:\[\*\] )?(?P<text>\S.*)$"
)
_GUTTER = late_pattern(r"^\s*(?P<line>\d{1,9}) ?[|│┆](?P<text>.*)$")


class _Drawn:
    def __init__(self, place: RawFrame) -> None:
        self._place = place
        self._done = False
        self._number, self._shown = 0, ""

    def feed(self, line: str, context: Context) -> bool:
        if _ARROW.match(line):
            return False
        gutter = _GUTTER.match(line)
        if gutter:
            self._number, self._shown = int(gutter["line"]), gutter["text"].strip()
        elif "in this macro invocation" in line and self._number and context.last is not None:
            spot = RawFrame(
                self._place.path, self._number, text=self._shown, role=Role.RELATED, bases=self._place.bases
            )
            context.last.related.append(spot)
        if gutter and not self._done and int(gutter["line"]) == self._place.line:
            self._place.text = gutter["text"].strip()
            self._done = True
        return gutter is not None or re.match(r"^\s*(?:[|│┆·=╰─^~]|\.\.\.)", line) is not None

    def close(self, context: Context) -> None:
        """Emitted when it was read."""


def _open_arrow(line: str, context: Context) -> Block | Opened | None:
    match = _ARROW.match(line)
    if match is None or match["path"].startswith(("http", "/rustc/")):
        return None
    place = RawFrame(
        match["path"].strip(), int(match["line"]), int(match["col"]) if match["col"] else None, bases=context.bases
    )
    above = _above(context.before)
    head = _CODE_FIRST.match(above) or _HEAD.match(above)
    level = head.groupdict().get("level") if head else None
    last = context.last
    secondary = line.lstrip().startswith(":::") or level in {"note", "help"} or not above
    if secondary and last is not None and last.traces and last.kind in {FailureKind.DIAGNOSTIC, FailureKind.SYNTAX}:
        place.role = Role.RELATED
        at = last.traces[0].frames[0] if last.traces[0].frames else place
        if (at.path, at.line) != (place.path, place.line):
            last.related.append(place)
        return _Drawn(place)
    text, code = (head["text"], head["code"]) if head else (above, None)
    context.emit(
        diagnostic(
            re.sub(r"^\[\*\] ", "", text.strip()),
            place,
            severity=severity_of(level),
            code=code,
            tool="rustc",
        )
    )
    return _Drawn(place)


def _above(before: list[str]) -> str:
    """The heading: the nearest line above that is not drawing; an indented message is joined to its heading."""
    for line in before:
        if not line.strip():
            return ""
        if _GUTTER.match(line) or re.match(r"^\s*[|│┆·=╰]", line):
            return "note: "
        if _HEAD.match(line) and not line.startswith("  "):
            return line
        if _HEAD.match(line):
            return line.strip()
    return ""


_PANIC = late_pattern(r"thread '(?P<thread>[^'\n]{1,300})'(?: \(\d+\))? panicked at (?P<rest>.+)$")
_PANIC_PLACE = late_pattern(
    r"^(?:'(?P<old>.*)', )?(?P<path>(?:[A-Za-z]:)?[^\n:]{1,800}):(?P<line>\d{1,9}):(?P<col>\d{1,9}):?$"
)
_CALL = late_pattern(r"^\s+\d+:\s+(?:0x[0-9a-f]+ - )?(?P<name>\S.*)$")
_CALLED_AT = late_pattern(r"^\s+at (?P<path>(?:[A-Za-z]:)?[^\n:]{1,800}):(?P<line>\d{1,9})(?::(?P<col>\d{1,9}))?$")


class _Panic:
    def __init__(self, match: re.Match[str], context: Context) -> None:
        place = _PANIC_PLACE.match(match["rest"].strip())
        self._thread = match["thread"]
        self._message = place["old"] or "" if place else ""
        self._old_start = "" if place else match["rest"].lstrip("'")
        self._frames: list[RawFrame] = []
        self._name: str | None = None
        self._bases = context.bases
        self._backtrace = False
        if place:
            self._frames.append(RawFrame(place["path"], int(place["line"]), int(place["col"]), bases=self._bases))

    def feed(self, line: str, _context: Context) -> bool:
        if "panicked at" in line or line.startswith(("----", "test result:", "failures:", "running ")):
            return False
        if self._old_start:
            end = re.search(r"', (?P<path>[^\n:']{1,500}):(?P<line>\d{1,9}):(?P<col>\d{1,9})$", line)
            if end:
                self._frames.append(RawFrame(end["path"], int(end["line"]), int(end["col"]), bases=self._bases))
                self._message, self._old_start = self._old_start, ""
            return True
        called, call = _CALLED_AT.match(line), _CALL.match(line)
        if called:
            crate = (self._name or "").lstrip("<").split("::")[0]
            bases = (crate, crate.replace("_", "-"), *self._bases) if crate else self._bases
            self._frames.append(
                RawFrame(
                    called["path"], int(called["line"]), int(called["col"] or 0) or None, symbol=self._name, bases=bases
                )
            )
        elif call and self._backtrace:
            self._name = re.sub(r"::h[0-9a-f]{16}$", "", call["name"].strip())
        elif line.startswith("stack backtrace:"):
            self._backtrace = True
        elif line.startswith("note: panic did not contain"):
            self._message += "\npanic did not contain expected string"
        elif line.startswith("note: "):
            return True
        elif not self._backtrace and not self._message:
            self._message = line.strip()
        elif not line.strip():
            return not self._backtrace
        return len(line) < 4_000

    def close(self, context: Context) -> None:
        message = self._message or self._old_start
        kind = FailureKind.ASSERTION if message.startswith("assertion") else FailureKind.PANIC
        test = context.test or (self._thread if self._thread not in {"main", "<unnamed>"} else None)
        context.emit(Draft(message, kind, test=test, tool="rust", traces=[Trace(message, self._frames)]))


def _open_panic(line: str, context: Context) -> Block | Opened | None:
    match = _PANIC.search(line)
    return _Panic(match, context) if match else None


_TEST_OUTPUT = late_pattern(
    r"^(?:---- (?P<test>\S+)(?: \S+)?(?: - [^\n]{1,100})? (?:stdout|stderr) ----|--- "
    r"(?:STDOUT|STDERR): +(?P<crate>\S+) (?P<next>\S+) ---+)$"
)


class _TestOutput:
    """What a test printed; an `Error:` without a panic is a test that returned Err."""

    def __init__(self, test: str) -> None:
        self._test = test
        self._panic: _Panic | None = None
        self._error = ""
        self._found = False

    def feed(self, line: str, context: Context) -> bool:
        if self._panic is not None and self._panic.feed(line, context):
            return True
        self._end_panic(context)
        if _TEST_OUTPUT.match(line) or line.startswith(
            ("failures:", "test result:", "────", "   Canceling", "error: test")
        ):
            return False
        panic = _PANIC.search(line)
        if panic:
            self._panic, self._found = _Panic(panic, context), True
        elif line.startswith("Error: "):
            self._error = line.strip()
        return True

    def _end_panic(self, context: Context) -> None:
        panic, self._panic = self._panic, None
        if panic is not None:
            panic.close(context)

    def close(self, context: Context) -> None:
        self._end_panic(context)
        if not self._found:
            message = self._error or "test failed"
            frames = [RawFrame("", 0, bases=context.bases)]
            context.emit(
                Draft(message, FailureKind.ERROR_RETURN, test=self._test, tool="rust", traces=[Trace(message, frames)])
            )
        context.test = None


def _open_test_output(line: str, context: Context) -> Block | Opened | None:
    match = _TEST_OUTPUT.match(line)
    if match is None:
        return None
    test = match["test"] or match["next"]
    if match["crate"]:
        context.crate = match["crate"].split("::")[0]
    context.test = test
    return _TestOutput(test)


_RUNNING = late_pattern(r"^\s+Running (?P<kind>unittests )?(?P<src>\S+) \((?P<binary>[^\n)]+)\)$")


def _open_running(line: str, context: Context) -> Block | Opened | None:
    match = _RUNNING.match(line)
    if match is None:
        return None
    name = re.sub(r"-[0-9a-f]{16}(?:\.exe)?$", "", re.split(r"[/\\]", match["binary"])[-1])
    context.crate = name if match["kind"] else context.crate
    return DONE


GRAMMARS = (
    Grammar(
        "cargo-running",
        "which crate's tests run",
        ("cargo test",),
        "Running unittests src/lib.rs (…/hull-4ffa…)",
        ("  Running ",),
        _open_running,
    ),
    Grammar(
        "cargo-test",
        "output of one Rust test",
        ("cargo test", "cargo-nextest"),
        "---- tests::parses stdout ----",
        ("---- ", "--- STD"),
        _open_test_output,
    ),
    Grammar(
        "rust-panic",
        "panic with backtrace",
        ("Rust",),
        "thread 'main' panicked at src/lib.rs:33:9:",
        ("' panicked at ", ") panicked at "),
        _open_panic,
    ),
    Grammar(
        "arrow",
        "message with --> place and drawn source",
        ("rustc", "clippy", "ruff", "solc", "deno lint", "oxlint", "miette", "Elixir"),
        "--> src/main.rs:14:59",
        ("--> ", "::: ", "╭─[", ",-[", "┌─ ", "└─ "),
        _open_arrow,
    ),
)
