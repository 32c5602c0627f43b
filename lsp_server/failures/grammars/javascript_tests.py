"""Jest, Vitest, node:test and TAP: one failed test with its message, code frame and stack."""

from __future__ import annotations

import re

from lsp_server.model.failure import FailureKind, Role
from lsp_server.text.late_pattern import late_pattern

from ..drafts import Draft, RawFrame, Trace, diagnostic, kind_of
from ..grammar import DONE, Block, Context, Grammar, Opened
from ..printed import is_library, is_nowhere
from .javascript import STYLE, frame
from .traces import TraceBlock, message_above

_JEST_ITEM = late_pattern(r"^\s*● (?P<name>\S[^\n]*)$")


_JEST_SUITE = late_pattern(r"^\s*(?:FAIL|PASS) +(?P<path>\S[^\n>(]{0,500}?\.\w{1,5})(?: (?P<rest>[>|(\[].*))?\s*$")


_MARKED = late_pattern(r"^\s*> ?(?P<line>\d{1,9}) ?\|(?P<text>.*)$")


_AT_END = late_pattern(
    r"(?P<path>(?:[A-Za-z]:)?[/\\.\w][^\n:]{0,600}\.\w{1,5}): (?P<text>[^\n]*?) ?\((?P<line>\d{1,9}):"
    r"(?P<col>\d{1,9})\)$"
)


_TS_PLACE = late_pattern(
    r"^\s*(?P<path>[^\s:][^\n:]{0,500}\.\w{1,5}):(?P<line>\d{1,9}):(?P<col>\d{1,9}) - (?P<level>\w+) "
    r"(?P<code>TS\d+): (?P<text>.*)$"
)


_JEST_END = late_pattern(
    r"^(?:Test Suites:|Tests: |Snapshots:|Ran all test suites|Summary of all failing tests|Test Files  )"
)


class JestItem:
    """One failed test: message, code frame, stack."""

    def __init__(self, name: str, suite: str | None) -> None:
        self._name = name
        self._suite = suite
        self._message: list[str] = []
        self._trace = Trace()
        self._marked: tuple[int, str] | None = None
        self._typed: list[Draft] = []

    def feed(self, line: str, _context: Context) -> bool:
        if _JEST_ITEM.match(line) or _JEST_SUITE.match(line) or _JEST_END.match(line):
            return False
        found = frame(line)
        if found is not None:
            self._trace.frames.append(found)
            return True
        if line.lstrip().startswith("at ") or not line.strip():
            return True
        marked, typed = _MARKED.match(line), _TS_PLACE.match(line)
        ended = _AT_END.search(line)
        if typed:
            place = RawFrame(typed["path"], int(typed["line"]), int(typed["col"]))
            self._typed.append(diagnostic(typed["text"], place, code=typed["code"], tool="jest"))
        elif marked:
            self._marked = (int(marked["line"]), marked["text"].strip())
        elif ended and "Error" in line and not self._trace.frames:
            self._message.append(f"{line.strip().split(':')[0]}: {ended['text']}")
            self._trace.frames.append(RawFrame(ended["path"], int(ended["line"]), int(ended["col"])))
        elif len(self._message) < 12 and not re.match(r"^\s*(?:\d+ )?\|", line) and not self._trace.frames:
            self._message.append(line.strip())
        return len(line) < 4_000

    def close(self, context: Context) -> None:
        """Emits the failed test."""
        if self._typed:
            for draft in self._typed:
                draft.suite = self._suite
                context.emit(draft)
            return
        message = "\n".join(self._message)
        frames = self._trace.frames
        own = [one for one in frames if not is_library(one.path) and not is_nowhere(one.path)]
        if self._marked is not None:
            for one in own:
                if one.line == self._marked[0] and one.text is None:
                    one.text = self._marked[1]
            if not own and self._suite is not None:
                frames.insert(0, RawFrame(self._suite, self._marked[0], text=self._marked[1]))
        suite_failed = self._name == "Test suite failed to run"
        name = self._suite if suite_failed else re.sub(r" › ", " ", self._name)
        kind = kind_of(message, FailureKind.COLLECTION if suite_failed else FailureKind.EXCEPTION)
        if frames or message:
            context.emit(Draft(message, kind, test=name, tool="jest", traces=[self._trace], suite=self._suite))


