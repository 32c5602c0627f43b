"""Ruby, PHP, Perl, Lua, shells, PowerShell, R, Julia: errors and stack traces outside of test runners."""

from __future__ import annotations

import re

from lsp_server.model.failure import FailureKind
from lsp_server.text.late_pattern import late_pattern

from ..drafts import Draft, RawFrame, Trace, diagnostic, is_syntax, kind_of
from ..grammar import DONE, Block, Context, Grammar, Opened
from .traces import TraceBlock, TraceStyle, message_above

_AT_LINE = late_pattern(
    r"^(?P<text>[^\n]*?)\bat (?P<path>(?:[A-Za-z]:)?[^\s:][^\n:]{0,500}?) line (?P<line>\d{1,9})(?P<end>\.|,|$)"
)
_CALLED = late_pattern(r"^\s+(?P<name>[\w:]{1,200})\(.*\) called at (?P<path>[^\n]{1,500}?) line (?P<line>\d{1,9})$")


def _perl_called(line: str) -> RawFrame | None:
    match = _CALLED.match(line)
    return RawFrame(match["path"], int(match["line"]), symbol=match["name"]) if match else None


PERL = TraceStyle("perl", _perl_called)


def _open_perl(line: str, context: Context) -> Block | Opened | None:
    match = _AT_LINE.match(line)
    if match is None or _CALLED.match(line):
        return None
    text = match["text"].strip("# ").strip()
    path = match["path"].strip()
    if " " in path and not re.search(r"\.\w{1,4}$", path):
        return None
    if line.lstrip().startswith("#"):
        above = context.before[0].strip("# ") if context.before else ""
        text = above if "Failed test" in above else text
        block = TraceBlock(TraceStyle("perl", _perl_called, kind=FailureKind.ASSERTION), text)
    else:
        block = TraceBlock(PERL, text)
    block.frames_before = [RawFrame(path, int(match["line"]))]
    return _WithFirst(block)


class _WithFirst:
    """A trace whose first frame stands in the message line."""

    def __init__(self, block: TraceBlock) -> None:
        self._block = block

    def feed(self, line: str, context: Context) -> bool:
        return self._block.feed(line, context)

    def close(self, context: Context) -> None:
        block = self._block
        first = block.frames_before
        block.frames_before = []
        trace = block._traces[0]  # pyright: ignore[reportPrivateUsage]
        trace.frames[:0] = first
        block.close(context)


_LUA = late_pattern(
    r"^(?:\S{0,80}lua\S{0,20}: |Error: |.{0,60}?Failed to .*?: )?(?P<path>(?:[A-Za-z]:)?"
    r"(?:\.\.\.)?[^\s:\[][^\n:]{0,400}\.lua):(?P<line>\d{1,9}): (?P<text>.*)$"
)
_LUA_FRAME = late_pattern(
    r"^\s+(?:\[C\]: .*|(?P<path>(?:[A-Za-z]:)?(?:\.\.\.)?[^\n:\[]{1,400}\.lua):(?P<line>\d{1,9}): in "
    r"(?P<name>.*)|\(\.\.\..*)$"
)
_BUSTED = late_pattern(r"^(?:Failure|Error) (?:→|->) (?P<path>[^\n@]{1,400}) @ (?P<line>\d{1,9})$")


class _Lua:
    def __init__(self, frames: list[RawFrame], message: str, test: str | None = None) -> None:
        self._frames, self._message, self._test = frames, message, test

    def feed(self, line: str, _context: Context) -> bool:
        match = _LUA_FRAME.match(line)
        if match:
            if match["path"]:
                self._frames.append(RawFrame(match["path"], int(match["line"]), symbol=match["name"]))
            return True
        return line.strip().startswith("stack traceback:") or (not line.strip() and not self._frames)

    def close(self, context: Context) -> None:
        context.emit(
            Draft(
                self._message,
                kind_of(self._message),
                test=self._test,
                tool="lua",
                traces=[Trace(self._message, self._frames)],
            )
        )


def _open_lua(line: str, context: Context) -> Block | Opened | None:
    match = _LUA.match(line)
    if match:
        return _Lua([RawFrame(match["path"], int(match["line"]))], match["text"])
    busted = _BUSTED.match(line)
    if busted:
        place = RawFrame(busted["path"], int(busted["line"]))
        context.emit(Draft("", FailureKind.ASSERTION, tool="busted", traces=[Trace("", [place])]))
        return DONE
    return None


