"""Ruby: exceptions with their backtraces."""

from __future__ import annotations

import re

from lsp_server.text.late_pattern import late_pattern

from ..drafts import RawFrame
from ..grammar import Block, Context, Grammar, Opened
from .traces import TraceBlock, TraceStyle, message_above

_RUBY = late_pattern(
    r"^\s*(?:from |\d{1,4}: from |↳ )?(?P<path>(?:[A-Za-z]:)?[^\s:][^\n:]{0,600}):"
    r"(?P<line>\d{1,9}):in [`'](?P<name>[^\n]{1,300}?)'(?:: (?P<text>.*))?$"
)


def ruby_frame(line: str) -> RawFrame | None:
    """`path:12:in 'name'`, with or without `from`."""
    match = _RUBY.match(line)
    if match is None:
        return None
    return RawFrame(
        match["path"], int(match["line"]), symbol=re.sub(r"^(?:block|rescue|ensure) .*?in ", "", match["name"])
    )


RUBY = TraceStyle("ruby", ruby_frame, late_pattern(r"^\s+(?:\.\.\. \d+ levels?\.\.\.|\^[~^]*|\t?\s*\d+: from .*)$"))


def _open_ruby(line: str, context: Context) -> Block | Opened | None:
    match = _RUBY.match(line)
    if match is None:
        return None
    block = TraceBlock(RUBY, match["text"] or message_above(context.before, ruby_frame))
    block.feed(line, context)
    return block


GRAMMARS = (
    Grammar(
        "ruby-stack",
        "exception and backtrace",
        ("Ruby", "Rails"),
        "lib/x.rb:15:in 'weave': msg (ArgumentError)",
        (":in `", ":in '"),
        _open_ruby,
    ),
)
