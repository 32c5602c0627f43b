"""PHP: namespaces, `use`, included files. A module is a namespace, or an included file's path."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model.facts import CALLABLE_KINDS, CONTAINER_KINDS, Import, ReferenceKind, SymbolKind
from .meaning import NOTHING, Meaning
from .packages import in_package, named, own_files
from .paths import ending_with, folder, inside, joined
from .rules import Rules

if TYPE_CHECKING:
    from .resolver import Resolver
    from .tables import FileTable


class PhpRules(Rules):
    """PHP's rules."""

    family = "php"
    class_body_members = False
    self_names = frozenset({"$this", "self", "static"})
    super_names = frozenset({"parent"})
    self_types = frozenset({"self", "static"})
    transparent = frozenset({SymbolKind.NAMESPACE})

    def module(self, resolver: Resolver, table: FileTable, entry: Import) -> Meaning:
        if entry.name == "*":
            found = _included(resolver, table.path, entry.module)
            return Meaning((), (found,)) if found else NOTHING
        if not entry.module:
            return NOTHING
        found = named(resolver, "php", entry.module, "\\")
        return found or self._by_folder(resolver, table, f"{entry.module}\\{entry.name}")

    def module_member(self, resolver: Resolver, module: str, name: str, hops: int) -> Meaning:
        if "\\" not in module and resolver.snapshot.has(module):
            return resolver.exported(module, name, hops)
        return Meaning(in_package(resolver, "php", module, name))

    def module_files(self, resolver: Resolver, module: str) -> tuple[str, ...]:
        return (module,) if resolver.snapshot.has(module) else own_files(resolver, module)

    def visible(self, resolver: Resolver, table: FileTable, name: str, symbol: int) -> Meaning:
        del symbol
        package = table.facts.package
        found = in_package(resolver, "php", package, name)
        if found:
            return Meaning(found, (), (), 0.95, "package")
        outside = resolver.outer(name, "php", lambda path: path != table.path)
        outside = [each for each in outside if (other := resolver.table(each.path)) and not other.facts.package]
        if package:
            # Types are never looked for outside of the namespace.
            outside = [each for each in outside if resolver.kind(each) not in CONTAINER_KINDS]
        return Meaning(tuple(outside), (), (), 0.8, "package")

    def fits(self, use: ReferenceKind, kind: SymbolKind) -> bool:
        if use is ReferenceKind.CALL:
            return kind in CALLABLE_KINDS or kind in CONTAINER_KINDS
        if use in (ReferenceKind.TYPE, ReferenceKind.INHERIT):
            return kind in CONTAINER_KINDS
        return True

    def importer_words(self, resolver: Resolver, path: str) -> tuple[str, ...]:
        stem = path.rpartition("/")[2].partition(".")[0]
        table = resolver.table(path)
        return (stem, *(table.top if table is not None else ()))[:20]

    def _by_folder(self, resolver: Resolver, table: FileTable, qualified: str) -> Meaning:
        """A class whose file declares no namespace that we know, by the PSR-4 table of composer.json."""
        project = resolver.projects.nearest(table.path, "composer.json")
        for key in ("psr-4", "psr-0") if project else ():
            for prefix, folders in resolver.projects.prefixed(project or "", key):
                if not qualified.startswith(prefix):
                    continue
                rest = qualified[len(prefix) if key == "psr-4" else 0 :].replace("\\", "/")
                for each in folders:
                    base = joined(folder(project or ""), each)
                    path = inside(base or "", f"{rest}.php")
                    if base is not None and resolver.snapshot.has(path):
                        return Meaning((), (path,))
        return NOTHING


def _included(resolver: Resolver, path: str, written: str) -> str | None:
    for base in (folder(path), ""):
        found = joined(base, written)
        if found is not None and resolver.snapshot.has(found):
            return found
    near = ending_with(resolver.snapshot, written.lstrip("./"), path)
    return near[0] if len(near) == 1 else None
