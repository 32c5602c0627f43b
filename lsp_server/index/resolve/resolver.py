"""Resolves uses of names over one snapshot: scopes, then imports, then packages, then rare names."""

from __future__ import annotations

from collections.abc import Callable

from ...model.facts import (
    CONTAINER_KINDS,
    NOWHERE,
    Import,
    Reference,
    ReferenceKind,
    SymbolFlag,
    SymbolKind,
)
from ..snapshot import FileView, Snapshot, SymbolId
from .languages import rules_for
from .resolution import UNRESOLVED, Resolution
from .rules import Rules

MAX_DEFINITIONS = 12
"""A name with more definitions than this makes no edge by name alone: it means too many things."""

MAX_REEXPORTS = 6
"""How many files a chain of re-exports is followed through."""

MAX_BASES = 8
"""How many levels of base classes are looked through for a member."""

UNIQUE_CONFIDENCE = 0.6
"""A bare name with exactly one definition in the language family."""

MEMBER_GUESS = 0.3
"""A member of an unknown receiver whose name only one or two definitions carry: never confident."""


class Resolver:
    """Lookups over one snapshot with a memory of their answers. Make one a request; not shared between threads."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self._top: dict[str, dict[str, list[int]]] = {}
        self._members: dict[SymbolId, dict[str, list[SymbolId]]] = {}
        self._imports: dict[str, dict[str, list[Import]]] = {}
        self._files: dict[tuple[str, Import], tuple[str, ...]] = {}
        self._neighbour: dict[str, Callable[[str], bool]] = {}
        self._known: dict[tuple[str, str, str | None, int], Resolution] = {}

    def resolve(self, path: str, reference: Reference) -> Resolution:
        """The definitions that `reference`, a use of a name in `path`, may mean."""
        key = (path, reference.name, reference.receiver, reference.symbol)
        known = self._known.get(key)
        if known is None:
            view = self.snapshot.file(path)
            known = UNRESOLVED if view is None else self._resolve(view, reference)
            self._known[key] = known
        return known

    def _resolve(self, view: FileView, reference: Reference) -> Resolution:
        rules = rules_for(view.language)
        if reference.receiver is None:
            return self.resolve_name(view, reference.name, reference.symbol, rules)
        return self._resolve_member(view, reference, rules)

    # Bare names

    def resolve_name(self, view: FileView, name: str, symbol: int, rules: Rules | None = None) -> Resolution:
        """A bare `name` used inside definition `symbol` (NOWHERE: top level) of `view`."""
        rules = rules or rules_for(view.language)
        return (
            self._in_scope(view, name, symbol, rules)
            or self._imported(view, name)
            or self._in_package(view, name, rules)
            or self._unique(view, name, rules)
            or UNRESOLVED
        )

    def _in_scope(self, view: FileView, name: str, symbol: int, rules: Rules) -> Resolution | None:
        symbols = view.facts.symbols
        at = symbol
        while at != NOWHERE:
            if symbols.kind[at] in CONTAINER_KINDS:
                if rules.implicit_members:
                    found = self.members(SymbolId(view.path, at), name)
                    if found:
                        return Resolution(tuple(found), 0.9, "member")
            else:
                nested = [SymbolId(view.path, child) for child in self._children(view, at, name)]
                if nested:
                    return Resolution(tuple(nested), 1.0, "scope")
                owner = view.facts.names[symbols.owner[at]]
                if owner and rules.implicit_members:
                    found = self._owner_members(view, owner, name)
                    if found:
                        return Resolution(tuple(found), 0.85, "member")
            at = symbols.parent[at]
        top = self.top_level(view).get(name)
        return Resolution(tuple(SymbolId(view.path, index) for index in top), 1.0, "scope") if top else None

    def _children(self, view: FileView, parent: int, name: str) -> list[int]:
        symbols = view.facts.symbols
        found: list[int] = []
        for index in range(parent + 1, len(symbols)):
            if symbols.start[index] > symbols.end[parent]:
                break
            if symbols.parent[index] == parent and view.facts.names[symbols.name[index]] == name:
                found.append(index)
        return found

    def top_level(self, view: FileView) -> dict[str, list[int]]:
        """Names that the file defines at its top level (also inside namespaces and modules)."""
        table = self._top.get(view.path)
        if table is None:
            table = dict[str, list[int]]()
            symbols, names = view.facts.symbols, view.facts.names
            for index in range(len(symbols)):
                parent = symbols.parent[index]
                outer = parent == NOWHERE or symbols.kind[parent] in (SymbolKind.NAMESPACE, SymbolKind.MODULE)
                if outer and not symbols.owner[index]:
                    table.setdefault(names[symbols.name[index]], []).append(index)
            self._top[view.path] = table
        return table

    # Imports

    def imports_by_alias(self, view: FileView) -> dict[str, list[Import]]:
        """The file's imports by the name they have in it; star imports under `*`."""
        table = self._imports.get(view.path)
        if table is None:
            table = dict[str, list[Import]]()
            for entry in view.facts.imports:
                table.setdefault("*" if entry.name == "*" and not entry.alias else entry.alias, []).append(entry)
            self._imports[view.path] = table
        return table

    def import_files(self, view: FileView, entry: Import) -> tuple[str, ...]:
        """Workspace files that `entry` may bring in, best first."""
        key = (view.path, entry)
        files = self._files.get(key)
        if files is None:
            files = rules_for(view.language).import_files(self.snapshot, view, entry)
            self._files[key] = files
        return files

    def _imported(self, view: FileView, name: str) -> Resolution | None:
        table = self.imports_by_alias(view)
        for entry in table.get(name, ()):
            wanted = entry.name if entry.name not in ("", "*") else name
            found = self._exported(view, entry, wanted, MAX_REEXPORTS)
            if found:
                return Resolution(tuple(found), 0.98, "import")
        for entry in table.get("*", ()):
            found = self._exported(view, entry, name, MAX_REEXPORTS)
            if found:
                return Resolution(tuple(found), 0.9, "import")
        return None

    def _exported(self, view: FileView, entry: Import, name: str, hops: int) -> list[SymbolId]:
        for path in self.import_files(view, entry):
            found = self.exported(path, name, hops)
            if found:
                return found
        return []

    def exported(self, path: str, name: str, hops: int = MAX_REEXPORTS) -> list[SymbolId]:
        """What importers of `path` get under `name`: its own definition, or one it passes on."""
        view = self.snapshot.file(path)
        if view is None:
            return []
        own = self.top_level(view).get(name)
        if own:
            return [SymbolId(path, index) for index in own]
        if hops <= 0:
            return []
        table = self.imports_by_alias(view)
        for entry in [*table.get(name, ()), *table.get("*", ())]:
            wanted = entry.name if entry.name not in ("", "*") else name
            for target in self.import_files(view, entry):
                if target != path:
                    found = self.exported(target, wanted, hops - 1)
                    if found:
                        return found
        return []

    # Packages and rare names

    def _in_package(self, view: FileView, name: str, rules: Rules) -> Resolution | None:
        near = self._neighbour.get(view.path)
        if near is None:
            near = self._neighbour[view.path] = rules.neighbours(self.snapshot, view)
        found = [target for target in self._outer_definitions(name) if target.path != view.path and near(target.path)]
        return Resolution(tuple(found[:MAX_DEFINITIONS]), 0.9, "package") if found else None

    def _unique(self, view: FileView, name: str, rules: Rules) -> Resolution | None:
        found = [
            target
            for target in self._outer_definitions(name)
            if rules_for(self._language(target.path)).family == rules.family
        ]
        if not found or len(found) > MAX_DEFINITIONS:
            return None
        confidence = UNIQUE_CONFIDENCE if len(found) == 1 else MEMBER_GUESS / len(found) ** 0.5
        return Resolution(tuple(found), confidence, "unique" if len(found) == 1 else "name")

    def _outer_definitions(self, name: str) -> list[SymbolId]:
        """Definitions of `name` that are neither members nor local to a function."""
        found: list[SymbolId] = []
        for target in self.snapshot.definitions(name):
            view = self.snapshot.file(target.path)
            if view and target.index in self.top_level(view).get(name, ()):
                found.append(target)
        return found

    def _language(self, path: str) -> str:
        view = self.snapshot.file(path)
        return view.language if view else ""

    # Members

    def _resolve_member(self, view: FileView, reference: Reference, rules: Rules) -> Resolution:
        receiver, name = reference.receiver or "", reference.name
        if receiver in rules.self_names:
            found = self._own_members(view, reference.symbol, name)
            if found:
                return Resolution(tuple(found), 0.98, "member")
        elif receiver in rules.super_names:
            found = self._base_members(view, reference.symbol, name)
            if found:
                return Resolution(tuple(found), 0.95, "member")
        elif receiver:
            found = self._module_member(view, receiver, name)
            if found:
                return Resolution(tuple(found), 0.95, "import")
            found = self._typed_member(view, receiver, name, reference.symbol, rules)
            if found:
                return Resolution(tuple(found), 0.85, "type")
        return self._member_guess(view, name, rules)

    def _module_member(self, view: FileView, receiver: str, name: str) -> list[SymbolId]:
        """`receiver.name` where `receiver` is an imported module or namespace."""
        for entry in self.imports_by_alias(view).get(receiver, ()):
            found = self._exported(view, entry, name, MAX_REEXPORTS)
            if found:
                return found
        return []

    def _typed_member(self, view: FileView, receiver: str, name: str, symbol: int, rules: Rules) -> list[SymbolId]:
        """`receiver.name` where `receiver` is a type, or a variable whose type is written down somewhere near."""
        as_type = self._types(view, receiver, symbol, rules)
        for wanted in as_type or self._types_of_variable(view, receiver, symbol, rules):
            found = self.members(wanted, name)
            if found:
                return found
        return []

    def _types(self, view: FileView, name: str, symbol: int, rules: Rules) -> list[SymbolId]:
        resolution = self.resolve_name(view, name, symbol, rules)
        return [target for target in resolution.targets if resolution.confident and self._is_type(target)]

    def _is_type(self, target: SymbolId) -> bool:
        view = self.snapshot.file(target.path)
        return view is not None and view.facts.symbols.kind[target.index] in CONTAINER_KINDS

    def _types_of_variable(self, view: FileView, variable: str, symbol: int, rules: Rules) -> list[SymbolId]:
        facts = view.facts
        scopes = {NOWHERE}
        at = symbol
        while at != NOWHERE:
            scopes.add(at)
            at = facts.symbols.parent[at]
        bindings = facts.bindings
        for index in range(len(bindings) - 1, -1, -1):
            if facts.names[bindings.name[index]] == variable and bindings.symbol[index] in scopes:
                found = self._types(view, facts.names[bindings.type[index]], symbol, rules)
                if found:
                    return found
        return []

    def _own_class(self, view: FileView, symbol: int) -> list[SymbolId]:
        """The class around definition `symbol`, or the type that a detached method belongs to."""
        symbols = view.facts.symbols
        at = symbol
        while at != NOWHERE:
            owner = view.facts.names[symbols.owner[at]]
            if owner and symbols.kind[at] != SymbolKind.IMPL:
                return self._types(view, owner, NOWHERE, rules_for(view.language))
            if symbols.kind[at] in CONTAINER_KINDS and symbols.kind[at] not in (
                SymbolKind.MODULE,
                SymbolKind.NAMESPACE,
            ):
                return [SymbolId(view.path, at)]
            at = symbols.parent[at]
        return []

    def _own_members(self, view: FileView, symbol: int, name: str) -> list[SymbolId]:
        for own in self._own_class(view, symbol):
            found = self.members(own, name)
            if found:
                return found
        return []

    def _base_members(self, view: FileView, symbol: int, name: str) -> list[SymbolId]:
        for own in self._own_class(view, symbol):
            for base in self.bases(own):
                found = self.members(base, name)
                if found:
                    return found
        return []

    def _owner_members(self, view: FileView, owner: str, name: str) -> list[SymbolId]:
        for target in self._types(view, owner, NOWHERE, rules_for(view.language)):
            found = self.members(target, name)
            if found:
                return found
        return []

    def bases(self, target: SymbolId) -> list[SymbolId]:
        """The workspace types that a type inherits from or implements, as written, in order."""
        view = self.snapshot.file(target.path)
        if view is None:
            return []
        found: list[SymbolId] = []
        references = view.facts.references
        for index in range(len(references)):
            if references.kind[index] == ReferenceKind.INHERIT and references.symbol[index] == target.index:
                reference = view.facts.reference(index)
                outer = view.facts.symbols.parent[target.index]
                found += self.resolve_name(view, reference.name, outer).targets
        return [base for base in found if base != target]

    def members(self, target: SymbolId, name: str) -> list[SymbolId]:
        """Definitions of member `name` of a type: its own, then its bases', nearest first."""
        seen: set[SymbolId] = set()
        level = [target]
        for _ in range(MAX_BASES):
            for owner in level:
                found = self._nested_members(owner).get(name) or self._detached_members(owner, name)
                if found:
                    return found
            seen.update(level)
            level = [base for owner in level for base in self.bases(owner) if base not in seen]
            if not level:
                break
        return []

    def _nested_members(self, target: SymbolId) -> dict[str, list[SymbolId]]:
        """Members that stand inside the type's own definition, by name."""
        table = self._members.get(target)
        if table is None:
            table = dict[str, list[SymbolId]]()
            view = self.snapshot.file(target.path)
            if view is not None:
                symbols = view.facts.symbols
                for index in range(target.index + 1, len(symbols)):
                    if symbols.start[index] > symbols.end[target.index]:
                        break
                    if symbols.parent[index] == target.index:
                        member = view.facts.names[symbols.name[index]]
                        table.setdefault(member, []).append(SymbolId(view.path, index))
            self._members[target] = table
        return table

    def _detached_members(self, target: SymbolId, name: str) -> list[SymbolId]:
        """Members that stand elsewhere and name the type as their owner (Go, Rust, C++, extensions)."""
        view = self.snapshot.file(target.path)
        if view is None:
            return []
        own = view.facts.names[view.facts.symbols.name[target.index]]
        family = rules_for(view.language).family
        found = [member for member in self.snapshot.definitions(name) if self._owner_of(member, family) == own]
        return sorted(found, key=lambda member: (member.path != target.path, member))

    def _owner_of(self, member: SymbolId, family: str) -> str:
        """The type that a definition names as its owner, directly or through an `impl` block."""
        view = self.snapshot.file(member.path)
        if view is None or rules_for(view.language).family != family:
            return ""
        symbols, names = view.facts.symbols, view.facts.names
        parent = symbols.parent[member.index]
        if symbols.owner[member.index]:
            return names[symbols.owner[member.index]]
        if parent != NOWHERE and symbols.kind[parent] == SymbolKind.IMPL:
            return names[symbols.owner[parent]] or names[symbols.name[parent]]
        return ""

    def _member_guess(self, view: FileView, name: str, rules: Rules) -> Resolution:
        """A member of something unknown: only rare names, and never with confidence."""
        found: list[SymbolId] = []
        definitions = self.snapshot.definitions(name)
        if len(definitions) > 3 * MAX_DEFINITIONS:
            return UNRESOLVED
        for target in definitions:
            other = self.snapshot.file(target.path)
            if other is None or rules_for(other.language).family != rules.family:
                continue
            symbols = other.facts.symbols
            parent = symbols.parent[target.index]
            member = symbols.owner[target.index] or (parent != NOWHERE and symbols.kind[parent] in CONTAINER_KINDS)
            if member and not symbols.flags[target.index] & SymbolFlag.LOCAL:
                found.append(target)
        if not found or len(found) > MAX_DEFINITIONS:
            return UNRESOLVED
        own = [target for target in found if target.path == view.path]
        chosen = own or found
        return Resolution(tuple(chosen), MEMBER_GUESS / len(chosen) ** 0.5, "name")
