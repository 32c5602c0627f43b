"""Swift: the files of a module share their names; other modules need an import. A module is its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model.facts import NOWHERE, Import, SymbolFlag, SymbolKind
from ..snapshot import SymbolId
from .meaning import NOTHING, Meaning
from .rules import UNIQUE, Rules

if TYPE_CHECKING:
    from .resolver import Resolver
    from .tables import FileTable

_ROOTS = ("Sources", "Source", "Tests", "src")


class SwiftRules(Rules):
    """Swift's rules."""

    family = "swift"
    static_members = True
    implicit_members = True
    extension_members = True
    detached = True
    types_apart = True
    property_calls = True
    self_names = frozenset({"self", "Self"})
    unique = UNIQUE

    def module(self, resolver: Resolver, table: FileTable, entry: Import) -> Meaning:
        del table
        folder = f"Sources/{entry.module}"
        return Meaning((), (folder,)) if resolver.snapshot.paths_under(folder)[:1] else NOTHING

    def module_member(self, resolver: Resolver, module: str, name: str, hops: int) -> Meaning:
        del hops
        found = resolver.outer(name, "swift", lambda path: path.startswith(module + "/"))
        found = [each for each in found if resolver.flagged(each, SymbolFlag.EXPORTED)]
        return Meaning(tuple(found)) if found else NOTHING

    def module_files(self, resolver: Resolver, module: str) -> tuple[str, ...]:
        return tuple(path for path in resolver.snapshot.paths_under(module) if path.endswith(".swift"))

    def visible(self, resolver: Resolver, table: FileTable, name: str, symbol: int) -> Meaning:
        del symbol
        own = module_folder(table.path)
        near = resolver.outer(name, "swift", lambda path: path != table.path and module_folder(path) == own)
        near = [each for each in near if resolver.flagged(each, SymbolFlag.EXPORTED)]
        return Meaning(tuple(near), (), (), 0.9 if len(near) == 1 else 0.6, "package")

    def owns(self, resolver: Resolver, target: SymbolId, member_path: str) -> bool:
        del resolver, target
        return member_path.endswith(".swift")

    def shared(self, resolver: Resolver, target: SymbolId) -> bool:
        return resolver.flagged(target, SymbolFlag.EXPORTED)

    def extends(self, resolver: Resolver, table: FileTable, target: SymbolId) -> bool:
        """A member of an extension in the same module."""
        other = resolver.table(target.path)
        if other is None or module_folder(target.path) != module_folder(table.path):
            return False
        parent = other.facts.symbols.parent[target.index]
        if parent == NOWHERE or other.kind(parent) is not SymbolKind.IMPL:
            return False
        shared = other.has_flag(target.index, SymbolFlag.EXPORTED) or target.path == table.path
        return shared and not resolver.definitions(other.owner(target.index), "swift")

    def importer_words(self, resolver: Resolver, path: str) -> tuple[str, ...]:
        del resolver
        return (module_folder(path).rpartition("/")[2],)


def module_folder(path: str) -> str:
    """The folder of the module that a file belongs to: below `Sources` or `Tests`, else the top folder."""
    parts = path.split("/")[:-1]
    for index, part in enumerate(parts[:-1]):
        if part in _ROOTS:
            return "/".join(parts[: index + 2])
    return parts[0] if parts else ""
