"""Go: test output (plain, -v, testify), panics, data races; build errors are `colon`'s."""

from __future__ import annotations

import re

from lsp_server.model.failure import FailureKind
from lsp_server.text.late_pattern import late_pattern

from ..drafts import Draft, RawFrame, Trace, diagnostic
from ..grammar import DONE, Block, Context, Grammar, Opened

_FRAME = late_pattern(
    r"^\s+(?P<path>(?:[A-Za-z]:)?[^\s:][^\n:]{0,800}\.(?:go|s|c|cgo)):(?P<line>\d{1,9})(?: \+0x[0-9a-f]+)?$"
)
_RESULT = late_pattern(r"^\s*--- (?P<word>FAIL|PASS|SKIP): (?P<test>\S+)")
_STATE = late_pattern(r"^=== (?:RUN|CONT|NAME|PAUSE)\s+(?P<test>\S+)")
_PACKAGE = late_pattern(r"^(?P<word>FAIL|ok|---|\?)\s+\t?(?P<package>[\w./~-]+)(?:\s+(?:\[|[\d.]+s|\(cached)|\s*$|\t)")
_LOG = late_pattern(r"^\s{1,60}(?P<path>[\w./-]{1,300}\.go):(?P<line>\d{1,9}): ?(?P<text>.*)$")
_TESTIFY = late_pattern(r"^\s+Error Trace:\s+(?P<path>(?:[A-Za-z]:)?[^\n:]{1,500}):(?P<line>\d{1,9})$")
_TESTIFY_MORE = late_pattern(r"^\s+\t?\s+(?P<path>(?:[A-Za-z]:)?/[^\n:]{1,500}):(?P<line>\d{1,9})$")
_GOROUTINE = late_pattern(r"^goroutine \d+ (?:gp=\S+ m=\S+ (?:mp=\S+ )?)?\[")
_CREATED = late_pattern(r"^created by ")


class _Stack:
    """Goroutine dump: the first goroutine is the one that failed."""

    def __init__(self, message: str, kind: FailureKind = FailureKind.PANIC) -> None:
        self.message = message
        self.kind = kind
        self.frames: list[RawFrame] = []
        self._name: str | None = None
        self._goroutines = 0

    def feed(self, line: str, _context: Context) -> bool:
        """Takes one line of the dump."""
        if _GOROUTINE.match(line):
            self._goroutines += 1
            return True
        match = _FRAME.match(line)
        if match:
            if self._goroutines <= 1 and len(self.frames) < 200:
                name = self._name.split("(")[0] if self._name else None
                self.frames.append(RawFrame(match["path"], int(match["line"]), symbol=name))
            return True
        if re.match(r"^[\w./*()\[\]{}·-]+\(.*\)$", line) or _CREATED.match(line):
            self._name = line.removeprefix("created by ")
            return True
        if not self._goroutines:
            return line.startswith(("\t", " ", "[signal", "panic:", "fatal error", "running tests")) or not line.strip()
        return not line.strip() or line.startswith(("exit status", "...", "[signal", "rax", "\t"))

    def close(self, context: Context) -> None:
        """Emits the panic."""
        if self.frames or self.message:
            kind = FailureKind.TIMEOUT if "timed out" in self.message else self.kind
            context.emit(
                Draft(self.message, kind, test=context.test, tool="go", traces=[Trace(self.message, self.frames)])
            )


def _panic_message(line: str) -> str:
    return re.sub(
        r" \[recovered\].*$", "", line.split(": ", 1)[1] if line.startswith(("panic: ", "fatal error: ")) else line
    ).strip()


def _open_panic(line: str, context: Context) -> Block | Opened | None:
    if line.startswith(("panic: ", "fatal error: ")):
        return _Stack(_panic_message(line))
    if _GOROUTINE.match(line):
        block = _Stack("")
        block.feed(line, context)
        return block
    return None


class _Race:
    def __init__(self, line: str) -> None:
        self._message = line.strip()
        self._traces = [Trace(self._message)]
        self._name: str | None = None

    def feed(self, line: str, _context: Context) -> bool:
        if line.startswith("====="):
            return False
        match = _FRAME.match(line)
        if match:
            name = self._name.strip().split("(")[0] if self._name else None
            self._traces[-1].frames.append(RawFrame(match["path"], int(match["line"]), symbol=name))
        elif line.rstrip().endswith(":"):
            self._traces.append(Trace())
        else:
            self._name = line
        return True

    def close(self, context: Context) -> None:
        traces = [trace for trace in self._traces if trace.frames]
        context.emit(Draft(self._message, FailureKind.RACE, test=context.test, tool="go", traces=traces))


def _open_race(line: str, _context: Context) -> Block | Opened | None:
    return _Race(line) if line.startswith("WARNING: DATA RACE") else None


