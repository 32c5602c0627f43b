"""Members of types: inside the type, outside of it, in its bases; types of fields; other names of a type."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ...model.facts import CALLABLE_KINDS, CONTAINER_KINDS, NOWHERE, ReferenceKind, SymbolFlag, SymbolKind
from ..snapshot import SymbolId
from . import types

if TYPE_CHECKING:
    from .resolver import Resolver
    from .tables import FileTable

MAX_BASES = 8
"""How many levels of base classes are looked through for a member."""

MAX_TYPES = 40
"""How many types of a hierarchy are looked at."""

MAX_OWNED_FILES = 16
"""Files that are searched for blocks of a type that stand outside of it."""

_HOLDING = frozenset({SymbolKind.VARIABLE, SymbolKind.CONSTANT, SymbolKind.FIELD, SymbolKind.PROPERTY})


def members(resolver: Resolver, target: SymbolId, name: str) -> list[SymbolId]:
    """Definitions of member `name` of a type: its own, then its bases', nearest first."""
    nothing: list[SymbolId] = []
    return resolver.memory.once(("member", target, name), nothing, lambda: _members(resolver, target, name))


def _members(resolver: Resolver, target: SymbolId, name: str) -> list[SymbolId]:
    for level in levels(resolver, target):
        found = [member for owner in level for member in own_members(resolver, owner, name)]
        if found:
            return found
    return []


def levels(resolver: Resolver, target: SymbolId) -> Iterable[list[SymbolId]]:
    """The type, then its bases, then theirs."""
    seen: set[SymbolId] = set()
    level = [target]
    for _ in range(MAX_BASES):
        yield level
        seen.update(level)
        above = [base for owner in level for base in resolver.bases(owner)]
        level = [each for each in dict.fromkeys(above) if each not in seen]
        if not level or len(seen) > MAX_TYPES:
            return


def own_members(resolver: Resolver, owner: SymbolId, name: str) -> list[SymbolId]:
    """Members of a type itself, inside and outside of it, without its bases'."""
    table = resolver.table(owner.path)
    if table is None:
        return []
    kind = table.kind(owner.index)
    rules = table.rules
    if kind is SymbolKind.FUNCTION and rules.function_types:
        return _detached(resolver, table, owner, name)
    if kind not in CONTAINER_KINDS and kind not in _HOLDING:
        return []
    found = table.nested(owner.index, name)
    if not found and kind is SymbolKind.TYPE:
        # `typedef struct name { … } other;`
        inner = [index for each in table.children.get(owner.index, {}).values() for index in each]
        found = [each for at in inner if table.kind(at) in CONTAINER_KINDS for each in table.nested(at, name)]
    if rules.detached and kind in CONTAINER_KINDS and (not found or rules.paired or rules.fields_and_methods):
        found = _in_order(resolver, [*_detached(resolver, table, owner, name), *found])
    if not found:
        for other in resolver.rules_of(owner.path).other_parts(resolver, table, owner):
            part = resolver.table(other.path)
            found = part.nested(other.index, name) if part is not None else []
            if found:
                break
    return found


def _in_order(resolver: Resolver, found: list[SymbolId]) -> list[SymbolId]:
    return sorted(dict.fromkeys(found), key=lambda each: resolver.flagged(each, SymbolFlag.DECLARATION))


def _detached(resolver: Resolver, table: FileTable, owner: SymbolId, name: str) -> list[SymbolId]:
    """Members that stand elsewhere and name the type as their owner (Go, Rust, C++, extensions)."""
    own = table.symbol_name(owner.index)
    candidates = resolver.definitions(name, table.rules.family)
    if len(candidates) > MAX_OWNED_FILES:
        using = set(resolver.snapshot.files_using(own))
        candidates = [each for each in candidates if each.path in using]
    near = [each for each in candidates if table.rules.owns(resolver, owner, each.path)]
    if len(near) > 4 * MAX_OWNED_FILES:
        return []
    found: list[SymbolId] = []
    for member in near:
        other = resolver.table(member.path)
        if other is not None and other.owner(member.index) == own:
            found.append(member)
    return sorted(found, key=lambda member: (member.path != owner.path, member))


def owned_blocks(resolver: Resolver, owner: SymbolId) -> list[SymbolId]:
    """Blocks that stand outside of a type and belong to it (`impl`, `extension`)."""
    table = resolver.table(owner.path)
    if table is None or not table.rules.detached:
        return []
    own = table.symbol_name(owner.index)
    files = [path for path in resolver.snapshot.files_using(own) if path != owner.path]
    files = [path for path in files if table.rules.owns(resolver, owner, path)][: 4 * MAX_OWNED_FILES]
    found: list[SymbolId] = []
    for path in [owner.path, *files][:MAX_OWNED_FILES]:
        other = resolver.table(path)
        if other is None or other.rules.family != table.rules.family:
            continue
        symbols = other.facts.symbols
        for index, kind in enumerate(symbols.kind):
            if kind == SymbolKind.IMPL and other.facts.names[symbols.owner[index]] == own:
                found.append(SymbolId(path, index))
    return found


def bases(resolver: Resolver, target: SymbolId) -> list[SymbolId]:
    """The workspace types that a type inherits from or implements, as written, in order."""
    nothing: list[SymbolId] = []
    return resolver.memory.once(("bases", target), nothing, lambda: _bases(resolver, target))


