"""C#: namespaces, usings, partial classes, extension methods. A module is a namespace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model.facts import Import, SymbolFlag, SymbolKind
from ..snapshot import SymbolId
from .exports import MAX_REEXPORTS
from .meaning import NOTHING, Meaning
from .packages import in_package, member, named, own_files
from .paths import folder
from .rules import Rules

if TYPE_CHECKING:
    from .resolver import Resolver
    from .tables import FileTable

GLOBAL_USINGS = ("GlobalUsings.cs", "Usings.cs", "GlobalUsing.cs", "GlobalUsings.g.cs", "Imports.cs")
PROJECTS = ".csproj"
MAX_PARTS = 12


class CsharpRules(Rules):
    """C#'s rules."""

    family = "csharp"
    static_members = True
    implicit_members = True
    detached = True
    overloaded_extensions = True
    types_apart = True
    property_calls = False
    self_names = frozenset({"this"})
    super_names = frozenset({"base"})
    transparent = frozenset({SymbolKind.NAMESPACE})

    def module(self, resolver: Resolver, table: FileTable, entry: Import) -> Meaning:
        found = named(resolver, "csharp", entry.module)
        if found:
            return found
        # An alias of a type in the namespace of this file may be written without it.
        own = table.facts.package
        return named(resolver, "csharp", f"{own}.{entry.module}") if own else NOTHING

    def module_member(self, resolver: Resolver, module: str, name: str, hops: int) -> Meaning:
        del hops
        found = member(resolver, "csharp", module, name)
        if found.definitions:
            return found
        below = f"{module}.{name}"
        return Meaning((), (below,)) if resolver.snapshot.files_in_package(below) else NOTHING

    def module_files(self, resolver: Resolver, module: str) -> tuple[str, ...]:
        return own_files(resolver, module)

    def root(self, resolver: Resolver, table: FileTable, name: str, symbol: int) -> Meaning:
        del resolver, symbol
        return NOTHING if name in table.bindings else Meaning((), (name,))

    def visible(self, resolver: Resolver, table: FileTable, name: str, symbol: int) -> Meaning:
        del symbol
        for package in _upwards(table.facts.package):
            found = in_package(resolver, "csharp", package, name)
            if found:
                return Meaning(found, (), (), 0.95, "package")
        found = self._of_globals(resolver, table, name)
        if found:
            return found.weighed(0.9, "import")
        outside = resolver.outer(name, "csharp", lambda path: path != table.path)
        outside = [each for each in outside if _package(resolver, each.path) == ""]
        return Meaning(tuple(outside), (), (), 0.8, "package")

    def other_parts(self, resolver: Resolver, table: FileTable, target: SymbolId) -> list[SymbolId]:
        """The other parts of a partial class: same name, kind, namespace and class around it."""
        name = table.symbol_name(target.index)
        qualified = table.facts.qualified_name(target.index)
        candidates = resolver.definitions(name, "csharp")
        found: list[SymbolId] = []
        for each in candidates if len(candidates) <= 4 * MAX_PARTS else ():
            other = resolver.table(each.path)
            if each == target or other is None or other.kind(each.index) is not table.kind(target.index):
                continue
            same = other.facts.package == table.facts.package
            if same and other.facts.qualified_name(each.index) == qualified:
                found.append(each)
        return found[:MAX_PARTS]

    def owns(self, resolver: Resolver, target: SymbolId, member_path: str) -> bool:
        del resolver, target
        return member_path.endswith((".cs", ".csx"))

    def extends(self, resolver: Resolver, table: FileTable, target: SymbolId) -> bool:
        """An extension is in reach where its namespace is."""
        if not resolver.flagged(target, SymbolFlag.EXTENSION):
            return False
        package = _package(resolver, target.path)
        usings = {entry.module for entry in table.facts.imports if entry.name == "*"}
        usings.update(entry.module for _, entry in self._global_entries(resolver, table) if entry.name == "*")
        return package in usings or package in ("", *_upwards(table.facts.package))

    def importer_words(self, resolver: Resolver, path: str) -> tuple[str, ...]:
        package = _package(resolver, path)
        return (package, package.rpartition(".")[2], path.rpartition("/")[2].partition(".")[0])

    def _of_globals(self, resolver: Resolver, table: FileTable, name: str) -> Meaning:
        """What `global using` and the project file bring into every file of the project."""
        for other, entry in self._global_entries(resolver, table):
            if entry.name not in ("", "*"):
                if entry.alias != name:
                    continue
                wanted = entry.name
            else:
                wanted = name
            found = _import(resolver, other, entry, wanted)
            if found.definitions:
                return found
        project = _project(resolver, table.path)
        for namespace in resolver.projects.pairs(project).get("using", ()) if project else ():
            found = in_package(resolver, "csharp", namespace, name)
            if found:
                return Meaning(found)
        return NOTHING

    def _global_entries(self, resolver: Resolver, table: FileTable) -> list[tuple[FileTable, Import]]:
        found: list[tuple[FileTable, Import]] = []
        for basename in GLOBAL_USINGS:
            for path in resolver.snapshot.paths_named(basename):
                other = resolver.table(path)
                if other is not None and _project(resolver, path) == _project(resolver, table.path):
                    found += [(other, entry) for entry in other.facts.imports if entry.reexport]
        return found


def _import(resolver: Resolver, table: FileTable, entry: Import, name: str) -> Meaning:
    from .exports import import_meaning

    return import_meaning(resolver, table, entry, name, MAX_REEXPORTS)


def _project(resolver: Resolver, path: str) -> str | None:
    """The project file in the folder of `path` or nearest above it."""
    at = folder(path)
    while True:
        found = [
            each for each in resolver.snapshot.paths_under(at)[:400] if each.endswith(PROJECTS) and folder(each) == at
        ]
        if found or not at:
            return found[0] if found else None
        at = folder(at)


def _upwards(package: str) -> list[str]:
    found: list[str] = []
    while package:
        found.append(package)
        package = package.rpartition(".")[0]
    return found


def _package(resolver: Resolver, path: str) -> str:
    table = resolver.table(path)
    return "" if table is None else table.facts.package
