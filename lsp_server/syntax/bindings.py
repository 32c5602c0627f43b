"""Bindings: what the text says of a variable's type."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Sequence

from lsp_server.model.facts import CALLABLE_KINDS, CONTAINER_KINDS, NOWHERE, TYPE_KINDS, BindingColumns, SymbolKind

from .byte_lines import ByteLines
from .captures import NO_PLACES, Captures
from .definitions import Definition
from .names import Names
from .scopes import Nesting

_SELF = (b"self.", b"this.", b"$this->", b"this->", b"cls.")
_CONSTRUCTOR = SymbolKind.CONSTRUCTOR
_SCOPES = CALLABLE_KINDS | CONTAINER_KINDS
_OWNERS = TYPE_KINDS | {SymbolKind.IMPL}
_PROMOTED = re.compile(rb"\b(?:private|public|protected|readonly)\b")
"""A constructor parameter with one of these is a field as well (TypeScript, PHP)."""
_BIND, _NAME, _TYPE = range(3)


def binding_columns(
    captures: Captures,
    found: Sequence[Definition],
    nesting: Nesting,
    lines: ByteLines,
    names: Names,
    marks: bytes,
) -> BindingColumns:
    """One binding a `@bind` node, for each `@bind.name` in it, with the first `@bind.type` in it.

    `nesting` is of `found`; `marks` around a name are left out.
    """
    pairs = _pairs(captures)
    if not pairs:
        return BindingColumns()
    source, starts, most = lines.source, lines.starts, max(1, lines.count)
    bounds, holders = nesting.bounds, nesting.holders
    bound: list[int] = []
    types: list[int] = []
    symbols: list[int] = []
    rows: list[int] = []
    for start, end, type_start, type_end, bind_start in pairs:
        symbol = holders[bisect_right(bounds, start) - 1]
        in_owner = source.endswith(_SELF, max(0, start - 7), start) or (
            symbol != NOWHERE
            and found[symbol].kind is _CONSTRUCTOR
            and _PROMOTED.search(source, bind_start, start) is not None
        )
        bound.append(names[source[start:end].strip(marks)])
        types.append(names[source[type_start:type_end]])
        symbols.append(_scope(symbol, found, _OWNERS if in_owner else _SCOPES))
        rows.append(bisect_right(starts, start, 1, most))  # as ByteLines.number
    return BindingColumns(array("i", bound), array("i", types), array("i", symbols), array("i", rows))


def _pairs(captures: Captures) -> list[tuple[int, int, int, int, int]]:
    """(name start, name end, type start, type end, bind start) in order of name."""
    if "bind" not in captures:
        return []
    events: list[tuple[int, int, int]] = []
    for capture, order in (("bind", _BIND), ("bind.name", _NAME), ("bind.type", _TYPE)):
        events += [(start, order, -end) for start, end in captures.get(capture, NO_PLACES).pairs()]
    events.sort()
    stack: list[tuple[int, int, list[tuple[int, int]], list[tuple[int, int]]]] = []
    done: list[tuple[int, int, int, int, int]] = []

    def close() -> None:
        _, bind_start, bound, types = stack.pop()
        if types:
            done.extend((*name, *types[0], bind_start) for name in bound)

    for start, order, negative_end in events:
        while stack and stack[-1][0] <= start:
            close()
        if order == _BIND:
            stack.append((-negative_end, start, [], []))
        elif stack:
            (stack[-1][2] if order == _NAME else stack[-1][3]).append((start, -negative_end))
    while stack:
        close()
    done.sort()
    return done


def _scope(symbol: int, found: Sequence[Definition], kinds: frozenset[SymbolKind]) -> int:
    while symbol != NOWHERE and found[symbol].kind not in kinds:
        symbol = found[symbol].parent
    return symbol
