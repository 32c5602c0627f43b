"""pytest: every `--tb` style, collection and setup errors, summaries, and single lines torn from a report."""

from __future__ import annotations

import re

from lsp_server.model.failure import FailureKind, Role
from lsp_server.text.late_pattern import late_pattern

from ..drafts import Draft, RawFrame, Trace, kind_of
from ..grammar import DONE, Block, Context, Grammar, Opened
from .python import CAUSE, CONTEXT, FRAME, HEADER, Traceback

_ITEM = late_pattern(r"^_{3,} (?P<name>.{1,400}?) _{3,}$")
_SECTION = late_pattern(r"^={3,} ?(?P<name>[^=\n]{0,200}?) ?={3,}$")
_CAPTURED = late_pattern(r"^-{3,} ?Captured .{1,60}-{3,}$|^-{10,} (?:live log|Captured)")
_PLACE = late_pattern(
    r"^(?P<path>(?:[A-Za-z]:)?[^\s:>E|][^:\n]{0,600}|E[^:\s\n][^:\n]{0,600}|[^\s:]{1,3}\.\w+):"
    r"(?P<line>\d{1,9}): ?(?P<rest>.*)$"
)
_SOURCE = late_pattern(r"^>\s+(?P<text>\S.*)$")
_SAID = late_pattern(r"^E(?: {1,8}|$)(?P<text>.*)$")
_ERROR_NAME = late_pattern(r"^\w*(?:Error|Exception|Warning)")
"""Between the place and the message of a SyntaxError stands an echo of the source line."""
_DOCTEST_ENDS = ("UnexpectedException", "DocTestFailure")


class Report:
    """The FAILURES or ERRORS section: an item after the other, or one line a failure (`--tb=line`)."""

    def __init__(self, name: str | None = None) -> None:
        self._by_line = name is None
        self._begin(name)

    def _begin(self, name: str | None) -> None:
        self._name = name
        self._chain: list[tuple[str, Trace]] = []
        self._frames: list[RawFrame] = []
        self._native: Traceback | None = None
        self._after: list[RawFrame] = []
        self._said = ""
        self._source: str | None = None
        self._short = False
        self._skipping = False
        self._relation = ""
        self._rest = ""
        self._echo = False

    def feed(self, line: str, context: Context) -> bool:
        """Takes one line of the section."""
        item = _ITEM.match(line)
        if item:
            self._emit(context)
            self._by_line = False
            self._begin(item["name"])
            return True
        if line.startswith("===") and _SECTION.match(line):
            return False
        if self._skipping:
            return True
        if _CAPTURED.match(line):
            self._skipping = True
            return True
        if CAUSE in line or CONTEXT in line:
            self._end_trace("cause" if CAUSE in line else "context")
            return True
        self._read(line, context)
        return True

    def _read(self, line: str, context: Context) -> None:
        if self._native is not None:
            place = _PLACE.match(line)
            if place is None and self._native.feed(line, context):
                return
            if place is None:
                return
        elif HEADER.match(line) or (FRAME.match(line) and not line.startswith("E")):
            self._native = Traceback()
            if HEADER.match(line):
                self._native.start()
            else:
                self._native.feed(line, context)
            return
        self._read_pytest(line, context)

    def _read_pytest(self, line: str, context: Context) -> None:
        source = _SOURCE.match(line)
        said = _SAID.match(line)
        place = None if source or said else _PLACE.match(line)
        if source:
            self._source = source["text"].strip()
        elif said:
            inner = FRAME.match(said["text"])
            if inner:
                self._frames.append(RawFrame(inner["path"], int(inner["line"])))
                self._echo = True
            elif not self._said or ("Error:" in said["text"][:80] and self._said.startswith(("File ", "^"))):
                text = said["text"].strip()
                self._said = (
                    text if text.strip("^~ ") and not (self._echo and not _ERROR_NAME.match(text)) else self._said
                )
        elif place:
            self._place(place, context)
        elif self._short and self._frames and self._frames[-1].text is None and line.startswith("    "):
            self._frames[-1].text = line.strip()

    def _place(self, match: re.Match[str], context: Context) -> None:
        rest = match["rest"] or ""
        inside = re.match(r"^in (?P<name>\S.*)$", rest)
        frame = RawFrame(
            match["path"], int(match["line"]), symbol=inside["name"] if inside else None, text=self._source
        )
        self._short, self._source = inside is not None, None
        self._rest = rest if not inside and rest not in _DOCTEST_ENDS else self._rest
        if rest in _DOCTEST_ENDS or (self._native is not None and not inside):
            frame.role = Role.TEST if rest in _DOCTEST_ENDS else Role.FRAME
            self._after.append(frame)
        else:
            self._frames.append(frame)
        if self._by_line and rest and not inside:
            if not self._said or rest.startswith(self._said.split(":")[0]):
                self._said = rest
            self._emit(context)
            self._begin(None)

    def _end_trace(self, relation: str) -> None:
        frames = self._frames
        frames.reverse()
        native = self._native
        if native is not None:
            native._flush()  # pyright: ignore[reportPrivateUsage]
            frames = [frame for trace in native.traces for frame in trace.frames] + frames
            self._said = self._said or native.message
        frames = frames + self._after
        self._said = self._said or self._rest
        if frames or self._said:
            self._chain.append((self._relation, Trace(self._said, frames)))
        self._relation = relation
        self._frames, self._native, self._said, self._source, self._after, self._rest = [], None, "", None, [], ""

    def _emit(self, context: Context) -> None:
        self._end_trace("")
        if not self._chain:
            return
        traces: list[Trace] = []
        chained = False
        message = ""
        for relation, trace in self._chain:
            if relation == "context":
                for frame in (frame for older in traces for frame in older.frames):
                    frame.role = Role.CAUSE
                traces.insert(0, trace)
            else:
                chained = chained or relation == "cause"
                traces.append(trace)
            message = trace.message or message
        context.emit(_finished(self._name, message, traces, chained))

    def close(self, context: Context) -> None:
        """Emits the last item."""
        self._emit(context)


