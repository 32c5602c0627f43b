"""What a call fails with, where its function's result says so: `fn parse() -> Result<Value, Error>`."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from ...model.facts import NOWHERE, Reference
from ..snapshot import SymbolId
from .tables import FileTable
from .types import row_types

if TYPE_CHECKING:
    from .resolver import Resolver

RESULT = "Result"
"""Results are called so, and crates call their own after themselves."""


def failed_types(resolver: Resolver, table: FileTable, reference: Reference) -> tuple[SymbolId, ...]:
    """The types of the errors of the call that `reference` is used on (`parse(x).unwrap_err()`)."""
    called = _called(table, reference)
    if called == NOWHERE:
        return ()
    found = resolver.resolve_at(table, called)
    types = [each for target in found.targets if found.confident for each in _error_types(resolver, target)]
    return tuple(dict.fromkeys(types))


def _called(table: FileTable, reference: Reference) -> int:
    """The call before a use, or the one whose result the variable before it holds."""
    before = table.facts.references.called(reference.index)
    if before != NOWHERE or not reference.receiver:
        return before
    rows = table.bindings_in(reference.receiver, reference.symbol)
    above = [row for row in rows if table.facts.bindings.line[row] <= reference.line]
    at = table.binding_reference(above[-1]) if above else NOWHERE
    return NOWHERE if at == NOWHERE else table.chain_end(at)


def _error_types(resolver: Resolver, target: SymbolId) -> tuple[SymbolId, ...]:
    """The types of a function's errors: a type that is bound to its own name in the signature, else the error of a
    result that the crate calls after itself."""
    table = resolver.table(target.path)
    if table is None:
        return ()
    symbol = table.facts.symbol(target.index)
    bindings, references, names = table.facts.bindings, table.facts.references, table.facts.names
    first, last = symbol.name_line, symbol.signature.end
    for row in range(bisect_left(bindings.line, first), bisect_right(bindings.line, last)):
        if bindings.symbol[row] == target.index and bindings.name[row] == bindings.type[row]:
            return row_types(resolver, table, row)
    for at in range(bisect_left(references.line, first), bisect_right(references.line, last)):
        if references.symbol[at] == target.index and names[references.name[at]].endswith(RESULT):
            found = resolver.resolve_at(table, at)
            return tuple(each for alias in found.targets if found.confident for each in _of_alias(resolver, alias))
    return ()


def _of_alias(resolver: Resolver, alias: SymbolId) -> tuple[SymbolId, ...]:
    """The error type of `type Name<T> = Result<T, Error>`."""
    table = resolver.table(alias.path)
    if table is None:
        return ()
    line = table.facts.symbols.name_line[alias.index]
    rows = table.bindings.get(table.symbol_name(alias.index), ())
    found = [row_types(resolver, table, row) for row in rows if table.facts.bindings.line[row] == line]
    return next(filter(None, found), ())
