"""Elixir, Erlang, Haskell, Dart and Flutter: stack traces and compiler messages of their own kind."""

from __future__ import annotations

import re

from lsp_server.model.failure import FailureKind
from lsp_server.text.late_pattern import late_pattern

from ..drafts import RawFrame, diagnostic, is_syntax, severity_of
from ..grammar import DONE, Block, Context, Grammar, Opened
from .traces import TraceBlock, TraceStyle, message_above

_ELIXIR_FRAME = late_pattern(
    r"^\s+(?:\(\w[\w. -]{0,80}\) )?(?P<path>[\w./-]{1,300}\.(?:exs?|erl|eex|heex)):(?P<line>\d{1,9}): "
    r"(?P<name>.{1,300})$"
)
_ELIXIR_ERROR = late_pattern(
    r"^\s*\*\* \((?P<error>[\w.]{1,120})\) (?:(?P<path>[\w./-]{1,300}\.(?:exs?|eex|heex)):(?P<line>\d{1,9})"
    r"(?::(?P<col>\d{1,9}))?: )?(?P<text>.*)$"
)
_ELIXIR_BELOW = late_pattern(
    r"^\s{2,4}(?P<path>[\w./-]{1,300}\.exs?):(?P<line>\d{1,9})(?::(?P<col>\d{1,9}))?(?:: (?P<name>.{1,200}))?$"
)


def _elixir(line: str) -> RawFrame | None:
    match = _ELIXIR_FRAME.match(line)
    return RawFrame(match["path"], int(match["line"]), symbol=match["name"]) if match else None


ELIXIR = TraceStyle("elixir", _elixir, late_pattern(r"^\s+\(.*\) .*$"))


def _open_elixir(line: str, context: Context) -> Block | Opened | None:
    error = _ELIXIR_ERROR.match(line)
    if error and error["path"]:
        place = RawFrame(error["path"], int(error["line"]), int(error["col"]) if error["col"] else None)
        kind = FailureKind.SYNTAX if is_syntax(error["error"]) or "Token" in error["error"] else FailureKind.DIAGNOSTIC
        context.emit(diagnostic(error["text"], place, tool="elixir", kind=kind))
        return DONE
    below = _ELIXIR_BELOW.match(line)
    if below and context.before and re.match(r"^\s*(?:warning|error): ", context.before[0]):
        level, _, text = context.before[0].strip().partition(": ")
        context.emit(
            diagnostic(text, RawFrame(below["path"], int(below["line"])), severity=severity_of(level), tool="elixir")
        )
        return DONE
    if _elixir(line) is None:
        return None
    message = next((one.strip() for one in context.before if _ELIXIR_ERROR.match(one)), "") or message_above(
        context.before, _elixir
    )
    block = TraceBlock(ELIXIR, message)
    block.feed(line, context)
    return block


_ERLANG_TERM = late_pattern(r"\{file,\s?\"(?P<path>[^\"\n]{1,400})\"\},\s*\{line,\s?(?P<line>\d{1,9})\}")
_ERLANG_IN = late_pattern(
    r"^\s*(?:in (?:function|call from)|called as) +(?P<name>\S.{0,200}?)(?: \((?P<path>[\w./-]{1,300}\."
    r"(?:erl|hrl)), line (?P<line>\d{1,9})\))$"
)


def _erlang(line: str) -> RawFrame | None:
    match = _ERLANG_IN.match(line) or _ERLANG_TERM.search(line)
    return RawFrame(match["path"], int(match["line"])) if match else None


ERLANG = TraceStyle("erlang", _erlang, late_pattern(r"^\s*[\[{].*$"))


def _open_erlang(line: str, context: Context) -> Block | Opened | None:
    if _erlang(line) is None:
        return None
    block = TraceBlock(ERLANG, message_above(context.before, _erlang))
    block.feed(line, context)
    return block


