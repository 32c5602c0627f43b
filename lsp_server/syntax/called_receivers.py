"""Which call a name is used on the result of: `new` for `arg` in `Command::new("x").arg(y)`."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from lsp_server.model.facts import COMPLEX_RECEIVER

from .receivers import Joined, Longs, Named

_GAP = rb"(?:\s|//[^\n]*\n)*"
_BEHIND = re.compile(rb"\)" + rb"(?:%b[?!])*%b(?:\.%bawait%b\??%b)?(?:\.|->)%b" % ((_GAP,) * 6))
"""From the end of a call to a name that is used on its result; `?`, `!` and `.await` only unwrap it."""

_TYPE_ARGUMENTS = re.compile(rb"(?:::\s*)?<[^(){};]*>\Z")
MAX_TYPE_ARGUMENTS = 200
"""Longer type arguments of a call are not looked behind."""


def set_called(receiver: Longs, joined: Joined, uses: Named, results: Mapping[int, int]) -> None:
    """Replace the receiver by the distance to the called name where that is among `uses`.

    `results` are the places of calls' brackets, start by end, in the joined text.
    """
    if not results:
        return
    source = joined.source
    behind: list[int] = []
    brackets: list[int] = []
    for match in _BEHIND.finditer(source):
        opened = results.get(match.start() + 1)
        if opened is None:
            continue
        if source[opened - 1 : opened] == b">":
            before = max(0, opened - MAX_TYPE_ARGUMENTS)
            written = _TYPE_ARGUMENTS.search(source, before, opened)
            opened = written.start() if written else opened
        behind.append(match.end())
        brackets.append(opened)
    used, called = _rows(uses.starts, behind), _rows(uses.ends, brackets)
    known = (used >= 0) & (called >= 0) & (called < used)
    receiver[used[known]] = COMPLEX_RECEIVER - (used[known] - called[known])


def _rows(places: Longs, wanted: list[int]) -> Longs:
    """The rows in which the ascending `places` hold what is wanted; -1 where none does."""
    looked_for = np.array(wanted, np.int64)
    rows = np.minimum(np.searchsorted(places, looked_for), max(0, len(places) - 1))
    return np.where(places[rows] == looked_for, rows, -1) if len(places) else np.full(len(wanted), -1)
