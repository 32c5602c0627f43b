"""Which call a name is used on the result of: `new` for `arg` in `Command::new("x").arg(y)`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lsp_server.model.facts import COMPLEX_RECEIVER

from .receivers import Joined, Longs, Named

_GAP = rb"(?:\s|//[^\n]*\n)*"
_BEHIND = re.compile(rb"\)" + rb"(?:%b\?)*%b(?:\.%bawait%b\??%b)?\.%b" % ((_GAP,) * 6))
"""From the end of a call to a name that is used on its result; `?` and `.await` only unwrap it."""

_TYPE_ARGUMENTS = re.compile(rb"::\s*<[^(){};]*>\Z")
MAX_TYPE_ARGUMENTS = 200
"""Longer type arguments of a call are not looked behind."""


def set_called(receiver: Longs, joined: Joined, uses: Named, results: Mapping[int, int]) -> None:
    """Replace the receiver by the distance to the called name where that is among `uses`.

    `results` are the places of calls' brackets, start by end, in the joined text.
    """
    if not results:
        return
    starts, ends = uses.starts, uses.ends
    source = joined.source
    row_of = dict(zip(starts.tolist(), range(len(starts)), strict=True))
    by_end = dict(zip(ends.tolist(), range(len(ends)), strict=True))
    for match in _BEHIND.finditer(source):
        at = row_of.get(match.end())
        opened = results.get(match.start() + 1)
        if at is None or opened is None:
            continue
        if source[opened - 1 : opened] == b">":
            before = max(0, opened - MAX_TYPE_ARGUMENTS)
            written = _TYPE_ARGUMENTS.search(source, before, opened)
            opened = written.start() if written else opened
        called = by_end.get(opened)
        if called is not None and called < at:
            receiver[at] = COMPLEX_RECEIVER - (at - called)
