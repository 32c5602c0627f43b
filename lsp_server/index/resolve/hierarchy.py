"""Subtypes, and members that take the place of others: where a call may really go.

What stands in test files is left out: that is where bases of a framework have hundreds of subtypes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING

from ...model.facts import CONTAINER_KINDS, NOWHERE, TYPE_KINDS, SymbolKind
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
"""How many types above a member are looked at."""


def implementers(resolver: Resolver, target: SymbolId) -> list[SymbolId]:
    """Types that inherit from or implement `target`, directly or through others, nearest first."""
    return [each for level in _levels_below(target, partial(direct, resolver)) for each in level]


def _levels_below(target: SymbolId, below: Callable[[SymbolId], Iterable[SymbolId]]) -> Iterable[list[SymbolId]]:
    """At most MAX_SUBTYPES types under `target`, level by level, those of one base together."""
    found = {target}
    level = [target]
    while level and len(found) <= MAX_SUBTYPES:
        under = [each for base in level for each in below(base) if each not in found]
        level = list(dict.fromkeys(under))[: MAX_SUBTYPES + 1 - len(found)]
        found.update(level)
        yield level


def direct(resolver: Resolver, target: SymbolId) -> list[SymbolId]:
    """Types that inherit from or implement `target` directly; looked up once, as every override asks again."""
    nothing: list[SymbolId] = []
    return resolver.memory.once(("direct", target), nothing, lambda: _direct(resolver, target))


def _direct(resolver: Resolver, target: SymbolId) -> list[SymbolId]:
    table = resolver.table(target.path)
    if table is None or table.kind(target.index) not in CONTAINER_KINDS:
        return []
    if _is_structural(table, target):
        return _structural(resolver, target)
    found: list[SymbolId] = []
    waiting = [table.symbol_name(target.index)]
    snapshot, family = resolver.snapshot, table.rules.family
    in_tests = resolver.in_tests
    for name in waiting:
        for path in snapshot.files_renaming(name):
            of_family = not in_tests(path) and resolver.rules_of(path).family == family
            other = resolver.table(path) if of_family else None
            if other is not None and len(waiting) <= MAX_ALIASES:
                aliases = [each.alias for each in other.facts.imports if each.name == name and each.alias]
                waiting += [each for each in aliases if each not in waiting and each != "default"][:MAX_ALIASES]
        for site in snapshot.bases(name, MAX_SITES):
            if in_tests(site.path) or resolver.rules_of(site.path).family != family:
                continue
            other = resolver.table(site.path)
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
    alike = [each for each in resolver.definitions(rarest, "go") if not resolver.in_tests(each.path)]
    for member in alike[:MAX_SUBTYPES]:
        other = resolver.table(member.path)
        if other is not None and other.facts.symbols.owner[member.index]:
            owners.update(dict.fromkeys(types.own_class(resolver, other, member.index)))
    return [each for each in owners if all(resolver.members(each, name) for name in methods)]


def overriders(resolver: Resolver, target: SymbolId, most: int) -> list[SymbolId]:
    """Members of subtypes that take the place of member `target`, at most so many, those of the nearest first."""
    table = resolver.table(target.path)
    if table is None:
        return []
    if table.kind(target.index) is SymbolKind.FIELD:
        put = table.rules.put_into(resolver, target)
        if put:
            return [each for each in put if not resolver.in_tests(each.path)][:most]
    owners = [each for each in types.own_class(resolver, table, target.index) if _has_subtypes(resolver, each)]
    name = table.symbol_name(target.index)
    named = resolver.definitions(name, table.rules.family) if owners else []
    alike = [each for each in named if each != target and not resolver.in_tests(each.path)]
    if not alike:
        return []
    climb = len(alike) <= MAX_CLIMBED and _members_stand_inside(table)
    found: dict[SymbolId, None] = {}
    for owner in owners:
        below = _above_each(resolver, alike, owner) if climb else partial(direct, resolver)
        for level in _levels_below(owner, below):
            own = [each for subtype in level for each in members.own_members(resolver, subtype, name)]
            found.update((each, None) for each in own if each != target)
            if len(found) >= most:
                break
    return list(found)[:most]


def _has_subtypes(resolver: Resolver, owner: SymbolId) -> bool:
    """False for a type whose name is nowhere used as a base, nor given another name. Most types are."""
    return resolver.memory.kept(("subtyped", owner), lambda: _may_have_subtypes(resolver, owner))


def _may_have_subtypes(resolver: Resolver, owner: SymbolId) -> bool:
    table = resolver.table(owner.path)
    if table is None:
        return False
    name = table.symbol_name(owner.index)
    return (
        _is_structural(table, owner)
        or any(not resolver.in_tests(site.path) for site in resolver.snapshot.bases(name, MAX_SITES))
        or bool(resolver.snapshot.files_renaming(name))
    )


def _is_structural(table: FileTable, target: SymbolId) -> bool:
    """True for a type that others need not name to be its subtypes."""
    return table.rules.family == "go" and table.kind(target.index) is SymbolKind.INTERFACE


def _members_stand_inside(table: FileTable) -> bool:
    """True for languages in which all members of a type stand inside of it, in one place."""
    rules = table.rules
    return not rules.detached and not rules.function_types and type(rules).other_parts is Rules.other_parts


def _above_each(resolver: Resolver, alike: list[SymbolId], owner: SymbolId) -> Callable[[SymbolId], Iterable[SymbolId]]:
    """What is directly below a type, of the types between `owner` and those around definitions `alike`: looked for
    upwards, from each."""
    above: dict[SymbolId, tuple[SymbolId, ...]] = {}
    below: dict[SymbolId, list[SymbolId]] = {}
    for member in alike:
        table = resolver.table(member.path)
        around = () if table is None else table.around(member.index)[1:]
        for at in around:
            if table and table.kind(at) in CONTAINER_KINDS:
                _climb(resolver, SymbolId(member.path, at), owner, above)
    for subtype in sorted(above):
        for base in above[subtype]:
            below.setdefault(base, []).append(subtype)
    return lambda base: below.get(base, ())


def _climb(resolver: Resolver, target: SymbolId, owner: SymbolId, above: dict[SymbolId, tuple[SymbolId, ...]]) -> None:
    """Note in `above` what is right above `target`, and above that, up to `owner`."""
    waiting = [target]
    for at in waiting:
        if at not in above and at != owner and len(waiting) <= MAX_ABOVE:
            above[at] = _above(resolver, at)
            waiting += above[at]


def _above(resolver: Resolver, target: SymbolId) -> tuple[SymbolId, ...]:
    """All types that `direct` may find `target` below."""
    nothing: tuple[SymbolId, ...] = ()
    return resolver.memory.once(("above", target), nothing, lambda: _looked_above(resolver, target))


def _looked_above(resolver: Resolver, target: SymbolId) -> tuple[SymbolId, ...]:
    table = resolver.table(target.path)
    found: list[SymbolId] = []
    for symbol, sites in table.inherits.items() if table is not None else ():
        if table is None or symbol == NOWHERE or _is_other_type(table, symbol, target.index):
            continue
        if target not in types.own_class(resolver, table, symbol):
            continue
        for site in sites:
            resolution = resolver.resolve_at(table, site)
            found += resolution.targets if resolution.confident else ()
    return tuple(dict.fromkeys(found))


def _is_other_type(table: FileTable, symbol: int, target: int) -> bool:
    """True for a type that is not `target`: what is known of most without looking for the type around it."""
    return symbol != target and table.kind(symbol) in TYPE_KINDS and not table.facts.symbols.owner[symbol]