_SHELL = late_pattern(
    r"^(?:-?(?:ba|z|da|k)?sh: )?(?P<path>(?:[A-Za-z]:)?[^\s:][^\n:]{0,400}?): (?:line )?"
    r"(?P<line>\d{1,9}): (?P<text>\S.*)$"
)
_ZSH = late_pattern(r"^(?P<path>[^\s:][^\n:]{0,400}\.(?:zsh|sh|bash)):(?P<line>\d{1,9}): (?P<text>.*)$")
_FISH = late_pattern(r"^(?P<path>[^\s:][^\n(]{0,400}?\.fish) \(line (?P<line>\d{1,9})\): ?(?P<text>.*)$")
_AWK = late_pattern(r"^(?:g|m|n)?awk: (?P<path>[^\s:]{1,300}):(?P<line>\d{1,9}):\s+(?P<text>.*)$")


def _open_shell(line: str, context: Context) -> Block | Opened | None:
    match = _SHELL.match(line) or _ZSH.match(line) or _FISH.match(line) or _AWK.match(line)
    if match is None or (
        "line " not in line and not re.search(r"\.\w{0,5}sh\b|not found|yntax error|unbound|parameter", line)
    ):
        return None
    text = match["text"]
    kind = FailureKind.SYNTAX if is_syntax(text) else FailureKind.EXCEPTION
    path = match["path"].split(": ")[-1]
    context.emit(
        Draft(
            text, kind, tool="shell", traces=[Trace(text, [RawFrame(path, int(match["line"]), weak="." not in path)])]
        )
    )
    return DONE


_POWERSHELL = late_pattern(
    r"^(?:At|in|\s+at .*,) ?(?P<path>(?:[A-Za-z]:)?[^\n:]{1,400}\.psm?1):(?: line )?(?P<line>\d{1,9})"
    r"(?: char:(?P<col>\d{1,9}))?$"
)
_POWERSHELL7 = late_pattern(
    r"^(?P<text>\w{1,80}(?:Error|Exception)?|[\w-]{1,80}): (?P<path>(?:[A-Za-z]:)?[^\n:]{1,400}\.psm?1):"
    r"(?P<line>\d{1,9})(?::(?P<col>\d{1,9}))?$"
)


class _PowerShell:
    def __init__(self, frames: list[RawFrame], message: str) -> None:
        self._frames, self._message = frames, message

    def feed(self, line: str, _context: Context) -> bool:
        match = _POWERSHELL.match(line)
        if match:
            self._frames.append(RawFrame(match["path"], int(match["line"])))
            return True
        source = re.match(r"^\s*(?P<line>\d{1,9}) \| (?P<text>.*)$", line)
        said = re.match(r"^\s+\| (?P<text>[^~\s].*)$", line)
        if source and int(source["line"]) == self._frames[0].line:
            self._frames[0].text = source["text"].strip().strip("…").strip()
        elif said and self._message.count(" ") == 0:
            self._message = f"{self._message}: {said['text']}"
        elif line.startswith("+ ") and self._frames[0].text is None:
            self._frames[0].text = line[2:].strip()
        return bool(source or line.startswith(("+", "Line |", "    + ", "     |", "   ")))

    def close(self, context: Context) -> None:
        kind = FailureKind.SYNTAX if "Parser" in self._message else kind_of(self._message)
        context.emit(Draft(self._message, kind, tool="powershell", traces=[Trace(self._message, self._frames)]))


def _open_powershell(line: str, context: Context) -> Block | Opened | None:
    old, new = _POWERSHELL.match(line), _POWERSHELL7.match(line)
    match = old or new
    if match is None:
        return None
    message = new["text"] if new else message_above(context.before)
    return _PowerShell(
        [RawFrame(match["path"], int(match["line"]), int(match["col"]) if match.groupdict().get("col") else None)],
        message,
    )


_R_TEST = late_pattern(
    r"^(?:──|--|-) (?:[\w ]{0,20}\. )?(?P<word>Failure|Error|FAILURE|ERROR) ?\('?"
    r"(?P<path>[\w./-]{1,300}\.[Rr])'?:(?P<line>\d{1,9})(?::(?P<col>\d{1,9}))?\):? ?(?P<test>.*?)[ ─-]*$"
)
_R_FRAME = late_pattern(
    r"^\s*(?:\d{1,4}[:.] |▆|█|[├└│─ ]*)(?P<name>.{1,200}?) (?:at|in) (?P<path>[\w./~-]{1,300}\.[Rr])[#:]"
    r"(?P<line>\d{1,9})(?::\d{1,9}(?::\d{1,9})?)?$"
)
_R_SOURCE = late_pattern(
    r"^Error in (?:source|parse|file)\(.*?\) : ?(?P<path>[\w./~-]{1,300}\.[Rr]):(?P<line>\d{1,9}):"
    r"(?P<col>\d{1,9}): (?P<text>.*)$"
)


