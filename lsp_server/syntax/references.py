"""Uses of names: which, how, where, in which definition, and on which receiver."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import tree_sitter

from lsp_server.model.facts import Import, ReferenceColumns, ReferenceKind

from .byte_lines import ByteLines
from .definitions import Captures, Definition
from .languages import Language
from .names import Names
from .receivers import receiver_reader
from .scopes import LocalNames, Nesting, local_names

PRIORITY = (
    ("ref.inherit", ReferenceKind.INHERIT),
    ("ref.decorator", ReferenceKind.DECORATOR),
    ("ref.call", ReferenceKind.CALL),
    ("ref.type", ReferenceKind.TYPE),
    ("ref.attribute", ReferenceKind.ATTRIBUTE),
    ("ref.read", ReferenceKind.READ),
)
"""A node with several captures counts as the first of these."""

ImportSpan = tuple[int, int, Sequence[Import]]
"""Start and end of an import statement, and what it imports."""

_READ, _ATTRIBUTE, _CALL = int(ReferenceKind.READ), int(ReferenceKind.ATTRIBUTE), int(ReferenceKind.CALL)
_IMPORT = int(ReferenceKind.IMPORT)
_SPACE, _PARENTHESIS = b" ("

KindOf = Callable[[int, int, int], int]
"""(end, captured kind, receiver) → kind."""


@dataclass(frozen=True, slots=True)
class _Uses:
    """Captured identifiers in order of start, each once, and their kinds by start."""

    starts: list[int]
    ends: list[int]
    name_ids: list[int]
    kinds: dict[int, int]


def _uses(captures: Captures, language: Language, source: bytes, names: Names) -> _Uses:
    nodes: dict[int, tree_sitter.Node] = {}
    kinds: dict[int, int] = {}
    for capture, kind in reversed(PRIORITY):
        captured = captures.get(capture)
        if captured:
            starts = [node.start_byte for node in captured]
            nodes.update(zip(starts, captured, strict=True))
            kinds.update(dict.fromkeys(starts, int(kind)))
    starts = sorted(nodes)
    ends = [nodes[start].end_byte for start in starts]
    marks = language.name_marks
    if marks:
        ids = [names[source[start:end].strip(marks)] for start, end in zip(starts, ends, strict=True)]
    else:
        ids = [names[source[start:end]] for start, end in zip(starts, ends, strict=True)]
    if 0 in ids:  # a name the grammar only supposes stands nowhere, perhaps behind the last line
        named = [at for at in range(len(ids)) if ids[at]]
        starts, ends, ids = [starts[at] for at in named], [ends[at] for at in named], [ids[at] for at in named]
    return _Uses(starts, ends, ids, kinds)


def reference_columns(
    captures: Captures,
    found: Sequence[Definition],
    nesting: Nesting,
    language: Language,
    lines: ByteLines,
    names: Names,
    imports: Sequence[ImportSpan],
) -> ReferenceColumns:
    """All uses but those of locals. `nesting` is of `found`."""
    source = lines.source
    uses = _uses(captures, language, source, names)
    if not uses.starts:
        return ReferenceColumns()
    left_out = _binders(captures, found, uses)
    _set_imports(uses, left_out, imports, names)

    def name_of(start: int, end: int) -> int:
        return names[source[start:end].strip(language.name_marks)]

    hidden = local_names(captures, found, name_of)
    return _columns(uses, left_out, hidden, nesting, language, lines, names)


def _binders(captures: Captures, found: Sequence[Definition], uses: _Uses) -> set[int]:
    """Start offsets of what is no use: names of definitions, of locals where they are bound, of the package."""
    left_out = {each.name_start for each in found}
    for capture in ("local", "nonlocal", "skip"):
        left_out.update([node.start_byte for node in captures.get(capture, ())])
    for node in captures.get("package", ()):
        first, last = bisect_left(uses.starts, node.start_byte), bisect_left(uses.starts, node.end_byte)
        left_out.update(uses.starts[first:last])
    return left_out


def _set_imports(uses: _Uses, left_out: set[int], imports: Sequence[ImportSpan], names: Names) -> None:
    """Inside an import statement only the imported names are uses."""
    for start, end, imported in imports:
        first, last = bisect_left(uses.starts, start), bisect_left(uses.starts, end)
        if first == last:
            continue
        wanted = {names[(each.name or _last_part(each.module)).encode("utf-8", "replace")] for each in imported}
        for at in range(first, last):
            if uses.name_ids[at] in wanted:
                uses.kinds[uses.starts[at]] = _IMPORT
            else:
                left_out.add(uses.starts[at])


def _last_part(module: str) -> str:
    for separator in ("/", "::", "\\", "."):
        module = module.rsplit(separator, 1)[-1]
    return module


def _columns(
    uses: _Uses,
    left_out: set[int],
    hidden: LocalNames | None,
    nesting: Nesting,
    language: Language,
    lines: ByteLines,
    names: Names,
) -> ReferenceColumns:
    """One pass over the uses in order; what grows with the offset (line, definition, scope) moves along."""
    receiver_of = receiver_reader(language, lines.source, dict(zip(uses.ends, uses.name_ids, strict=True)), names)
    kind_of = _kind_reader(lines.source) if language.calls_by_parenthesis else None
    kinds = uses.kinds
    local = _Walk(hidden.nesting if hidden is not None else Nesting.of(()))
    symbol = _Walk(nesting)
    line_starts = lines.starts
    line, next_line = 1, line_starts[1]
    columns = ReferenceColumns()
    add_name, add_kind, add_line = columns.name.append, columns.kind.append, columns.line.append
    add_column, add_symbol, add_receiver = columns.column.append, columns.symbol.append, columns.receiver.append
    for start, end, name in zip(uses.starts, uses.ends, uses.name_ids, strict=True):
        if start in left_out:
            continue
        kind, receiver = kinds[start], receiver_of(start)
        if kind_of is not None:
            kind = kind_of(end, kind, receiver)
        if hidden is not None and receiver == 0 and kind != _ATTRIBUTE and kind != _IMPORT:
            if start >= local.next:
                local.move(start)
            if local.holder >= 0 and name in hidden.hidden[local.holder]:
                continue
        if start >= symbol.next:
            symbol.move(start)
        while start >= next_line:
            line += 1
            next_line = line_starts[line]
        add_name(name)
        add_kind(kind)
        add_line(line)
        add_column(start - line_starts[line - 1])
        add_symbol(symbol.holder)
        add_receiver(receiver)
    return columns


class _Walk:
    """The innermost interval of a nesting at offsets that only grow."""

    __slots__ = ("_at", "_bounds", "_holders", "holder", "next")

    def __init__(self, nesting: Nesting) -> None:
        self._bounds, self._holders = [*nesting.bounds, 1 << 62], nesting.holders
        self._at = 0
        self.holder, self.next = self._holders[0], self._bounds[1]

    def move(self, offset: int) -> None:
        """Go on to `offset`."""
        at, bounds = self._at, self._bounds
        while bounds[at + 1] <= offset:
            at += 1
        self._at, self.holder, self.next = at, self._holders[at], bounds[at + 1]


def _kind_reader(source: bytes) -> KindOf:
    """Tells attributes and calls from plain reads by what stands before and after them."""
    data = source + b"\0"

    def kind_of(end: int, kind: int, receiver: int) -> int:
        if kind != _READ and kind != _ATTRIBUTE:
            return kind
        byte = data[end]
        while byte == _SPACE:
            end += 1
            byte = data[end]
        if byte == _PARENTHESIS:
            return _CALL
        return _ATTRIBUTE if receiver else kind

    return kind_of
