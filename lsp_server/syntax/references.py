"""Uses of names: which, how, where, in which definition, and on which receiver."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lsp_server.model.facts import Import, ReferenceColumns, ReferenceKind

from .byte_lines import ByteLines, Offsets
from .definitions import Captures, Definition
from .languages import Language
from .names import Names
from .receivers import receivers
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

Kinds = NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class _Uses:
    """Captured identifiers in order of start, each once."""

    starts: Offsets
    ends: Offsets
    kinds: Kinds


def _uses(captures: Captures) -> _Uses:
    starts: list[int] = []
    ends: list[int] = []
    kinds: list[Kinds] = []
    for capture, kind in PRIORITY:
        nodes = captures.get(capture)
        if nodes:
            starts += [node.start_byte for node in nodes]
            ends += [node.end_byte for node in nodes]
            kinds.append(np.full(len(nodes), int(kind), dtype=np.int8))
    if not starts:
        empty = np.empty(0, dtype=np.int64)
        return _Uses(empty, empty, np.empty(0, dtype=np.int8))
    once, first = np.unique(np.array(starts, dtype=np.int64), return_index=True)
    return _Uses(once, np.array(ends, dtype=np.int64)[first], np.concatenate(kinds)[first])


def reference_columns(
    captures: Captures,
    found: Sequence[Definition],
    language: Language,
    lines: ByteLines,
    names: Names,
    imports: Sequence[tuple[int, int, Sequence[Import]]],
) -> ReferenceColumns:
    """All uses but those of locals. `imports` are the spans of import statements with what they import."""
    uses = _uses(captures)
    if not len(uses.starts):
        return ReferenceColumns()
    source = lines.source
    starts: list[int] = uses.starts.tolist()
    marks = language.name_marks
    name_ids = [names[source[start:end].strip(marks)] for start, end in zip(starts, uses.ends.tolist(), strict=True)]
    receiver = receivers(uses.starts, uses.ends, name_ids, language, source, names)
    kinds: list[int] = uses.kinds.tolist()
    kept = np.ones(len(starts), dtype=np.bool_)
    _drop_binders(kept, uses.starts, captures, found)
    _set_imports(kept, kinds, starts, name_ids, imports, names)
    name_of = dict(zip(starts, name_ids, strict=True))
    for node in (*captures.get("local", ()), *captures.get("nonlocal", ())):
        if node.start_byte not in name_of:
            name_of[node.start_byte] = names[source[node.start_byte : node.end_byte]]
    hidden = local_names(captures, found, name_of)
    if hidden is not None:
        _drop_locals(kept, uses, name_ids, kinds, receiver, hidden)
    symbols = Nesting.of((each.start, each.end) for each in found).at(uses.starts)
    return _columns(kept, uses, name_ids, kinds, receiver, symbols, lines)


def _drop_binders(kept: NDArray[np.bool_], starts: Offsets, captures: Captures, found: Sequence[Definition]) -> None:
    binders = [each.name_start for each in found]
    for capture in ("local", "nonlocal", "skip"):
        binders += [node.start_byte for node in captures.get(capture, ())]
    if binders:
        places = np.array(binders, dtype=np.int64)
        at = np.minimum(np.searchsorted(starts, places), len(starts) - 1)
        kept[at[starts[at] == places]] = False
    for node in captures.get("package", ()):
        first, last = np.searchsorted(starts, (node.start_byte, node.end_byte))
        kept[first:last] = False


def _set_imports(
    kept: NDArray[np.bool_],
    kinds: list[int],
    starts: Sequence[int],
    name_ids: Sequence[int],
    imports: Sequence[tuple[int, int, Sequence[Import]]],
    names: Names,
) -> None:
    """Inside an import statement only the imported names are uses."""
    for start, end, imported in imports:
        at = bisect_right(starts, start - 1)
        if at == len(starts) or starts[at] >= end:
            continue
        wanted = {names[(each.name or _last_part(each.module)).encode("utf-8", "replace")] for each in imported}
        while at < len(starts) and starts[at] < end:
            if name_ids[at] in wanted:
                kinds[at] = ReferenceKind.IMPORT
            else:
                kept[at] = False
            at += 1


def _last_part(module: str) -> str:
    for separator in ("/", "::", "\\", "."):
        module = module.rsplit(separator, 1)[-1]
    return module


def _drop_locals(
    kept: NDArray[np.bool_],
    uses: _Uses,
    name_ids: Sequence[int],
    kinds: Sequence[int],
    receiver: Sequence[int],
    hidden: LocalNames,
) -> None:
    by_scope = hidden.hidden
    attribute, imported = int(ReferenceKind.ATTRIBUTE), int(ReferenceKind.IMPORT)
    scopes: list[int] = hidden.nesting.at(uses.starts).tolist()
    dropped = [
        index
        for index, scope in enumerate(scopes)
        if scope >= 0
        and name_ids[index] in by_scope[scope]
        and receiver[index] == 0
        and kinds[index] != attribute
        and kinds[index] != imported
    ]
    kept[dropped] = False


def _columns(
    kept: NDArray[np.bool_],
    uses: _Uses,
    name_ids: Sequence[int],
    kinds: Sequence[int],
    receiver: Sequence[int],
    symbols: Offsets,
    lines: ByteLines,
) -> ReferenceColumns:
    starts = uses.starts[kept]
    numbers = lines.numbers(starts)
    columns = starts - lines.starts[numbers - 1]
    return ReferenceColumns(
        name=_ints(np.array(name_ids, dtype=np.int32)[kept]),
        kind=_ints(np.array(kinds, dtype=np.int32)[kept]),
        line=_ints(numbers),
        column=_ints(columns),
        symbol=_ints(symbols[kept]),
        receiver=_ints(np.array(receiver, dtype=np.int32)[kept]),
    )


def _ints(values: NDArray[np.int32] | Offsets) -> array[int]:
    result = array("i")
    result.frombytes(values.astype(np.int32, copy=False).tobytes())
    return result
