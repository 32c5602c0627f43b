"""Subtypes, and members that take the place of others: where a call may really go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model.facts import CONTAINER_KINDS, NOWHERE, SymbolKind
from ..snapshot import SymbolId
from . import members, types
from .rules import Rules

if TYPE_CHECKING:
    from .resolver import Resolver
    from .tables import FileTable

MAX_SUBTYPES = 60
MAX_DIRECT = 2 * MAX_SUBTYPES
"""So many direct subtypes give MAX_SUBTYPES that are new; the bases of a framework have hundreds."""

MAX_SITES = 400
"""Uses of a type's name as a base that are looked at."""

MAX_ALIASES = 4
"""Other names of one type that an import gives it."""

MAX_METHODS = 12
"""An interface of more methods is told by its first ones."""

MAX_CLIMBED = 16
"""Up to so many members of one name it is quicker to look at what is above each than at all subtypes."""

MAX_ABOVE = 40
"""With more types above a member than this it is looked for from above."""


def implementers(resolver: Resolver, target: SymbolId) -> list[SymbolId]:
    """Types that inherit from or implement `target`, directly or through others, nearest first."""
    return _below(resolver, target, None)


def _below(resolver: Resolver, target: SymbolId, wanted: set[SymbolId] | None) -> list[SymbolId]:
    """The same, down to the level by which all `wanted` types have been met (None: to the last)."""
    found: dict[SymbolId, None] = {}
    level = [target]
    while level and len(found) < MAX_SUBTYPES and (wanted is None or not wanted <= found.keys()):
        below = [each for base in level for each in direct(resolver, base) if each not in found and each != target]
        level = list(dict.fromkeys(below))
        found.update(dict.fromkeys(level))
    return list(found)[:MAX_SUBTYPES]


def direct(resolver: Resolver, target: SymbolId) -> list[SymbolId]:
    """Types that inherit from or implement `target` directly; looked up once, as every override asks again."""
    nothing: list[SymbolId] = []
    return resolver.memory.once(("direct", target), nothing, lambda: _direct(resolver, target))


def _direct(resolver: Resolver, target: SymbolId) -> list[SymbolId]:
    table = resolver.table(target.path)
    if table is None or table.kind(target.index) not in CONTAINER_KINDS:
        return []
    if table.rules.family == "go" and table.kind(target.index) is SymbolKind.INTERFACE:
        return _structural(resolver, target)
    found: list[SymbolId] = []
    waiting = [table.symbol_name(target.index)]
    snapshot, family = resolver.snapshot, table.rules.family
    for name in waiting:
        for path in snapshot.files_renaming(name):
            other = resolver.table(path) if resolver.rules_of(path).family == family else None
            if other is not None and len(waiting) <= MAX_ALIASES:
                aliases = [each.alias for each in other.facts.imports if each.name == name and each.alias]
                waiting += [each for each in aliases if each not in waiting and each != "default"][:MAX_ALIASES]
        for site in snapshot.bases(name, MAX_SITES):
            other = resolver.table(site.path) if resolver.rules_of(site.path).family == family else None
            if other is None:
                continue
            resolution = resolver.resolve_at(other, site.index)
            if resolution.confident and target in resolution.targets:
                found += types.own_class(resolver, other, other.facts.references.symbol[site.index])
                if len(found) >= MAX_DIRECT:
                    return found
    return found


def _structural(resolver: Resolver, target: SymbolId) -> list[SymbolId]:
    """Go: types that have all methods of an interface."""
    table = resolver.table(target.path)
    if table is None:
        return []
    methods = [
        name
        for name, indices in table.children.get(target.index, {}).items()
        if table.kind(indices[0]) is SymbolKind.METHOD
    ][:MAX_METHODS]
    if not methods:
        return []
    rarest = min(methods, key=lambda name: len(resolver.definitions(name, "go")))
    owners: dict[SymbolId, None] = {}
    for member in resolver.definitions(rarest, "go")[:MAX_SUBTYPES]:
        other = resolver.table(member.path)
        if other is not None and other.facts.symbols.owner[member.index]:
            owners.update(dict.fromkeys(types.own_class(resolver, other, member.index)))
    return [each for each in owners if all(resolver.members(each, name) for name in methods)]


def overriders(resolver: Resolver, target: SymbolId) -> list[SymbolId]:
    """Members of subtypes that take the place of member `target`, those of the nearest subtypes first."""
    table = resolver.table(target.path)
    if table is None:
        return []
    if table.kind(target.index) is SymbolKind.FIELD:
        put = table.rules.put_into(resolver, target)
        if put:
            return put
    name = table.symbol_name(target.index)
    alike = [each for each in resolver.definitions(name, table.rules.family) if each != target]
    if not alike:
        return []
    climb = len(alike) <= MAX_CLIMBED and _members_stand_inside(table)
    found: list[SymbolId] = []
    for owner in types.own_class(resolver, table, target.index):
        holders = _holders_below(resolver, alike, owner) if climb else None
        for subtype in _below(resolver, owner, holders):
            if holders is None or subtype in holders:
                found += members.own_members(resolver, subtype, name)
    return [each for each in dict.fromkeys(found) if each != target]


def _members_stand_inside(table: FileTable) -> bool:
    """True for languages in which all members of a type stand inside of it, in one place."""
    rules = table.rules
    return not rules.detached and not rules.function_types and type(rules).other_parts is Rules.other_parts


def _holders_below(resolver: Resolver, alike: list[SymbolId], owner: SymbolId) -> set[SymbolId]:
    """The types around definitions `alike` that may be subtypes of `owner`: looked for upwards, from each."""
    found: set[SymbolId] = set()
    for member in alike:
        table = resolver.table(member.path)
        around = () if table is None else table.around(member.index)[1:]
        holders = [SymbolId(member.path, at) for at in around if table and table.kind(at) in CONTAINER_KINDS]
        found.update(each for each in holders if _may_be_below(resolver, each, owner))
    return found


def _may_be_below(resolver: Resolver, target: SymbolId, owner: SymbolId) -> bool:
    seen = {target}
    waiting = [target]
    while waiting and len(seen) <= MAX_ABOVE:
        above = _above(resolver, waiting.pop())
        if owner in above:
            return True
        waiting += [each for each in above if each not in seen]
        seen.update(above)
    return bool(waiting)


def _above(resolver: Resolver, target: SymbolId) -> tuple[SymbolId, ...]:
    """All types that `direct` may find `target` below."""
    nothing: tuple[SymbolId, ...] = ()
    return resolver.memory.once(("above", target), nothing, lambda: _looked_above(resolver, target))


def _looked_above(resolver: Resolver, target: SymbolId) -> tuple[SymbolId, ...]:
    table = resolver.table(target.path)
    found: list[SymbolId] = []
    for symbol, sites in table.inherits.items() if table is not None else ():
        if table is None or symbol == NOWHERE or target not in types.own_class(resolver, table, symbol):
            continue
        for site in sites:
            resolution = resolver.resolve_at(table, site)
            found += resolution.targets if resolution.confident else ()
    return tuple(dict.fromkeys(found))
