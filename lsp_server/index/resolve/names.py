"""Bare names: the scopes around a use, then its file, its imports, its package, then rare names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model.facts import CALLABLE_KINDS, CONTAINER_KINDS, NOWHERE, TYPE_KINDS, ReferenceKind, SymbolFlag, SymbolKind
from ..snapshot import SymbolId
from .exports import MAX_REEXPORTS, first_of, import_meaning
from .meaning import NOTHING, Meaning

if TYPE_CHECKING:
    from .resolver import Resolver
    from .tables import FileTable

MAX_NAMED = 12
"""More definitions of a bare name than this are no answer."""

_OF_OBJECTS = frozenset({SymbolKind.METHOD, SymbolKind.FIELD, SymbolKind.PROPERTY})
"""Inside a function these belong to an object or type without a name, not to the scope."""

_SPACES = frozenset({SymbolKind.MODULE, SymbolKind.NAMESPACE})


def find(resolver: Resolver, table: FileTable, name: str, symbol: int, use: ReferenceKind) -> Meaning:
    """What a bare `name` means inside definition `symbol` of a file."""
    key = ("name", table.path, name, symbol, use)
    return resolver.memory.once(key, NOTHING, lambda: _find(resolver, table, name, symbol, use))


def _find(resolver: Resolver, table: FileTable, name: str, symbol: int, use: ReferenceKind) -> Meaning:
    found = (
        _in_scope(resolver, table, name, symbol, use)
        or _chosen(resolver, table, _imported_inside(resolver, table, name, symbol), use)
        or _chosen(resolver, table, Meaning(tuple(table.top_level(name)), via="scope"), use)
        or _chosen(resolver, table, imported(resolver, table, name, symbol), use)
        or _chosen(resolver, table, table.rules.visible(resolver, table, name, symbol), use)
        or _unique(resolver, table, name, use)
    )
    return table.rules.completed(resolver, found)


def _chosen(resolver: Resolver, table: FileTable, meaning: Meaning, use: ReferenceKind) -> Meaning:
    """`meaning` with those definitions that suit the use best, or nothing when none may be meant."""
    if not meaning.definitions:
        return meaning
    kept = fitting(resolver, table, meaning.definitions, use)
    if not kept and not meaning.modules:
        return NOTHING
    if len(kept) > MAX_NAMED and not table.rules.overloads:
        return NOTHING
    return Meaning(kept[:MAX_NAMED], meaning.modules, meaning.types, meaning.confidence, meaning.via)


_WANTED = {
    ReferenceKind.CALL: CALLABLE_KINDS | TYPE_KINDS,
    ReferenceKind.TYPE: CONTAINER_KINDS,
    ReferenceKind.INHERIT: CONTAINER_KINDS,
}


def fitting(
    resolver: Resolver, table: FileTable, targets: tuple[SymbolId, ...], use: ReferenceKind
) -> tuple[SymbolId, ...]:
    """Targets a use of this kind may mean: those of the usual kind if there are any; bodies before declarations."""
    kept = [each for each in targets if (kind := resolver.kind(each)) is not None and table.rules.fits(use, kind)]
    wanted = _WANTED.get(use)
    if wanted is not None and len(kept) > 1:
        usual = [each for each in kept if resolver.kind(each) in wanted]
        kept = usual or kept
    elif use is ReferenceKind.ATTRIBUTE and table.rules.fields_and_methods and len(kept) > 1:
        kept = [each for each in kept if resolver.kind(each) not in CALLABLE_KINDS] or kept
    if len(kept) > 1:
        kept.sort(key=lambda each: resolver.flagged(each, SymbolFlag.DECLARATION))
    return tuple(kept)


def _in_scope(resolver: Resolver, table: FileTable, name: str, symbol: int, use: ReferenceKind) -> Meaning:
    rules = table.rules
    for at in table.around(symbol):
        kind = table.kind(at)
        found: list[SymbolId] = []
        confidence, via = 1.0, "scope"
        if kind in _SPACES:
            found = table.nested(at, name)
        elif kind in CONTAINER_KINDS:
            if rules.implicit_members or (at == symbol and rules.class_body_members):
                found = resolver.members(SymbolId(table.path, at), name)
                confidence, via = 0.9, "member"
        else:
            found = [each for each in table.nested(at, name) if resolver.kind(each) not in _OF_OBJECTS]
            if not found and rules.implicit_members:
                found = _of_owner(resolver, table, at, name)
                confidence, via = 0.85, "member"
        if found:
            chosen = _chosen(resolver, table, Meaning(tuple(found), (), (), confidence, via), use)
            if chosen:
                return chosen
    return NOTHING


def _of_owner(resolver: Resolver, table: FileTable, symbol: int, name: str) -> list[SymbolId]:
    """A member of the type that the detached method `symbol` belongs to."""
    symbols = table.facts.symbols
    if not symbols.owner[symbol]:
        return []
    if table.has_flag(symbol, SymbolFlag.EXTENSION) and not table.rules.extension_members:
        return []
    for owner in owner_types(resolver, table, symbol):
        found = resolver.members(owner, name)
        if found:
            return found
    return []


def owner_types(resolver: Resolver, table: FileTable, symbol: int) -> tuple[SymbolId, ...]:
    """The type that a detached method, or the block around one, names as its owner."""
    owner = table.owner(symbol)
    if not owner:
        return ()
    outer = table.facts.symbols.parent[symbol]
    meaning = find(resolver, table, owner, outer, ReferenceKind.TYPE)
    functions = table.rules.function_types
    return tuple(
        each
        for each in meaning.definitions
        if meaning.confidence >= 0.5
        and ((kind := resolver.kind(each)) in CONTAINER_KINDS or (functions and kind is SymbolKind.FUNCTION))
    )


def imported(resolver: Resolver, table: FileTable, name: str, symbol: int) -> Meaning:
    """What imports of the file bring in under `name`."""
    found = first_of(resolver, table, table.imports_named(name, symbol), MAX_REEXPORTS)
    if found:
        return found.weighed(0.98, "import")
    for entry in table.imports_named("*", symbol):
        found = import_meaning(resolver, table, entry, name, MAX_REEXPORTS)
        if found.definitions:
            return found.weighed(0.9, "import")
    return NOTHING


def _imported_inside(resolver: Resolver, table: FileTable, name: str, symbol: int) -> Meaning:
    """The same of imports inside the function or module of the use, which hide the file's own names."""
    for entry in table.imports_named(name, symbol):
        if table.import_scope(entry) != NOWHERE:
            found = import_meaning(resolver, table, entry, entry.name if entry.name != "*" else "", MAX_REEXPORTS)
            if found:
                return found.weighed(0.98, "import")
    return NOTHING


def _unique(resolver: Resolver, table: FileTable, name: str, use: ReferenceKind) -> Meaning:
    """The name's definitions anywhere in the language family: a known one only where names need no import."""
    rules = table.rules
    if name in table.imports or name in rules.builtin_names:
        return NOTHING  # it is imported from a library, or of the language
    if len(resolver.definitions(name, rules.family)) > MAX_NAMED:
        return NOTHING
    found = resolver.outer(name, rules.family, lambda _path: True)
    found = tuple(each for each in found if each.path == table.path or rules.shared(resolver, each))
    found = fitting(resolver, table, found, use)
    if not found or len(found) > MAX_NAMED:
        return NOTHING
    bodies = [each for each in found if not resolver.flagged(each, SymbolFlag.DECLARATION)] or list(found)
    if len(bodies) > 1:
        return Meaning(found, (), (), 0.3 / len(bodies) ** 0.5, "name")
    kinds = rules.unique_kinds
    tied = not kinds or resolver.kind(bodies[0]) in kinds
    return Meaning(found, (), (), rules.unique if tied else min(rules.unique, 0.3), "unique")
