"""Bindings: what the text says of a variable's type."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

import numpy as np

from lsp_server.model.facts import CALLABLE_KINDS, CONTAINER_KINDS, NOWHERE, TYPE_KINDS, BindingColumns, SymbolKind

from .byte_lines import ByteLines
from .definitions import Captures, Definition
from .names import Names
from .scopes import Nesting

_SELF = (b"self.", b"this.", b"$this->", b"this->", b"cls.")
_SCOPES = CALLABLE_KINDS | CONTAINER_KINDS
_OWNERS = TYPE_KINDS | {SymbolKind.IMPL}
_BIND, _NAME, _TYPE = range(3)


def binding_columns(captures: Captures, found: Sequence[Definition], lines: ByteLines, names: Names) -> BindingColumns:
    """One binding a `@bind` node, for each `@bind.name` in it, with the first `@bind.type` in it."""
    pairs = _pairs(captures)
    if not pairs:
        return BindingColumns()
    source = lines.source
    offsets = np.array([start for start, _, _, _ in pairs], dtype=np.int64)
    symbols: list[int] = Nesting.of((each.start, each.end) for each in found).at(offsets).tolist()
    result = BindingColumns(line=array("i", lines.numbers(offsets).tolist()))
    for (start, end, type_start, type_end), symbol in zip(pairs, symbols, strict=True):
        result.name.append(names[source[start:end]])
        result.type.append(names[source[type_start:type_end]])
        on_self = source[max(0, start - 6) : start].endswith(_SELF)
        result.symbol.append(_scope(symbol, found, _OWNERS if on_self else _SCOPES))
    return result


def _pairs(captures: Captures) -> list[tuple[int, int, int, int]]:
    """(name start, name end, type start, type end) in order of name."""
    if "bind" not in captures:
        return []
    events = [(node.start_byte, _BIND, -node.end_byte) for node in captures["bind"]]
    events += [(node.start_byte, _NAME, -node.end_byte) for node in captures.get("bind.name", ())]
    events += [(node.start_byte, _TYPE, -node.end_byte) for node in captures.get("bind.type", ())]
    events.sort()
    stack: list[tuple[int, list[tuple[int, int]], list[tuple[int, int]]]] = []
    done: list[tuple[int, int, int, int]] = []

    def close() -> None:
        _, bound, types = stack.pop()
        if types:
            done.extend((*name, *types[0]) for name in bound)

    for start, order, negative_end in events:
        while stack and stack[-1][0] <= start:
            close()
        if order == _BIND:
            stack.append((-negative_end, [], []))
        elif stack:
            (stack[-1][1] if order == _NAME else stack[-1][2]).append((start, -negative_end))
    while stack:
        close()
    done.sort()
    return done


def _scope(symbol: int, found: Sequence[Definition], kinds: frozenset[SymbolKind]) -> int:
    while symbol != NOWHERE and found[symbol].kind not in kinds:
        symbol = found[symbol].parent
    return symbol