_HASKELL_CALL = late_pattern(
    r"^\s+(?P<name>[\w.']{1,120}), called at (?P<path>[^\n:]{1,400}\.l?hs):(?P<line>\d{1,9}):(?P<col>\d{1,9})"
    r"(?: in .*)?$"
)
_HASKELL_RANGE = late_pattern(
    r"^(?P<path>[\w./\\-]{1,400}\.l?hs):(?:\((?P<line>\d{1,9}),(?P<col>\d{1,9})\)-\(\d{1,9},\d{1,9}\)|"
    r"(?P<one>\d{1,9}):(?P<onecol>\d{1,9})-\d{1,9}): (?P<level>error|warning):?(?: \[[^\]\n]{1,80}\])*"
    r"(?P<text>.*)$"
)


def _haskell(line: str) -> RawFrame | None:
    match = _HASKELL_CALL.match(line)
    return RawFrame(match["path"], int(match["line"]), int(match["col"]), symbol=match["name"]) if match else None


HASKELL = TraceStyle("haskell", _haskell, late_pattern(r"^CallStack \(from HasCallStack\):$"))


def _open_haskell(line: str, context: Context) -> Block | Opened | None:
    match = _HASKELL_RANGE.match(line)
    if match:
        place = RawFrame(match["path"], int(match["line"] or match["one"]), int(match["col"] or match["onecol"]))
        context.emit(diagnostic(match["text"], place, severity=severity_of(match["level"]), tool="ghc"))
        return DONE
    if _haskell(line) is None:
        return None
    block = TraceBlock(
        HASKELL, next((one.strip() for one in context.before if one.strip() and "CallStack" not in one), "")
    )
    block.feed(line, context)
    return block


_DART_FRAME = late_pattern(
    r"^#\d{1,4}\s+(?P<name>.{1,300}?) \((?P<path>(?:package|file|dart):[^\n()]{1,600}?):(?P<line>\d{1,9})"
    r"(?::(?P<col>\d{1,9}))?\)$"
)
_DART_TERSE = late_pattern(
    r"^\s{0,4}(?P<path>(?:package:)?[\w./-]{1,300}\.dart) (?P<line>\d{1,9}):(?P<col>\d{1,9}) {1,30}"
    r"(?P<name>\S.{0,200})$"
)


def _dart(line: str) -> RawFrame | None:
    match = _DART_FRAME.match(line) or _DART_TERSE.match(line)
    if match is None:
        return None
    return RawFrame(match["path"], int(match["line"]), int(match["col"] or 0) or None, symbol=match["name"].strip())


DART = TraceStyle(
    "dart",
    _dart,
    late_pattern(
        r"^(?:#\d+ .*|\(elided.*|<asynchronous suspension>|\.\.\. .*|=+ asynchronous gap =+.*|\s{2,}dart:.*|\s{2,}"
        r"package:.*)$"
    ),
)


def _open_dart(line: str, context: Context) -> Block | Opened | None:
    if _dart(line) is None:
        return None
    test = next(
        (
            match[1]
            for one in context.before
            if (match := re.match(r"^\d\d:\d\d \+\d+(?: ~\d+)? -\d+: (.{1,200}?) \[E\]$", one))
        ),
        None,
    )
    above = [one for one in context.before if one.strip() and _dart(one) is None]
    message = next(
        (one.strip() for one in reversed(above[:6]) if re.search(r"Exception|Error|Expected|threw|Unhandled", one)), ""
    )
    block = TraceBlock(DART, message or message_above(context.before, _dart), test)
    block.feed(line, context)
    return block


GRAMMARS = (
    Grammar(
        "elixir",
        "errors and stack traces",
        ("Elixir", "mix", "Phoenix"),
        "** (CompileError) lib/x.ex:12: msg",
        (".ex:", ".exs:", ".eex:", ".heex:"),
        _open_elixir,
    ),
    Grammar(
        "erlang",
        "stack traces",
        ("Erlang", "rebar3", "EUnit"),
        "in function m:f/0 (src/m.erl, line 12)",
        (".erl, line ", "{line,"),
        _open_erlang,
    ),
    Grammar(
        "haskell",
        "GHC ranges and call stacks",
        ("GHC", "cabal", "stack"),
        "error, called at src/X.hs:12:3",
        (".hs:", ".lhs:"),
        _open_haskell,
    ),
    Grammar(
        "dart",
        "Dart and Flutter stack traces",
        ("Dart", "Flutter"),
        "#0 f (package:app/x.dart:12:5)",
        (".dart:", ".dart "),
        _open_dart,
    ),
)
