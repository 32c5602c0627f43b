"""Members: what stands before the dot, what type it has, and what the name after the dot means there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ...model.facts import CALLABLE_KINDS, CONTAINER_KINDS, NOWHERE, Reference, ReferenceKind, SymbolFlag, SymbolKind
from ..snapshot import SymbolId
from . import members, names
from .conversions import TYPED, converted
from .error_types import failed_types
from .exports import MAX_REEXPORTS, import_meaning
from .meaning import NOTHING, Meaning
from .resolution import UNRESOLVED, Resolution
from .rules import Rules
from .tables import FileTable, Part
from .types import has_written_type, instances, own_class, results, variable_types

if TYPE_CHECKING:
    from .resolver import Resolver

MEMBER_GUESS = 0.3
"""A member of an unknown receiver whose name only a few definitions carry: never confident."""

EXTENSION = 0.55
"""A member of a library's type that the workspace defines only as an extension."""

MAX_GUESSES = 6
"""More members of one name than this are no guess: each costs a look at its file."""

MAX_OVERLOADS = 36
"""The same where they may all be overloads of one extension."""
MAX_LITERAL = 40
"""A field of a literal belongs to one of the types named so many uses before it."""

_OF_SELF = 0.98
_OF_BASE = 0.95


def resolution(resolver: Resolver, table: FileTable, index: int) -> Resolution:
    """The definitions that the use at row `index` may mean."""
    reference = table.facts.reference(index)
    if reference.kind is ReferenceKind.IMPORT:
        meaning = _import(resolver, table, reference)
    elif reference.receiver is None:
        meaning = _bare(resolver, table, reference)
    else:
        meaning = _member(resolver, table, reference)
        if not meaning.definitions and reference.name in table.rules.converters:
            meaning = converted(resolver, table, reference)
        if not meaning.definitions:
            return _guess(resolver, table, reference)
    if not meaning.definitions and meaning.modules and reference.receiver is None:
        # `const run = require("./run"); run()`: what the module itself is.
        meaning = resolver.module_member(table.path, meaning.modules, "default", MAX_REEXPORTS)
        meaning = meaning.weighed(0.9, "import")
    if not meaning.definitions:
        return UNRESOLVED
    return Resolution(meaning.definitions, meaning.confidence, meaning.via)


def _bare(resolver: Resolver, table: FileTable, reference: Reference) -> Meaning:
    if reference.kind is ReferenceKind.ATTRIBUTE:
        return _field_of_literal(resolver, table, reference)
    scope = _scope(table, reference)
    meaning = names.find(resolver, table, reference.name, scope, reference.kind)
    return _with_aliased(resolver, meaning)


def _scope(table: FileTable, reference: Reference) -> int:
    """The definition whose scope a use is in: a base is named outside of its type."""
    inherits = reference.kind is ReferenceKind.INHERIT and reference.symbol != NOWHERE
    return table.facts.symbols.parent[reference.symbol] if inherits else reference.symbol


def _with_aliased(resolver: Resolver, meaning: Meaning) -> Meaning:
    """A variable that is only another name also means what it names."""
    aliased = [each for target in meaning.definitions for each in members.aliased(resolver, target)]
    if not aliased:
        return meaning
    both = tuple(dict.fromkeys((*meaning.definitions, *aliased)))
    return Meaning(both, meaning.modules, meaning.types, meaning.confidence, meaning.via)


def _field_of_literal(resolver: Resolver, table: FileTable, reference: Reference) -> Meaning:
    """`field` of `Type{field: value}`: the nearest type named before it that has such a field."""
    references = table.facts.references
    for at in range(reference.index - 1, max(-1, reference.index - MAX_LITERAL), -1):
        if references.kind[at] not in (ReferenceKind.TYPE, ReferenceKind.CALL):
            continue
        if references.symbol[at] != reference.symbol:
            break
        found = resolver.resolve_at(table, at)
        for target in found.targets if found.confident else ():
            if resolver.kind(target) in CONTAINER_KINDS:
                fields = [
                    each
                    for each in resolver.members(target, reference.name)
                    if resolver.kind(each) not in CALLABLE_KINDS
                ]
                if fields:
                    return Meaning(tuple(fields), (), (), 0.7, "type")
    return NOTHING


def _import(resolver: Resolver, table: FileTable, reference: Reference) -> Meaning:
    """The name in an import statement itself."""
    entries = [
        each
        for each in table.facts.imports
        if each.name == reference.name and each.module and abs(each.line - reference.line) <= 1
    ]
    entries += [each for each in table.facts.imports if each.name == reference.name and each.module]
    for entry in entries:
        found = import_meaning(resolver, table, entry, entry.name, MAX_REEXPORTS)
        if found.definitions:
            return found.weighed(0.98, "import")
    return NOTHING


