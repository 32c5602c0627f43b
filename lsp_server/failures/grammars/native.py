"""Debuggers, sanitizers, Valgrind, Swift and .NET: stacks of compiled programs."""

from __future__ import annotations

import re

from lsp_server.model.failure import FailureKind, Role
from lsp_server.text.late_pattern import late_pattern

from ..drafts import Draft, RawFrame, Trace, diagnostic
from ..grammar import DONE, Block, Context, Grammar, Opened
from .traces import TraceBlock, TraceStyle, message_above

_SANITIZER_HEAD = late_pattern(
    r"^(?:==\d+==)?\s*(?:ERROR|WARNING): (?P<text>(?:Address|Leak|Memory|Thread|UndefinedBehavior|HWAddress)Saniti"
    r"zer:? [^\n]*)$"
)
_SANITIZER_FRAME = late_pattern(
    r"^\s+#\d{1,4} (?:0x[0-9a-f]+ (?:in )?)?(?P<name>.{0,400}?) (?P<path>"
    r"(?:[A-Za-z]:)?[^\s():][^\n():]{0,600}):(?P<line>\d{1,9})(?::(?P<col>\d{1,9}))?(?: \(.*)?$"
)
_SANITIZER_MORE = late_pattern(r"^\s+#\d{1,4} ")


class _Sanitizer:
    """The first stack is where it happened; later ones (allocation, other thread) explain."""

    def __init__(self, message: str, kind: FailureKind) -> None:
        self._draft = Draft(message, kind, tool="sanitizer", traces=[Trace(message)])
        self._stacks = 0
        self._inside = False

    def feed(self, line: str, _context: Context) -> bool:
        match = _SANITIZER_FRAME.match(line)
        if match or _SANITIZER_MORE.match(line):
            if not self._inside:
                self._stacks += 1
                self._inside = True
            if match:
                frame = RawFrame(
                    match["path"],
                    int(match["line"]),
                    int(match["col"] or 0) or None,
                    symbol=match["name"].strip() or None,
                )
                if self._stacks == 1 or (self._draft.kind is FailureKind.RACE and self._stacks == 2):
                    self._draft.traces[0].frames.append(frame)
                else:
                    frame.role = Role.RELATED
                    self._draft.related.append(frame)
            return True
        self._inside = False
        return not line.startswith(("SUMMARY:", "=====", "==", "Shadow bytes"))

    def close(self, context: Context) -> None:
        self._draft.test = context.test
        context.emit(self._draft)


def _open_sanitizer(line: str, _context: Context) -> Block | Opened | None:
    match = _SANITIZER_HEAD.match(line)
    if match is None:
        return None
    text = re.sub(r" on (?:unknown )?address .*| \(pid=\d+\)", "", match["text"])
    return _Sanitizer(text, FailureKind.RACE if "data race" in text else FailureKind.CRASH)


_VALGRIND = late_pattern(r"^==\d+==(?P<rest>.*)$")
_VALGRIND_FRAME = late_pattern(
    r"^\s+(?:at|by) 0x[0-9A-Fa-f]+: (?P<name>.{1,300}?) \((?P<path>[^\n:()]{1,500}):(?P<line>\d{1,9})\)$"
)


class _Valgrind:
    def __init__(self, message: str) -> None:
        self._draft = Draft(message, FailureKind.CRASH, tool="valgrind", traces=[Trace(message)])
        self._related = False

    def feed(self, line: str, _context: Context) -> bool:
        match = _VALGRIND.match(line)
        if match is None:
            return False
        rest = match["rest"]
        frame = _VALGRIND_FRAME.match(rest)
        if frame:
            place = RawFrame(frame["path"], int(frame["line"]), symbol=frame["name"])
            if self._related:
                place.role = Role.RELATED
                self._draft.related.append(place)
            else:
                self._draft.traces[0].frames.append(place)
            return True
        if re.match(r"^\s+(?:at|by) 0x", rest):
            return True
        if rest.startswith("  ") and rest.strip():
            self._related = True
            return True
        return False

    def close(self, context: Context) -> None:
        if self._draft.frames():
            context.emit(self._draft)


def _open_valgrind(line: str, context: Context) -> Block | Opened | None:
    match = _VALGRIND.match(line)
    if match is None or (not _VALGRIND_FRAME.match(match["rest"]) and not re.match(r"^\s+at 0x", match["rest"])):
        return None
    above = _VALGRIND.match(context.before[0]) if context.before else None
    block = _Valgrind(above["rest"].strip() if above else "")
    block.feed(line, context)
    return block


_GDB = late_pattern(
    r"^#\d{1,4}\s+(?:0x[0-9a-f]+ in )?(?P<name>.{1,400}?) \(.*\)(?: at (?P<path>[^\n:]{1,600}):"
    r"(?P<line>\d{1,9})| from .*)?$"
)
_LLDB = late_pattern(
    r"^\s*\*? ?frame #\d+: 0x[0-9a-f]+ (?P<name>.{1,400}?) at (?P<path>[^\n:]{1,500}):(?P<line>\d{1,9})(?::\d{1,9})?"
)


