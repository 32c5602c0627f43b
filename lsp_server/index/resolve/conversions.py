"""Members that make a value of the type that their use asks for: `text.parse::<Type>()`, `value.into()`."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from ...model.facts import CONTAINER_KINDS, Reference, ReferenceKind
from ..snapshot import SymbolId
from . import names
from .meaning import NOTHING, Meaning
from .tables import FileTable
from .types import row_types

if TYPE_CHECKING:
    from .resolver import Resolver

TYPED = 0.85
"""Confidence of a member of a written type."""

MAX_TO_TYPE_ARGUMENT = 20
"""So many bytes may stand between a name and its type argument (`::<crate::`)."""

STATEMENT_LINES = 2
"""A statement begins at most so many lines above its call."""


def converted(resolver: Resolver, table: FileTable, reference: Reference) -> Meaning:
    """What makes the type that is asked for: `text.parse::<Type>()`, `let x: Type = text.parse()`."""
    name = table.rules.converters[reference.name]
    for owner in _asked_for(resolver, table, reference):
        found = resolver.members(owner, name)
        if found:
            return Meaning(tuple(found[: names.MAX_NAMED]), (), (), TYPED, "type")
    return NOTHING


def _asked_for(resolver: Resolver, table: FileTable, reference: Reference) -> tuple[SymbolId, ...]:
    """The type argument of a call, or the written type of the variable that its statement begins with."""
    references = table.facts.references
    after = reference.index + 1
    end = reference.column + len(reference.name.encode("utf-8", "replace"))
    if after < len(references) and references.line[after] == reference.line:
        last = table.chain_end(after)
        if references.kind[last] == ReferenceKind.TYPE and 0 < references.column[after] - end <= MAX_TO_TYPE_ARGUMENT:
            found = resolver.resolve_at(table, last)
            return tuple(each for each in found.targets if found.confident and resolver.kind(each) in CONTAINER_KINDS)
    bindings = table.facts.bindings
    at = bisect_right(bindings.line, reference.line) - 1
    while at >= 0 and bindings.line[at] >= reference.line - STATEMENT_LINES:
        if bindings.symbol[at] == reference.symbol and table.names_type(at):
            return row_types(resolver, table, at)
        at -= 1
    return ()