def _member(resolver: Resolver, table: FileTable, reference: Reference) -> Meaning:
    parts = table.chain(reference.index)
    if parts is None:
        return NOTHING
    holder = _holder(resolver, table, parts, reference)
    found = step(resolver, table, holder, reference.name, reference.kind) if holder else NOTHING
    if not found and len(parts) == 1 and table.rules.overloads:
        # `fmt::print(fmt)`: a namespace may have the name of a variable.
        space = table.rules.root(resolver, table, parts[0].name, _scope(table, reference))
        found = step(resolver, table, space, reference.name, reference.kind) if space.modules else NOTHING
    if found:
        return found
    return table.rules.by_path(resolver, table, (*(part.name for part in parts), reference.name), reference.symbol)


def _holder(resolver: Resolver, table: FileTable, parts: list[Part], reference: Reference) -> Meaning:
    """What the receiver `parts` of a use stands for."""
    meaning = _root(resolver, table, parts[0], reference)
    for part in parts[1:]:
        if not meaning:
            return NOTHING
        meaning = step(resolver, table, meaning, part.name, ReferenceKind.ATTRIBUTE)
    return meaning


def called_types(resolver: Resolver, table: FileTable, row: int) -> tuple[SymbolId, ...]:
    """The types of the result of the call in `row` of a file's uses.

    Calls on the results of others (`a().b().c()`) are looked up from the first on: a chain may have hundreds.
    """
    rows = [row]
    while (before := table.facts.references.called(rows[-1])) != NOWHERE:
        rows.append(before)
    nothing: tuple[SymbolId, ...] = ()
    found = nothing
    for each in reversed(rows):
        key = ("called", table.path, each)
        found = resolver.memory.once(key, nothing, lambda at=each: _called_types(resolver, table, at))
    return found


def _called_types(resolver: Resolver, table: FileTable, row: int) -> tuple[SymbolId, ...]:
    found = resolver.resolve_at(table, row)
    if found.confident:
        return results(resolver, found.targets)
    reference = table.facts.reference(row)
    if reference.name in table.rules.error_names:
        return failed_types(resolver, table, reference)
    gives_holder = reference.name in table.rules.same_names or reference.name in table.rules.member_names
    if reference.receiver is None or not gives_holder:
        return ()
    parts = table.chain(row)
    holder = _holder(resolver, table, parts, reference) if parts else NOTHING
    return (*holder.types, *instances(resolver, holder.definitions))


def _root(resolver: Resolver, table: FileTable, part: Part, reference: Reference) -> Meaning:
    rules = table.rules
    if part.called:
        types = called_types(resolver, table, part.reference)
        return Meaning((), (), types, TYPED, "type") if types else NOTHING
    symbol = _scope(table, reference)
    if part.name in rules.self_names and part.reference == NOWHERE:
        own = tuple(own_class(resolver, table, symbol))
        if own:
            return Meaning((), (), own, _OF_SELF, "member")
    if part.name in rules.super_names and part.reference == NOWHERE:
        bases = [base for own in own_class(resolver, table, symbol) for base in resolver.bases(own)]
        if bases:
            return Meaning((), (), tuple(bases), _OF_BASE, "member")
    of_type = reference.kind in (ReferenceKind.TYPE, ReferenceKind.INHERIT)
    types = None if of_type else variable_types(resolver, table, part.name, symbol, reference.line)
    if types is not None:
        return Meaning((), (), types, TYPED, "type")
    if part.reference != NOWHERE or of_type:
        found = names.find(resolver, table, part.name, symbol, ReferenceKind.READ)
        spaces = bool(found.definitions) and all(resolver.kind(each) in rules.transparent for each in found.definitions)
        if found and found.confidence >= 0.5 and not spaces:
            return _with_aliased(resolver, found)
    return rules.root(resolver, table, part.name, symbol)


def step(resolver: Resolver, table: FileTable, holder: Meaning, name: str, use: ReferenceKind) -> Meaning:
    """What `name` means on or in `holder`."""
    found = resolver.module_member(table.path, holder.modules, name, MAX_REEXPORTS)
    if found:
        return Meaning(found.definitions, found.modules, found.types, min(0.95, holder.confidence), "import")
    through_type = all(resolver.kind(each) in CONTAINER_KINDS for each in holder.definitions)
    confidence = min(holder.confidence, _OF_BASE if holder.via == "member" or through_type else TYPED)
    via = "member" if holder.via == "member" else "type"
    owners = (*holder.types, *instances(resolver, holder.definitions))
    targets: list[SymbolId] = []
    types: list[SymbolId] = []
    for owner in dict.fromkeys(owners):
        inner = resolver.members(owner, name)
        if not inner and name in table.rules.member_names:
            inner = resolver.members(owner, table.rules.member_names[name])
        targets += inner
        if not inner or all(resolver.kind(each) not in CALLABLE_KINDS for each in inner):
            types += members.field_types(resolver, owner, name)
    if not targets and not types and name in table.rules.same_names:
        return Meaning((), (), owners, confidence, via)
    if not targets:
        targets = members.of_value(resolver, holder.definitions, name)
    chosen = names.fitting(resolver, table, tuple(dict.fromkeys(targets)), use)[: names.MAX_NAMED]
    return Meaning(chosen, (), tuple(dict.fromkeys(types)), confidence, via) if chosen or types else NOTHING