def _gdb(line: str) -> RawFrame | None:
    match = _GDB.match(line) or _LLDB.match(line)
    if match is None or not match["path"]:
        return None
    return RawFrame(match["path"], int(match["line"]), symbol=match["name"])


GDB = TraceStyle("gdb", _gdb, late_pattern(r"^(?:#\d+ .*|\s*\*? ?frame #\d+.*)$"), kind=FailureKind.CRASH)


def _open_gdb(line: str, context: Context) -> Block | Opened | None:
    if _gdb(line) is None:
        return None
    said = next(
        (one for one in context.before if re.search(r"signal SIG|stop reason|Assertion|terminate called", one)), ""
    )
    block = TraceBlock(GDB, said.strip() or "backtrace")
    block.feed(line, context)
    return block


_DOTNET = late_pattern(
    r"^\s*(?:at|bei|à|en|в|在|場所|위치:) (?P<name>.{1,600}?) (?:in|i|dans|в|位置|場所) (?P<path>"
    r"(?:[A-Za-z]:)?[^\n:]{1,800}):(?:line|Zeile|ligne|línea|строка|行|줄|riga) ?(?P<line>\d{1,9})\.?$"
)
_DOTNET_FILLER = late_pattern(r"^\s*(?:at .*|--- End of .*|Stack Trace:|-+ Inner Stack Trace -+.*)$")


def dotnet_frame(line: str) -> RawFrame | None:
    """`at Namespace.Class.Method(args) in /path/File.cs:line 12`."""
    match = _DOTNET.match(line)
    if match is None:
        return None
    return RawFrame(match["path"], int(match["line"]), symbol=".".join(match["name"].split("(")[0].split(".")[-2:]))


DOTNET = TraceStyle("dotnet", dotnet_frame, _DOTNET_FILLER)
_DOTNET_TEST = late_pattern(
    r"^\s*(?:\[xUnit\.net [^\]\n]{1,30}\]\s+)?(?:Failed|X|\[FAIL\]|✗) ?(?P<test>[\w.+<>`]{3,300}(?:\(.*\))?)"
    r"(?: \[.*\]| \(.*\))?\s*$"
)


def _open_dotnet(line: str, context: Context) -> Block | Opened | None:
    if dotnet_frame(line) is None:
        return None
    before = [one for one in context.before if not _DOTNET_FILLER.match(one)]
    message = ""
    for at, one in enumerate(before):
        if one.strip() in {"Error Message:", "Message:"} and at:
            message = before[at - 1].strip()
            break
    test = next((match["test"] for one in before if (match := _DOTNET_TEST.match(one))), None)
    block = TraceBlock(DOTNET, message or message_above(before, dotnet_frame), test)
    block.feed(line, context)
    return block


_SWIFT_FATAL = late_pattern(
    r"^(?P<path>[\w./+-]{1,400}\.swift):(?P<line>\d{1,9}): (?P<text>"
    r"(?:Fatal error|Precondition failed|Assertion failed|Fatal access conflict).*)$"
)
_SWIFT_OLD = late_pattern(
    r"^(?P<text>(?:Fatal error|Precondition failed|Assertion failed|Thread \d+: Fatal error).*?): file "
    r"(?P<path>[^\n,]{1,400}\.swift), line (?P<line>\d{1,9})$"
)
_XCTEST = late_pattern(
    r"^(?P<path>(?:[A-Za-z]:)?[^\n:]{1,600}\.(?:swift|m|mm)):(?P<line>\d{1,9}): error: "
    r"(?P<test>-\[[^\]\n]{1,300}\]|[\w.]{1,300}) : (?P<text>.*)$"
)
_SWIFT_TESTING = late_pattern(
    r"^. Test (?P<test>.{1,300}?) recorded an issue(?: with .*?)? at (?P<path>[\w./+-]{1,300}\.swift):"
    r"(?P<line>\d{1,9}):(?P<col>\d{1,9}): (?P<text>.*)$"
)


def _open_swift(line: str, context: Context) -> Block | Opened | None:
    test = _XCTEST.match(line) or _SWIFT_TESTING.match(line)
    if test:
        place = RawFrame(test["path"], int(test["line"]))
        name = test["test"].strip("-[]").replace(" ", ".")
        context.emit(Draft(test["text"], FailureKind.ASSERTION, test=name, tool="xctest", traces=[Trace("", [place])]))
        return DONE
    fatal = _SWIFT_FATAL.match(line) or _SWIFT_OLD.match(line)
    if fatal is None:
        return None
    place = RawFrame(fatal["path"], int(fatal["line"]))
    context.emit(Draft(fatal["text"], FailureKind.CRASH, tool="swift", traces=[Trace("", [place])]))
    return DONE


