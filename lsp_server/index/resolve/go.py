"""Go: a package is a folder; its files share their names; imports end with the package's folder.

A module is `go:` and the folder.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...model.facts import Import
from ..snapshot import SymbolId
from .meaning import NOTHING, Meaning
from .paths import folder, inside, joined
from .rules import Rules

if TYPE_CHECKING:
    from .resolver import Resolver
    from .tables import FileTable

_PREFIX = "go:"
MAX_PARTS = 24


class GoRules(Rules):
    """Go's rules."""

    family = "go"
    static_members = True
    self_names = frozenset[str]()
    super_names = frozenset[str]()
    detached = True
    types_apart = True
    embedded = True
    test_runners = frozenset({"Run"})
    class_body_members = False

    def module(self, resolver: Resolver, table: FileTable, entry: Import) -> Meaning:
        found = package_folder(resolver, table.path, entry.module)
        return NOTHING if found is None else Meaning((), (_PREFIX + found,))

    def module_member(self, resolver: Resolver, module: str, name: str, hops: int) -> Meaning:
        del hops
        found = resolver.outer_in(name, "go", module.removeprefix(_PREFIX))
        found = [each for each in found if not _package(resolver, each).endswith("_test")]
        return Meaning(tuple(found)) if found else NOTHING

    def module_files(self, resolver: Resolver, module: str) -> tuple[str, ...]:
        known = resolver.memory.packages.get(module)
        if known is None:
            wanted = module.removeprefix(_PREFIX)
            known = resolver.memory.packages[module] = tuple(
                path
                for path in resolver.snapshot.paths_under(wanted)
                if folder(path) == wanted and path.endswith(".go") and not path.endswith("_test.go")
            )
        return known

    def visible(self, resolver: Resolver, table: FileTable, name: str, symbol: int) -> Meaning:
        del symbol
        found = resolver.outer_in(name, "go", folder(table.path), table.path)
        found = [each for each in found if _package(resolver, each) == table.facts.package]
        if found:
            return Meaning(tuple(found), (), (), 0.95, "package")
        return self._by_clause(resolver, table, name)

    def owns(self, resolver: Resolver, target: SymbolId, member_path: str) -> bool:
        del resolver
        return folder(target.path) == folder(member_path)

    def importer_words(self, resolver: Resolver, path: str) -> tuple[str, ...]:
        last = folder(path).rpartition("/")[2]
        if last:
            return (last,)
        project = resolver.projects.nearest(path, "go.mod")
        module = resolver.projects.pairs(project).get("module", [""])[0] if project else ""
        return (module.rpartition("/")[2],)

    def _by_clause(self, resolver: Resolver, table: FileTable, name: str) -> Meaning:
        """An import whose package is called differently from its folder."""
        nothing: list[tuple[str, str, str]] = []
        known = resolver.memory.once(("clauses", table.path), nothing, lambda: list(self._clauses(resolver, table)))
        for alias, package, module in known:
            if package == name and alias != name:
                return Meaning((), (module,), (), 0.95, "import")
        return NOTHING

    def _clauses(self, resolver: Resolver, table: FileTable) -> Iterator[tuple[str, str, str]]:
        """Alias, package clause and module of the imports that are named by the last part of their path."""
        for entry in table.facts.imports:
            if entry.name or entry.alias in ("", "_"):
                continue
            where = package_folder(resolver, table.path, entry.module)
            if where is None or entry.alias != entry.module.rpartition("/")[2]:
                continue
            first = next(iter(self.module_files(resolver, _PREFIX + where)), "")
            other = resolver.table(first) if first else None
            if other is not None:
                yield entry.alias, other.facts.package, _PREFIX + where


def _package(resolver: Resolver, target: SymbolId) -> str:
    table = resolver.table(target.path)
    return "" if table is None else table.facts.package


def package_folder(resolver: Resolver, path: str, module: str) -> str | None:
    """The workspace folder of an import path, None for libraries. The same for all files of a folder."""
    known = resolver.memory.folders
    key = (folder(path), module)
    if key not in known:
        known[key] = _package_folder(resolver, path, module)
    return known[key]


def _package_folder(resolver: Resolver, path: str, module: str) -> str | None:
    projects = resolver.projects
    if module.startswith("."):
        return joined(folder(path), module)
    parts = module.split("/")[:MAX_PARTS]
    own = projects.nearest(path, "go.mod")
    for length in range(len(parts), 0, -1):
        prefix, rest = "/".join(parts[:length]), "/".join(parts[length:])
        replaced = projects.pairs(own).get(f"replace:{prefix}", []) if own else []
        if own and replaced:
            base = joined(folder(own), replaced[0])
            return None if base is None else inside(base, rest)
        for found in projects.named(prefix, "go.mod"):
            return inside(folder(found), rest)
    if resolver.snapshot.has("go.mod") or own:
        return None
    # Without a go.mod (GOPATH): the folder whose path the import path ends with.
    for length in range(len(parts)):
        place = "/".join(parts[length:])
        if any(folder(each) == place and each.endswith(".go") for each in resolver.snapshot.paths_under(place)):
            return place
    return None