def _bases(resolver: Resolver, target: SymbolId) -> list[SymbolId]:
    table = resolver.table(target.path)
    if table is None or table.kind(target.index) not in CONTAINER_KINDS:
        return []
    found: list[SymbolId] = []
    parts = [target, *table.rules.other_parts(resolver, table, target), *owned_blocks(resolver, target)]
    for part in parts:
        other = resolver.table(part.path)
        for index in other.inherits.get(part.index, ()) if other is not None else ():
            resolution = resolver.resolve_at(other, index) if other is not None else None
            if resolution is not None and resolution.confident:
                found += resolution.targets
    if not found and table.kind(target.index) is SymbolKind.TYPE:
        found = list(named_type(resolver, table, target.index))
    result: list[SymbolId] = []
    for base in dict.fromkeys(found):
        if base != target and resolver.kind(base) not in CONTAINER_KINDS:
            result += types.instances(resolver, aliased(resolver, base))
        elif base != target:
            result.append(base)
    return result


def named_type(resolver: Resolver, table: FileTable, symbol: int) -> tuple[SymbolId, ...]:
    """The type that `type Name = Other` or `typedef Other Name` stands for."""
    facts = table.facts
    references, symbols = facts.references, facts.symbols
    line, column = symbols.name_line[symbol], symbols.name_column[symbol]
    end = column + len(table.symbol_name(symbol).encode("utf-8", "replace"))
    for index in range(_first_on(table, symbols.start[symbol]), len(references)):
        if references.line[index] > line:
            break
        if references.symbol[index] != symbol:
            continue
        here = references.column[index]
        in_path = table.rules.modules_apart and here > end + 3 and references.kind[index] == ReferenceKind.TYPE
        if here == end + 3 or in_path or (here < column and references.line[index] <= line):
            found = resolver.resolve_at(table, index)
            return tuple(each for each in found.targets if found.confident and resolver.kind(each) in CONTAINER_KINDS)
    return ()


def _first_on(table: FileTable, line: int) -> int:
    return bisect_left(table.facts.references.line, line)


def aliased(resolver: Resolver, target: SymbolId) -> tuple[SymbolId, ...]:
    """What a variable is only another name of (`run = other.run`): functions and types."""
    table = resolver.table(target.path)
    if table is None or table.kind(target.index) not in _HOLDING:
        return ()
    facts = table.facts
    symbols, references = facts.symbols, facts.references
    line = symbols.name_line[target.index]
    if symbols.end[target.index] != line:
        return ()
    first = _first_on(table, line)
    uses: list[int] = []
    while first < len(references) and references.line[first] == line:
        uses.append(first)
        first += 1
    size = len(table.symbol_name(target.index).encode("utf-8", "replace"))
    start = symbols.name_column[target.index] + size + len(" = ")
    uses = [each for each in uses if references.column[each] >= start]
    plain = all(references.kind[each] in (ReferenceKind.READ, ReferenceKind.ATTRIBUTE) for each in uses)
    if not uses or not plain or references.column[uses[0]] != start:
        return ()
    chain = table.chain(uses[-1])
    if chain is None or len(chain) != len(uses) - 1:
        return ()
    found = resolver.resolve_at(table, uses[-1])
    if not found.confident:
        return ()
    kinds = CALLABLE_KINDS | CONTAINER_KINDS
    return tuple(each for each in found.targets if each != target and resolver.kind(each) in kinds)


def holders(resolver: Resolver, member: SymbolId) -> tuple[SymbolId, ...]:
    """The type that a member belongs to."""
    table = resolver.table(member.path)
    if table is None:
        return ()
    return tuple(types.own_class(resolver, table, member.index))


def field_types(resolver: Resolver, owner: SymbolId, name: str) -> tuple[SymbolId, ...]:
    """Types of a field that is only known by its bindings (`self.x = Foo()`), also in the type's bases."""
    for level in levels(resolver, owner):
        found: list[SymbolId] = []
        for each in level:
            table = resolver.table(each.path)
            if table is not None:
                for row in table.bindings_in(name, each.index):
                    found += types.row_types(resolver, table, row)
                if not found and table.rules.embedded:
                    found += [base for base in resolver.bases(each) if resolver.snapshot.symbol(base).name == name]
        if found:
            return tuple(dict.fromkeys(found))[:4]
    return ()


def of_value(resolver: Resolver, values: Iterable[SymbolId], name: str) -> list[SymbolId]:
    """What was put on a function or object by assignment in its own file (`tool.run = function …`)."""
    found: list[SymbolId] = []
    for value in values:
        table = resolver.table(value.path)
        if table is None or not table.rules.detached or value.index == NOWHERE:
            continue
        own = table.symbol_name(value.index)
        same = [each for each in resolver.definitions(name, table.rules.family) if each.path == value.path]
        found += [each for each in same if table.owner(each.index) == own]
    return found


def is_abstract(resolver: Resolver, target: SymbolId) -> bool:
    """True for a member without a body, and for every member of an interface or trait."""
    table = resolver.table(target.path)
    if table is None:
        return False
    parent = table.facts.symbols.parent[target.index]
    return table.has_flag(target.index, SymbolFlag.DECLARATION) or (
        parent != NOWHERE and table.kind(parent) in (SymbolKind.INTERFACE, SymbolKind.TRAIT)
    )
