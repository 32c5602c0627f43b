"""Uses of names: which, how, where, in which definition, and on which receiver."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import tree_sitter
from numpy.typing import NDArray

from lsp_server.model.facts import NOWHERE, Import, ReferenceColumns, ReferenceKind

from .byte_lines import ByteLines, Offsets
from .definitions import Captures, Definition
from .languages import Language
from .names import Names
from .receivers import Ids, receivers
from .scopes import LocalNames, Nesting, Place, local_names

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
    nodes: list[tree_sitter.Node] = []
    kinds: list[Kinds] = []
    for capture, kind in PRIORITY:
        captured = captures.get(capture)
        if captured:
            nodes += captured
            kinds.append(np.full(len(captured), int(kind), dtype=np.int8))
    if not nodes:
        nothing = np.empty(0, dtype=np.int64)
        return _Uses(nothing, nothing, np.empty(0, dtype=np.int8))
    starts = np.array([node.start_byte for node in nodes], dtype=np.int64)
    once, first = np.unique(starts, return_index=True)
    picked: list[int] = first.tolist()
    ends = np.array([nodes[at].end_byte for at in picked], dtype=np.int64)
    return _Uses(once, ends, np.concatenate(kinds)[first])


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
    name_ids = _name_ids(uses, language, source, names)
    receiver = receivers(uses.starts, uses.ends, name_ids, language, source, names)
    kept = np.ones(len(uses.starts), dtype=np.bool_)
    _drop_binders(kept, uses.starts, captures, found)
    _set_imports(kept, uses, name_ids, imports, names)

    def names_of(places: Sequence[Place]) -> Sequence[int]:
        starts = np.array([start for start, _ in places], dtype=np.int64)
        at = np.minimum(np.searchsorted(uses.starts, starts), len(uses.starts) - 1)
        ids: list[int] = np.where(uses.starts[at] == starts, name_ids[at], NOWHERE).tolist()
        return [
            known if known != NOWHERE else names[source[start:end].strip(language.name_marks)]
            for known, (start, end) in zip(ids, places, strict=True)
        ]

    hidden = local_names(captures, found, names_of)
    if hidden is not None:
        _drop_locals(kept, uses, name_ids, receiver, hidden)
    symbols = Nesting.of((each.start, each.end) for each in found).at(uses.starts)
    return _columns(kept, uses, name_ids, receiver, symbols, lines)


def _name_ids(uses: _Uses, language: Language, source: bytes, names: Names) -> Ids:
    written = [source[start:end] for start, end in zip(uses.starts.tolist(), uses.ends.tolist(), strict=True)]
    if language.name_marks:
        marks = language.name_marks
        written = [name.strip(marks) for name in written]
    return np.array([names[name] for name in written], dtype=np.int32)


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
    uses: _Uses,
    name_ids: Ids,
    imports: Sequence[tuple[int, int, Sequence[Import]]],
    names: Names,
) -> None:
    """Inside an import statement only the imported names are uses."""
    if not imports:
        return
    firsts: list[int] = np.searchsorted(uses.starts, [start for start, _, _ in imports]).tolist()
    ends: list[int] = np.searchsorted(uses.starts, [end for _, end, _ in imports]).tolist()
    for first, end, (_, _, imported) in zip(firsts, ends, imports, strict=True):
        if first == end:
            continue
        wanted = {names[(each.name or _last_part(each.module)).encode("utf-8", "replace")] for each in imported}
        for at in range(first, end):
            if int(name_ids[at]) in wanted:
                uses.kinds[at] = ReferenceKind.IMPORT
            else:
                kept[at] = False


def _last_part(module: str) -> str:
    for separator in ("/", "::", "\\", "."):
        module = module.rsplit(separator, 1)[-1]
    return module


def _drop_locals(kept: NDArray[np.bool_], uses: _Uses, name_ids: Ids, receiver: Ids, hidden: LocalNames) -> None:
    by_scope = hidden.hidden
    scopes = hidden.nesting.at(uses.starts)
    plain = (scopes >= 0) & (receiver == 0)
    plain &= (uses.kinds != ReferenceKind.ATTRIBUTE) & (uses.kinds != ReferenceKind.IMPORT)
    candidates = np.flatnonzero(plain)
    picked = zip(candidates.tolist(), scopes[candidates].tolist(), name_ids[candidates].tolist(), strict=True)
    kept[[at for at, scope, name in picked if name in by_scope[scope]]] = False


def _columns(
    kept: NDArray[np.bool_], uses: _Uses, name_ids: Ids, receiver: Ids, symbols: Offsets, lines: ByteLines
) -> ReferenceColumns:
    starts = uses.starts[kept]
    numbers = lines.numbers(starts)
    return ReferenceColumns(
        name=_ints(name_ids[kept]),
        kind=_ints(uses.kinds[kept]),
        line=_ints(numbers),
        column=_ints(starts - lines.starts[numbers - 1]),
        symbol=_ints(symbols[kept]),
        receiver=_ints(receiver[kept]),
    )


def _ints(values: Ids | Offsets | Kinds) -> array[int]:
    result = array("i")
    result.frombytes(values.astype(np.int32, copy=False).tobytes())
    return result