def _guess(resolver: Resolver, table: FileTable, reference: Reference) -> Resolution:
    """A member of something unknown: only rare names, and never with confidence."""
    family = table.rules.family
    definitions = resolver.definitions(reference.name, family)
    most = MAX_OVERLOADS if table.rules.overloaded_extensions else MAX_GUESSES
    if not definitions or len(definitions) > most:
        return UNRESOLVED
    if reference.name in table.rules.same_names or reference.name in table.rules.converters:
        return UNRESOLVED  # of everything in the library
    if _of_library(resolver, table, reference):
        return UNRESOLVED
    if not resolver.in_tests(table.path):
        definitions = [each for each in definitions if not resolver.in_tests(each.path)]
    # Those of the same file are chosen before all others, whose facts are then not looked at.
    nearest = [] if _extends_types(table.rules) else [each for each in definitions if each.path == table.path]
    found = [each for each in nearest if _is_member(resolver, each)]
    found = found or [each for each in definitions if _is_member(resolver, each)]
    if not found:
        return UNRESOLVED
    extensions = [each for each in found if table.rules.extends(resolver, table, each)]
    if extensions and _of_library_type(resolver, table, reference, all_extend=len(extensions) == len(found)):
        return Resolution(tuple(extensions[:MAX_GUESSES]), EXTENSION, "extension")
    if len(found) > MAX_GUESSES or (table.rules.static_members and _of_known_type(resolver, table, reference)):
        return UNRESOLVED
    own = [each for each in found if each.path == table.path]
    chosen = own or found
    return Resolution(tuple(_bodies_first(resolver, chosen)), MEMBER_GUESS / len(chosen) ** 0.5, "name")


def _extends_types(rules: Rules) -> bool:
    """True for languages whose extensions may be told from other members."""
    return type(rules).extends is not Rules.extends


def _of_library(resolver: Resolver, table: FileTable, reference: Reference) -> bool:
    """True when the receiver starts with a name that is imported from outside of the workspace."""
    parts = table.chain(reference.index) or []
    while parts and parts[0].called:
        parts = table.chain(parts[0].reference) or []
    if not parts:
        return False
    if parts[0].name in table.rules.library_roots:
        return True
    if parts[0].reference == NOWHERE:
        return False
    entries = table.imports_named(parts[0].name, reference.symbol)
    return bool(entries) and not names.imported(resolver, table, parts[0].name, reference.symbol)


def _of_library_type(resolver: Resolver, table: FileTable, reference: Reference, *, all_extend: bool) -> bool:
    """True for a receiver with a name whose type is written down but is none of the workspace.

    Where only extensions have the member (`all_extend`) it is enough that nothing is known of the type.
    """
    parts = table.chain(reference.index)
    if not parts:
        return False
    holder = _holder(resolver, table, parts, reference)
    if holder.types or any(map(resolver.snapshot.has, holder.modules)) or instances(resolver, holder.definitions):
        return False
    return all_extend or has_written_type(resolver, table, parts[-1], reference)


def _of_known_type(resolver: Resolver, table: FileTable, reference: Reference) -> bool:
    """True for a receiver of the workspace's own types: a member that these have not is one of a library's base."""
    parts = table.chain(reference.index)
    holder = _holder(resolver, table, parts, reference) if parts else NOTHING
    return bool(holder.types or instances(resolver, holder.definitions))


def _is_member(resolver: Resolver, target: SymbolId) -> bool:
    table = resolver.table(target.path)
    if table is None or table.has_flag(target.index, SymbolFlag.LOCAL):
        return False
    parent = table.facts.symbols.parent[target.index]
    if parent != NOWHERE and table.kind(parent) in (SymbolKind.NAMESPACE, SymbolKind.MODULE):
        return table.kind(target.index) in (SymbolKind.METHOD, SymbolKind.FUNCTION) and table.rules.family == "ruby"
    return bool(table.facts.symbols.owner[target.index]) or (
        parent != NOWHERE and table.kind(parent) in CONTAINER_KINDS
    )


def _bodies_first(resolver: Resolver, targets: Iterable[SymbolId]) -> list[SymbolId]:
    return sorted(targets, key=lambda each: resolver.flagged(each, SymbolFlag.DECLARATION))
