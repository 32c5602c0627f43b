"""Types of variables, as far as the text writes them down: annotations, constructors, results of functions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ...model.facts import CALLABLE_KINDS, CONTAINER_KINDS, NOWHERE, Reference, ReferenceKind, SymbolKind
from ..snapshot import SymbolId
from . import members, names

if TYPE_CHECKING:
    from .resolver import Resolver
    from .tables import FileTable, Part

_VALUES = frozenset(
    {SymbolKind.VARIABLE, SymbolKind.CONSTANT, SymbolKind.FIELD, SymbolKind.PROPERTY, SymbolKind.ENUM_MEMBER}
)
_SPACES = frozenset({SymbolKind.MODULE, SymbolKind.NAMESPACE})

WRAPPERS = frozenset(
    """Optional Final ClassVar Annotated Type Readonly Partial Required NonNullable Awaited Ref
    Promise Task ValueTask unique_ptr shared_ptr weak_ptr Box Rc Arc Option""".split()  # noqa: SIM905 - a table of words
)
"""Written types whose values are used as their first argument."""


def own_class(resolver: Resolver, table: FileTable, symbol: int) -> list[SymbolId]:
    """The type around definition `symbol`, or the one that a detached method belongs to."""
    symbols = table.facts.symbols
    for at in table.around(symbol):
        kind = table.kind(at)
        parent = symbols.parent[at]
        if kind is SymbolKind.METHOD and parent != NOWHERE and table.kind(parent) in _VALUES:
            return [SymbolId(table.path, parent)]
        if symbols.owner[at]:
            found = names.owner_types(resolver, table, at)
            if found or kind is SymbolKind.IMPL:
                return list(found)
        if kind in CONTAINER_KINDS and kind not in _SPACES and kind is not SymbolKind.IMPL:
            return [SymbolId(table.path, at)]
        if kind is SymbolKind.MODULE and table.rules.family == "ruby":
            return [SymbolId(table.path, at)]
    return []


def variable_types(
    resolver: Resolver, table: FileTable, name: str, symbol: int, line: int
) -> tuple[SymbolId, ...] | None:
    """Types of the local variable or parameter `name` at `line` inside `symbol`; None when there is no such variable.

    Of several assignments the last one above the line counts.
    """
    if name not in table.bindings:
        return None
    lines = table.facts.bindings.line
    for at in table.around(symbol):
        kind = table.kind(at)
        if kind in CONTAINER_KINDS and not (kind is SymbolKind.IMPL and table.rules.binds_members):
            continue
        rows = table.bindings_in(name, at)
        if rows:
            above = [row for row in rows if lines[row] <= line]
            return row_types(resolver, table, above[-1] if above else rows[0])
    if name.startswith("@"):
        return _instance_variable(resolver, table, name, symbol)
    return None


def has_written_type(resolver: Resolver, table: FileTable, part: Part, reference: Reference) -> bool:
    """True when a type is written for a receiver, a local variable or a field (no factory that gives one)."""
    lines = table.facts.bindings.line
    for at in table.around(reference.symbol):
        rows = table.bindings_in(part.name, at) if table.kind(at) not in CONTAINER_KINDS else []
        above = [row for row in rows if lines[row] <= reference.line]
        if rows:
            return table.names_type((above or rows)[-1])
    if part.reference == NOWHERE:
        return False
    for target in resolver.resolve_at(table, part.reference).targets:
        other = resolver.table(target.path)
        if other is not None:
            parent = other.facts.symbols.parent[target.index]
            return any(other.names_type(row) for row in other.bindings_in(part.name, parent))
    return False


def _instance_variable(resolver: Resolver, table: FileTable, name: str, symbol: int) -> tuple[SymbolId, ...] | None:
    """Ruby's `@name`: assigned anywhere in the class."""
    around = table.around(symbol)
    classes = [at for at in around if table.kind(at) in CONTAINER_KINDS]
    if not classes:
        return None
    symbols = table.facts.symbols
    lines = table.facts.bindings.line
    start, end = symbols.start[classes[0]], symbols.end[classes[0]]
    rows = [row for row in table.bindings[name] if start <= lines[row] <= end]
    return _joint(row_types(resolver, table, row) for row in rows) if rows else None


def row_types(resolver: Resolver, table: FileTable, row: int) -> tuple[SymbolId, ...]:
    """The types that binding `row` gives its variable."""
    key = ("row", table.path, row)
    nothing: tuple[SymbolId, ...] = ()
    return resolver.memory.once(key, nothing, lambda: _row_types(resolver, table, row))


def _row_types(resolver: Resolver, table: FileTable, row: int) -> tuple[SymbolId, ...]:
    bindings = table.facts.bindings
    name = table.facts.names[bindings.type[row]]
    symbol = bindings.symbol[row]
    if name in table.rules.self_types or name in table.rules.self_names:
        return tuple(own_class(resolver, table, symbol))
    at = table.wrapped_reference(row) if name in WRAPPERS else table.binding_reference(row)
    called = table.called_on(row) if at == NOWHERE and not table.rules.binds_members else NOWHERE
    if called != NOWHERE:
        found = resolver.resolve_at(table, table.chain_end(called))
        return results(resolver, found.targets) if found.confident else ()
    if at == NOWHERE:
        copied = _copied(resolver, table, row, name)
        if copied is not None:
            return copied
        meaning = names.find(resolver, table, name, symbol, ReferenceKind.TYPE)
        return tuple(each for each in meaning.definitions if meaning.confidence >= 0.5 and _is_type(resolver, each))
    last = table.chain_end(at)
    references = table.facts.references
    if table.rules.binds_members and references.kind[at] == ReferenceKind.CALL and references.receiver[at]:
        return resolver.called_types(table, at)
    if last != at:
        return _called(resolver, table, at, last)
    found = resolver.resolve_at(table, at)
    if not found.confident:
        return ()
    if references.kind[at] in (ReferenceKind.READ, ReferenceKind.ATTRIBUTE):
        return instances(resolver, found.targets)
    return results(resolver, found.targets)