class _Tests:
    """The output of one package's tests, up to the line that names the package."""

    def __init__(self) -> None:
        self._test: str | None = None
        self._logs: dict[str, list[tuple[RawFrame, str]]] = {}
        self._failed: list[str] = []
        self._inner: _Stack | _Race | None = None
        self._drafts: list[Draft] = []
        self._testify = False

    def feed(self, line: str, context: Context) -> bool:
        if self._inner is not None:
            if self._inner.feed(line, context):
                return True
            self._end_inner()
        if line.startswith(("panic: ", "fatal error: ")):
            self._inner = _Stack(_panic_message(line))
            return True
        if line.startswith("WARNING: DATA RACE"):
            self._inner = _Race(line)
            return True
        package = _PACKAGE.match(line)
        if package and package["word"] in {"FAIL", "ok"} and package["package"] not in {"FAIL"}:
            self._finish(context, (package["package"],))
            self._drop()
            return True
        result, state, log = _RESULT.match(line), _STATE.match(line), _LOG.match(line)
        if result:
            self._test = result["test"]
            if result["word"] == "FAIL":
                self._failed.append(result["test"])
            else:
                self._logs.pop(result["test"], None)
        elif state:
            self._test = state["test"]
        elif log and self._test is not None and not (self._logs.get(self._test) and _indent(line) >= 12):
            frame = RawFrame(log["path"], int(log["line"]))
            self._logs.setdefault(self._test, []).append((frame, log["text"].strip()))
        elif self._test is not None:
            self._testify_line(line)
        return (
            line == ""
            or line.startswith((" ", "\t", "===", "---", "FAIL", "PASS", "ok", "exit status", "?", "coverage", "#"))
            or len(line) < 4_000
        )

    def _testify_line(self, line: str) -> None:
        logs = self._logs.setdefault(self._test or "", [])
        trace = _TESTIFY.match(line)
        more = _TESTIFY_MORE.match(line) if self._testify else None
        if trace:
            self._testify = True
            logs.append((RawFrame(trace["path"], int(trace["line"])), ""))
        elif more:
            logs.append((RawFrame(more["path"], int(more["line"])), ""))
        elif re.match(r"^\s+Error:\s", line) and logs:
            self._testify = False
            logs[0] = (logs[0][0], line.split("Error:", 1)[1].strip())

    def _end_inner(self) -> None:
        inner, self._inner = self._inner, None
        if inner is None:
            return
        holder = Context(test=self._failed[-1] if self._failed else self._test)
        inner.close(holder)
        self._drafts.extend(holder.drafts)

    def _finish(self, context: Context, bases: tuple[str, ...]) -> None:
        self._end_inner()
        told = {draft.test for draft in self._drafts}
        for test in self._failed:
            logs = self._logs.get(test, [])
            library = all("testing.go" in frame.path for frame, _ in logs)
            if logs and not library:
                message = next((text for _, text in logs if text), "")
                self._drafts.append(
                    Draft(
                        message,
                        FailureKind.ASSERTION,
                        test=test,
                        tool="go",
                        traces=[Trace(message, [f for f, _ in logs])],
                    )
                )
            elif not logs and test not in told and not any(other.startswith(test + "/") for other in self._failed):
                self._drafts.append(
                    Draft("", FailureKind.ASSERTION, test=test, tool="go", traces=[Trace("", [RawFrame("", 0)])])
                )
            elif library:
                for draft in self._drafts:
                    if draft.kind is FailureKind.RACE and draft.test is None:
                        draft.test = test
        for draft in self._drafts:
            for frame in draft.frames():
                frame.bases = bases
            context.emit(draft)

    def _drop(self) -> None:
        self._test, self._logs, self._failed, self._drafts = None, {}, [], []

    def close(self, context: Context) -> None:
        self._finish(context, ())


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _open_tests(line: str, context: Context) -> Block | Opened | None:
    if not (_RESULT.match(line) or _STATE.match(line)):
        return None
    block = _Tests()
    last = context.last
    if last is not None and last.kind is FailureKind.RACE and last.test is None:
        block._drafts.append(context.drafts.pop())  # pyright: ignore[reportPrivateUsage]
    block.feed(line, context)
    return block


_LINT = late_pattern(
    r"^(?P<path>[\w./\\-]{1,400}\.go):(?P<line>\d{1,9}):(?P<col>\d{1,9}):? (?P<text>.*?) ?\((?P<linter>[\w-]{2,40})\)$"
)


def _open_lint(line: str, context: Context) -> Block | Opened | None:
    match = _LINT.match(line)
    if match is None:
        return None
    place = RawFrame(match["path"], int(match["line"]), int(match["col"]))
    context.emit(diagnostic(match["text"], place, code=match["linter"], tool="golangci-lint"))
    return DONE


_VET = late_pattern(r"^vet: (?P<path>[^\n:]{1,400}\.go):(?P<line>\d{1,9}):(?P<col>\d{1,9}): (?P<text>.*)$")


def _open_vet(line: str, context: Context) -> Block | Opened | None:
    match = _VET.match(line)
    if match is None:
        return None
    context.emit(
        diagnostic(match["text"], RawFrame(match["path"], int(match["line"]), int(match["col"])), tool="go vet")
    )
    return DONE


GRAMMARS = (
    Grammar(
        "go-test",
        "go test, also -v and testify",
        ("go test", "testify"),
        "--- FAIL: TestDrain … x_test.go:12: msg",
        ("--- FAIL: ", "=== RUN ", "--- PASS: "),
        _open_tests,
    ),
    Grammar(
        "go-panic",
        "panic with goroutines",
        ("Go",),
        "goroutine 18 [running]: … /app/x.go:24 +0x12",
        ("panic: ", "fatal error: ", "goroutine "),
        _open_panic,
    ),
    Grammar(
        "go-race", "data race report", ("go test -race",), "WARNING: DATA RACE", ("WARNING: DATA RACE",), _open_race
    ),
    Grammar(
        "golangci",
        "golangci-lint",
        ("golangci-lint", "staticcheck"),
        "x.go:12:3: msg (linter)",
        ("/\\.go:\\d/",),
        _open_lint,
    ),
    Grammar("go-vet", "vet's own errors", ("go vet",), "vet: ./x.go:3:5: undefined", (".go:",), _open_vet),
)