def _open_jest(line: str, context: Context) -> Block | Opened | None:
    match = _JEST_ITEM.match(line)
    if match is None or match["name"].startswith(("Console", "Validation Warning")):
        return None
    return JestItem(match["name"].strip(), context.suite)


class _VitestItem(JestItem):
    def feed(self, line: str, context: Context) -> bool:
        if line.startswith(("⎯", " Test Files", "--- ", "Failed Tests")):
            return False
        return super().feed(line, context)


def _open_suite(line: str, context: Context) -> Block | Opened | None:
    match = _JEST_SUITE.match(line)
    if match is None:
        return None
    context.suite = match["path"]
    rest = match["rest"] or ""
    if rest.startswith(">"):
        return _VitestItem(rest[1:].strip(), context.suite)
    if rest.startswith("["):
        return _VitestItem("Test suite failed to run", context.suite)
    return DONE


_NODE_TEST = late_pattern(
    r"^\s*(?:test at (?P<path>[^\n]{1,600}?):(?P<line>\d{1,9}):(?P<col>\d{1,9})|[✖✗×] (?P<name>[^\n]{1,300}?)"
    r"(?: \([\d.]+m?s\))?)\s*$"
)


class _NodeTest:
    """node:test's spec reporter: `test at place`, the name, the error."""

    def __init__(self, place: RawFrame | None, name: str | None) -> None:
        self._place, self._name = place, name
        self._lines: list[str] = []
        self._stack: TraceBlock | None = None

    def feed(self, line: str, context: Context) -> bool:
        match = _NODE_TEST.match(line)
        if match and match["path"]:
            return False
        if match and self._stack is None and self._name is None:
            self._name = match["name"]
            return True
        if match or line.startswith(("ℹ ", "▶ ")) or re.match(r"^\s*[✔▶ℹ] ", line):
            return False
        if self._stack is not None and self._stack.feed(line, context):
            return True
        if frame(line) is not None and self._stack is None:
            self._stack = TraceBlock(STYLE, message_above(list(reversed(self._lines))), self._name)
            return self._stack.feed(line, context)
        self._lines.append(line)
        return len(self._lines) < 40

    def close(self, context: Context) -> None:
        inner = Context(test=self._name)
        if self._stack is not None:
            self._stack.close(inner)
        draft = inner.last
        if draft is None:
            return
        if self._place is not None:
            self._place.role = Role.TEST
            draft.traces.append(Trace("", [self._place]))
            twin = next(
                (one for one in reversed(context.drafts) if one.test == draft.test and one.tool == "node"), None
            )
            if twin is not None:
                twin.traces.append(Trace("", [self._place]))
                return
        context.emit(draft)


def _open_node_test(line: str, _context: Context) -> Block | Opened | None:
    match = _NODE_TEST.match(line)
    if match is None:
        return None
    if match["path"]:
        return _NodeTest(RawFrame(match["path"], int(match["line"]), int(match["col"])), None)
    return _NodeTest(None, match["name"])


_NOT_OK = late_pattern(r"^(?P<indent>\s*)not ok(?: \d+)?(?: - | )(?P<name>[^\n#]{1,300})")


_TAP_PLACE = late_pattern(
    r"^\s*(?:location|at): ['\"]?(?:[\w.<> ]{1,80} \()?(?P<path>[^\n'\"()]{1,600}?):(?P<line>\d{1,9}):"
    r"(?P<col>\d{1,9})\)?['\"]?\s*$"
)