def _called(resolver: Resolver, table: FileTable, at: int, last: int) -> tuple[SymbolId, ...]:
    """The types of `first.….last()`: the written result, or the type itself that makes one (`Type.create()`)."""
    found = resolver.resolve_at(table, last)
    written = results(resolver, found.targets) if found.confident else ()
    if written or last != at + 1:
        return written
    maker = resolver.resolve_at(table, at)
    return tuple(each for each in maker.targets if maker.confident and _is_type(resolver, each))


def _copied(resolver: Resolver, table: FileTable, row: int, name: str) -> tuple[SymbolId, ...] | None:
    """The types of the variable or parameter that another is set to (`self.x = x`); None when it is none."""
    line = table.facts.bindings.line[row]
    around = table.facts.enclosing(line)
    if around is None or name not in table.bindings:
        return None
    lines = table.facts.bindings.line
    rows = [each for each in table.bindings[name] if lines[each] < line or (each != row and lines[each] == line)]
    scopes = table.around(around.index)
    if not rows and table.rules.binds_members:
        rows = [each for each in table.bindings[name] if each != row]  # `where T: Bound` stands below `x: T`
    held = [each for each in rows if table.facts.bindings.symbol[each] in scopes]
    return row_types(resolver, table, held[-1]) if held else None


def _is_type(resolver: Resolver, target: SymbolId) -> bool:
    return resolver.kind(target) in CONTAINER_KINDS


def results(resolver: Resolver, targets: Iterable[SymbolId]) -> tuple[SymbolId, ...]:
    """The types of what calling or naming `targets` gives: a type itself, the written result of a function."""
    found: list[SymbolId] = []
    for target in targets:
        kind = resolver.kind(target)
        if kind is SymbolKind.CONSTRUCTOR:
            found += members.holders(resolver, target)
        elif kind in CALLABLE_KINDS:
            found += result_types(resolver, target) or _constructed(resolver, target)
        elif kind in CONTAINER_KINDS:
            found.append(target)
        else:
            found += instances(resolver, (target,))
    return tuple(dict.fromkeys(found))


def _constructed(resolver: Resolver, target: SymbolId) -> tuple[SymbolId, ...]:
    """A function that is a type, as JavaScript had them before classes."""
    table = resolver.table(target.path)
    owned = table is not None and table.rules.function_types and table.owns_members(table.symbol_name(target.index))
    return (target,) if owned else ()


def result_types(resolver: Resolver, target: SymbolId) -> tuple[SymbolId, ...]:
    """The written result type of a function: a binding of its own name in its own scope."""
    table = resolver.table(target.path)
    if table is None:
        return ()
    name = table.symbol_name(target.index)
    line = table.facts.symbols.name_line[target.index]
    for row in table.bindings_in(name, target.index):
        if table.facts.bindings.line[row] == line:
            return row_types(resolver, table, row)
    return ()


def instances(resolver: Resolver, targets: Iterable[SymbolId]) -> tuple[SymbolId, ...]:
    """Types whose members the definitions `targets` have: a type its own, a variable its type's."""
    found: list[SymbolId] = []
    for target in targets:
        table = resolver.table(target.path)
        if table is None:
            continue
        kind = table.kind(target.index)
        if kind in CONTAINER_KINDS:
            found.append(target)
        elif kind is SymbolKind.ENUM_MEMBER:
            found += members.holders(resolver, target)
        elif kind in _VALUES:
            found += value_types(resolver, table, target.index)
            if target.index in table.children:
                found.append(target)
        elif kind is SymbolKind.METHOD or (kind in CALLABLE_KINDS and table.rules.family == "ruby"):
            found += result_types(resolver, target) if table.rules.property_calls else ()
    return tuple(dict.fromkeys(found))


def value_types(resolver: Resolver, table: FileTable, symbol: int) -> tuple[SymbolId, ...]:
    """The types of a variable, constant, field or property that is a definition."""
    name = table.symbol_name(symbol)
    parent = table.facts.symbols.parent[symbol]
    rows = table.bindings_in(name, symbol) or table.bindings_in(name, parent)
    if not rows and parent != NOWHERE and table.kind(parent) in _SPACES:
        rows = table.bindings_in(name, NOWHERE)
    if not rows:
        return ()
    line = table.facts.symbols.name_line[symbol]
    exact = [row for row in rows if table.facts.bindings.line[row] == line]
    return _joint(row_types(resolver, table, row) for row in exact or rows)


def _joint(found: Iterable[tuple[SymbolId, ...]]) -> tuple[SymbolId, ...]:
    return tuple(dict.fromkeys(each for types in found for each in types))[:4]