def _open_r(line: str, context: Context) -> Block | Opened | None:
    test, frame, source = _R_TEST.match(line), _R_FRAME.match(line), _R_SOURCE.match(line)
    if test:
        place = RawFrame(test["path"], int(test["line"]))
        kind = FailureKind.ASSERTION if test["word"].lower() == "failure" else FailureKind.EXCEPTION
        context.emit(Draft(test["test"], kind, test=test["test"] or None, tool="testthat", traces=[Trace("", [place])]))
        return DONE
    if source:
        context.emit(
            diagnostic(source["text"], RawFrame(source["path"], int(source["line"])), tool="R", kind=FailureKind.SYNTAX)
        )
        return DONE
    if frame:
        block = TraceBlock(TraceStyle("R", _r_frame), message_above(context.before, _r_frame))
        block.feed(line, context)
        return block
    return None


def _r_frame(line: str) -> RawFrame | None:
    match = _R_FRAME.match(line)
    return RawFrame(match["path"], int(match["line"]), symbol=match["name"].split("(")[0]) if match else None


_JULIA_AT = late_pattern(
    r"^\s+@ (?:\w[\w.]{0,80} )?(?P<path>(?:[A-Za-z]:)?[~./\w][^\n:]{0,500}\.jl):(?P<line>\d{1,9})(?: \[inlined\])?$"
)
_JULIA_IN = late_pattern(r"^in expression starting at (?P<path>(?:[A-Za-z]:)?[^\n:]{1,500}\.jl):(?P<line>\d{1,9})$")
_JULIA_TEST = late_pattern(
    r"^(?P<test>.{0,200}?): ?(?P<word>Test Failed|Error During Test) at (?P<path>"
    r"(?:[A-Za-z]:)?[^\n:]{1,500}\.jl):(?P<line>\d{1,9})$"
)


def _julia(line: str) -> RawFrame | None:
    match = _JULIA_AT.match(line) or _JULIA_IN.match(line)
    return RawFrame(match["path"], int(match["line"])) if match else None


JULIA = TraceStyle("julia", _julia, late_pattern(r"^\s*(?:\[\d+\] .*|Stacktrace:|\s+@ .*|caused by: .*|⋮.*|--- .*)$"))


def _open_julia(line: str, context: Context) -> Block | Opened | None:
    test = _JULIA_TEST.match(line)
    if test:
        place = RawFrame(test["path"], int(test["line"]))
        kind = FailureKind.ASSERTION if test["word"] == "Test Failed" else FailureKind.EXCEPTION
        context.emit(Draft(test["word"], kind, test=test["test"] or None, tool="julia", traces=[Trace("", [place])]))
        return DONE
    if _julia(line) is None:
        return None
    message = next((one for one in context.before if one.startswith("ERROR: ")), "")
    block = TraceBlock(JULIA, message or message_above(context.before))
    block.feed(line, context)
    return block


_LISP = late_pattern(
    r"\((?:file )?\"?(?P<path>[\w./-]{1,300}\.(?:tcl|el|scm|rkt|clj|cljs|cljc|lisp|edn))\"?"
    r"(?:\"? line |:)(?P<line>\d{1,9})"
)


def _open_lisp(line: str, context: Context) -> Block | Opened | None:
    match = _LISP.search(line)
    if match is None:
        return None
    text = line[: match.start()].strip() or message_above(context.before)
    context.emit(Draft(text, kind_of(text), traces=[Trace(text, [RawFrame(match["path"], int(match["line"]))])]))
    return DONE


GRAMMARS = (
    Grammar(
        "powershell",
        "errors",
        ("PowerShell", "Pester"),
        "At C:\\x.ps1:12 char:5",
        (".ps1:", ".psm1:"),
        _open_powershell,
    ),
    Grammar(
        "lua",
        "errors and tracebacks",
        ("Lua", "busted", "Neovim"),
        "lua: x.lua:12: msg",
        (".lua:", "Failure → ", "Error → ", "Failure -> "),
        _open_lua,
    ),
    Grammar(
        "testthat",
        "failures and tracebacks",
        ("R", "testthat"),
        "── Failure (test-x.R:12:3): name",
        (".R:", ".R#", ".r:"),
        _open_r,
    ),
    Grammar("julia", "stack traces and test failures", ("Julia",), "@ Main ~/x.jl:12", (".jl:",), _open_julia),
    Grammar(
        "perl", "die, warn, confess, Test::More", ("Perl", "prove"), "msg at x.pl line 6.", ("/ line \\d/",), _open_perl
    ),
    Grammar(
        "shell",
        "shell errors",
        ("bash", "sh", "dash", "zsh", "fish", "awk"),
        "x.sh: line 3: foo: command not found",
        (": line ", ".sh:", ".bash:", ".zsh:", "(line ", ".awk:"),
        _open_shell,
    ),
    Grammar(
        "lisp",
        "places in parentheses",
        ("Tcl", "Clojure", "Racket", "Emacs Lisp"),
        '(file "x.tcl" line 12)',
        ('(file "', ".clj:", ".rkt:", ".scm:", ".el:"),
        _open_lisp,
    ),
)