_ASSERT = late_pattern(
    r"^(?:[\w./-]{1,200}: )?(?P<path>[\w./+-]{1,400}\.(?:c|cc|cpp|cxx|h|hpp|hh|m|mm)):(?P<line>\d{1,9}): "
    r"(?P<name>[^\n]{0,200}?:?) ?(?P<text>Assertion [`'].*failed.*)$"
)
_ASSERT_BSD = late_pattern(
    r"^Assertion failed: (?P<text>.*), (?:function (?P<name>[^\n,]{1,200}), )?file "
    r"(?P<path>[^\n,]{1,400}), line (?P<line>\d{1,9})\.?$"
)
_GTEST = late_pattern(
    r"^(?P<path>(?:[A-Za-z]:)?[^\s:(][^\n:(]{0,500}\.(?:c|cc|cpp|cxx|h|hpp|hh))(?::(?P<line>\d{1,9})|\("
    r"(?P<paren>\d{1,9})\)): (?:Failure|FAILED|error: Failure|FAIL|ERROR: .*)\s?:?(?P<text>.*)$"
)


class _Gtest:
    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._lines: list[str] = []

    def feed(self, line: str, _context: Context) -> bool:
        if not line.strip() or line.startswith("[ ") or _GTEST.match(line) or len(self._lines) > 8:
            return False
        self._lines.append(line.strip())
        return True

    def close(self, context: Context) -> None:
        self._draft.message = " ".join([self._draft.message, *self._lines]).strip()
        context.emit(self._draft)


def _open_assert(line: str, context: Context) -> Block | Opened | None:
    match = _ASSERT.match(line) or _ASSERT_BSD.match(line)
    if match:
        place = RawFrame(match["path"], int(match["line"]), symbol=match["name"] or None)
        context.emit(
            Draft(match["text"], FailureKind.ASSERTION, test=context.test, tool="assert", traces=[Trace("", [place])])
        )
        return DONE
    gtest = _GTEST.match(line)
    if gtest is None:
        return None
    place = RawFrame(gtest["path"], int(gtest["line"] or gtest["paren"]))
    running = next((one[12:].strip() for one in context.before if one.startswith("[ RUN      ]")), None)
    return _Gtest(
        Draft(gtest["text"].strip(), FailureKind.ASSERTION, test=running, tool="gtest", traces=[Trace("", [place])])
    )


_SEGFAULT_RUNTIME = late_pattern(
    r"^(?P<path>[^\s:][^\n:]{0,500}):(?P<line>\d{1,9}):(?P<col>\d{1,9}): runtime error: (?P<text>.*)$"
)


def _open_ubsan(line: str, context: Context) -> Block | Opened | None:
    match = _SEGFAULT_RUNTIME.match(line)
    if match is None:
        return None
    place = RawFrame(match["path"], int(match["line"]), int(match["col"]))
    context.emit(diagnostic(match["text"], place, tool="ubsan", kind=FailureKind.CRASH))
    return DONE


GRAMMARS = (
    Grammar(
        "sanitizer",
        "ASan, TSan, MSan, LSan reports",
        ("AddressSanitizer", "ThreadSanitizer"),
        "#0 0x55 in f /app/x.c:5",
        ("Sanitizer:",),
        _open_sanitizer,
    ),
    Grammar(
        "ubsan",
        "UBSan",
        ("UndefinedBehaviorSanitizer",),
        "x.c:5:3: runtime error: …",
        (": runtime error: ",),
        _open_ubsan,
    ),
    Grammar("valgrind", "Valgrind", ("valgrind",), "==1== at 0x1: f (x.c:5)", (" at 0x",), _open_valgrind),
    Grammar("gdb", "debugger backtraces", ("gdb", "lldb"), "#0 f (n=4) at x.c:5", ("#0 ", "frame #0"), _open_gdb),
    Grammar(
        "dotnet-stack",
        ".NET stack trace",
        ("dotnet test", "NUnit", "xUnit", "MSTest"),
        "at N.C.M() in /app/X.cs:line 12",
        (":line ", ".cs:", ".fs:", ".vb:"),
        _open_dotnet,
    ),
    Grammar(
        "swift",
        "XCTest, Swift Testing, traps",
        ("XCTest", "Swift Testing", "swift"),
        "X.swift:12: error: T.testA : XCTAssert…",
        (".swift:", ".swift, line ", ".m:"),
        _open_swift,
    ),
    Grammar(
        "c-assert",
        "assert, GoogleTest, Catch2",
        ("assert.h", "GoogleTest", "Catch2"),
        "x.cc:12: Failure",
        ("Assertion ", ": Failure", ": FAILED", ": error: Failure"),
        _open_assert,
    ),
)
