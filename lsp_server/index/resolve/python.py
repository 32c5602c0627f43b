"""Python: relative and absolute modules, `src/` layouts, packages, namespace packages.

A module is a file, or a folder with a `/` behind it (a namespace package). An absolute name is looked for
in every folder that may be on the import path: one that is no package itself, nearest to the importing file.
"""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING

from ...model.facts import Import
from .meaning import NOTHING, Meaning
from .paths import folder, joined
from .python_path import files_below, roots_on_path
from .rules import Rules

if TYPE_CHECKING:
    from .resolver import Resolver
    from .tables import FileTable


class PythonRules(Rules):
    """Python's rules."""

    family = "python"
    self_names = frozenset({"self", "cls"})
    self_types = frozenset({"Self"})
    property_calls = True
    builtin_names = frozenset(dir(builtins))

    def module(self, resolver: Resolver, table: FileTable, entry: Import) -> Meaning:
        dots, parts = _parts(entry.module)
        if not entry.name and parts and entry.alias == parts[0] and len(parts) > 1:
            parts = parts[:1]  # `import a.b` gives the name `a`
        return self._named(resolver, table.path, dots, parts)

    def whole_module(self, resolver: Resolver, table: FileTable, entry: Import) -> Meaning:
        return self._named(resolver, table.path, *_parts(entry.module))

    def _named(self, resolver: Resolver, path: str, dots: int, parts: list[str]) -> Meaning:
        found = self._relative(resolver, path, dots, parts) if dots else self._absolute(resolver, path, parts)
        return Meaning((), found) if found else NOTHING

    def module_member(self, resolver: Resolver, module: str, name: str, hops: int) -> Meaning:
        if not module.endswith("/"):
            found = resolver.exported(module, name, hops)
            if found:
                return found
        below = self._submodule(resolver, module, name)
        return Meaning((), below) if below else NOTHING

    def module_files(self, resolver: Resolver, module: str) -> tuple[str, ...]:
        return (module,) if resolver.snapshot.has(module) else ()

    def importer_words(self, resolver: Resolver, path: str) -> tuple[str, ...]:
        del resolver
        *folders, name = path.split("/")
        stem = name.partition(".")[0]
        words = (*folders[-1:], ".", "..") if stem == "__init__" else (stem, *folders[-1:])
        return words

    def _relative(self, resolver: Resolver, path: str, dots: int, parts: list[str]) -> tuple[str, ...]:
        base = joined(folder(path), "/".join([".."] * (dots - 1))) if dots > 1 else folder(path)
        return () if base is None else files_below(resolver, base, parts)

    def _absolute(self, resolver: Resolver, path: str, parts: list[str]) -> tuple[str, ...]:
        if not parts:
            return ()
        own, module = folder(path), ".".join(parts)
        known = resolver.memory.modules.get((own, module))
        if known is None:
            roots = roots_on_path(resolver, own, parts[0])
            known = next((found for root in roots if (found := files_below(resolver, root, parts))), ())
            resolver.memory.modules[own, module] = known
        return known

    def _submodule(self, resolver: Resolver, module: str, name: str) -> tuple[str, ...]:
        if module.endswith("/"):
            return files_below(resolver, module[:-1], [name])
        if module.rpartition("/")[2].startswith("__init__."):
            return files_below(resolver, folder(module), [name])
        return ()


def _parts(module: str) -> tuple[int, list[str]]:
    """Leading dots and the names of a module as written."""
    dots = len(module) - len(module.lstrip("."))
    return dots, [part for part in module[dots:].split(".") if part]