def _finished(name: str | None, message: str, traces: list[Trace], chained: bool) -> Draft:
    kind = kind_of(message)
    test = name
    suite = None
    if name is not None:
        collected = re.match(r"^ERROR collecting (?P<path>\S.*)$", name)
        stage = re.match(r"^ERROR at (?P<stage>setup|teardown) of (?P<test>.*)$", name)
        if collected:
            test = suite = collected["path"]
            kind = FailureKind.SYNTAX if kind is FailureKind.SYNTAX else FailureKind.COLLECTION
        elif stage:
            test, kind = stage["test"], FailureKind.SETUP
    return Draft(message, kind, test=test, tool="pytest", traces=traces, chained=chained, suite=suite)


def _open_section(line: str, _context: Context) -> Block | Opened | None:
    section = _SECTION.match(line)
    if section and section["name"] in {"FAILURES", "ERRORS"}:
        return Report()
    return None


def _open_item(line: str, _context: Context) -> Block | Opened | None:
    item = _ITEM.match(line)
    return Report(item["name"]) if item else None


_TORN = late_pattern(
    r"^(?P<path>(?:[A-Za-z]:)?[^\s:][^:\n]{0,600}\.pyi?):(?P<line>\d{1,9}): (?:in (?P<name>\S.{0,200})|"
    r"(?P<error>[\w.]*(?:Error|Exception|Failed|Exit|Interrupt|Group)\b.*))$"
)


class _Torn(Report):
    """Entries of a report whose section heading is missing."""

    def feed(self, line: str, context: Context) -> bool:
        if _PART.match(line) or _PLACE.match(line) or CAUSE in line or CONTEXT in line:
            return super().feed(line, context)
        return False


_PART = late_pattern(r"^(?:E  |    |>|_ _ _|\w{1,80} = |$)")
_BODY = late_pattern(r"^E(?: {3,}|$)|^[^\s:>][^\n:]{0,400}\.pyi?:\d{1,9}: ", re.MULTILINE)


def read_body(text: str) -> Draft | None:
    """The failure that the body of one item tells, as JUnit files and JSON reports carry it; None for other text."""
    if not _BODY.search(text):
        return None
    report, context = Report(""), Context()
    for line in text.split("\n"):
        if not report.feed(line, context):
            return None
    report.close(context)
    draft = context.last
    if draft is not None:
        draft.test = None
    return draft if len(context.drafts) == 1 else None


def _open_torn(line: str, context: Context) -> Block | Opened | None:
    match = _TORN.match(line)
    if match is None:
        return None
    block = _Torn("")
    for older in reversed(context.before):
        if older.startswith(("E  ", ">")):
            block.feed(older, context)
    block.feed(line, context)
    block._name = context.test  # pyright: ignore[reportPrivateUsage]
    return block


_SUMMARY = late_pattern(
    r"^(?:\[gw\d+\] )?(?:\[ *\d+%\] )?(?P<word>FAILED|ERROR|SUBFAIL(?:ED)?(?P<subtest>[(\[].{0,300}[)\]])?) "
    r"(?P<id>[^\s:]\S*\.pyi?(?:::.*?)?)(?: - (?P<text>.*))?$"
)
_VERBOSE = late_pattern(r"^(?P<id>\S+\.pyi?::.{1,400}?) (?P<word>FAILED|ERROR) +\[ *\d+%\]$")


def _open_summary(line: str, context: Context) -> Block | Opened | None:
    match = _SUMMARY.match(line.rstrip()) or _VERBOSE.match(line.rstrip())
    if match is None:
        return None
    groups = match.groupdict()
    test = match["id"].strip()
    if groups.get("subtest"):
        test = f"{test} {groups['subtest']}"
    context.failed_tests[test] = groups.get("text") or context.failed_tests.get(test) or ""
    return DONE


GRAMMARS = (
    Grammar(
        "pytest-section",
        "FAILURES and ERRORS sections, all --tb styles",
        ("pytest",),
        "tests/test_x.py:8: AssertionError",
        ("== FAILURES ==", "== ERRORS =="),
        _open_section,
    ),
    Grammar("pytest-item", "one failed item", ("pytest",), "____ test_x ____", ("___ ",), _open_item),
    Grammar(
        "pytest-summary",
        "short summary, xdist and -v lines (test ids)",
        ("pytest", "pytest-xdist"),
        "FAILED tests/test_x.py::test_y - KeyError",
        ("FAILED ", "ERROR ", " FAILED", " ERROR", "SUBFAIL"),
        _open_summary,
    ),
    Grammar(
        "pytest-entry",
        "single entries of a report",
        ("pytest",),
        "src/x.py:21: in f",
        ("/\\.pyi?:\\d/",),
        _open_torn,
    ),
)