_TAP_STACK = late_pattern(
    r"^\s*(?:at )?(?:async )?(?:(?P<name>[^\n()]{1,200}) \()?(?P<path>"
    r"(?:file://|[A-Za-z]:)?[/\\.\w][^\n()]{0,600}?):(?P<line>\d{1,9}):(?P<col>\d{1,9})\)?\s*$"
)


_TAP_KEY = late_pattern(r"^\s*(?P<key>[\w-]{1,40}): ?(?P<value>.*)$")


class _Tap:
    """A failed TAP point with its YAML block (node:test, tap, ava, tape, Perl's kin)."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._place: RawFrame | None = None
        self._frames: list[RawFrame] = []
        self._values: dict[str, str] = {}
        self._key = ""
        self._in_yaml = False
        self._over = False

    def feed(self, line: str, _context: Context) -> bool:
        text = line.strip()
        if text == "---" and not self._in_yaml:
            self._in_yaml = True
            return True
        if self._over:
            return False
        if not self._in_yaml:
            return self._plain(line)
        if text == "...":
            self._over = True
            return True
        place, stack, key = _TAP_PLACE.match(line), _TAP_STACK.match(line), _TAP_KEY.match(line)
        if place:
            self._place = RawFrame(place["path"], int(place["line"]), int(place["col"]))
        elif (stack and self._key in {"stack", "at", "source"}) or (stack and text.startswith("at ")):
            self._frames.append(RawFrame(stack["path"], int(stack["line"]), int(stack["col"]), symbol=stack["name"]))  # type: ignore[index]
        elif key and self._key != "stack":
            self._key = key["key"]
            self._values.setdefault(self._key, key["value"].strip("'\"|>- "))
        elif key and key["key"] in {"code", "expected", "actual", "operator"}:
            self._key = key["key"]
        elif self._key and not self._values.get(self._key):
            self._values[self._key] = text
        return True

    def _plain(self, line: str) -> bool:
        """Mocha's TAP: message and stack indented below the point, without YAML."""
        if not line.startswith("  ") or len(self._frames) > 100:
            return False
        found = frame(line)
        if found is not None:
            self._frames.append(found)
        elif not self._frames and not self._values.get("message"):
            self._values["message"] = line.strip()
        return True

    def close(self, context: Context) -> None:
        if self._values.get("failureType") == "subtestsFailed" or (not self._frames and self._place is None):
            return
        name, said = self._values.get("name", ""), self._values.get("error") or self._values.get("message") or ""
        message = f"{name}: {said}" if name and name != "Error" else said or self._name
        frames = self._frames
        if self._place is not None:
            self._place.role = Role.TEST if frames else Role.FRAME
            frames.append(self._place)
        kind = (
            FailureKind.ASSERTION
            if "ASSERT" in self._values.get("code", "") or self._values.get("operator")
            else kind_of(message)
        )
        context.emit(Draft(message, kind, test=self._name.strip(), tool="tap", traces=[Trace(message, frames)]))


def _open_tap(line: str, _context: Context) -> Block | Opened | None:
    match = _NOT_OK.match(line)
    if match is None or re.search(r"# (?:TODO|SKIP)", line, re.IGNORECASE):
        return None
    return _Tap(match["name"])


GRAMMARS = (
    Grammar("jest-item", "Jest failure", ("jest",), "● Suite › test … at f (test/x.test.js:6:25)", ("● ",), _open_jest),
    Grammar(
        "jest-suite",
        "Jest and Vitest suite heading",
        ("jest", "vitest", "bun"),
        "FAIL src/x.test.ts > suite > test",
        ("FAIL ",),
        _open_suite,
    ),
    Grammar(
        "node-test",
        "node:test spec reporter",
        ("node:test",),
        "test at node/x.test.mjs:7:1",
        ("test at ", "✖ "),
        _open_node_test,
    ),
    Grammar(
        "tap", "TAP with YAML blocks", ("node:test", "tap", "ava", "tape"), "not ok 1 - name", ("not ok",), _open_tap
    ),
)
