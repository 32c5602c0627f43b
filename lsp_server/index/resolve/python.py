"""Python: relative and absolute modules, `src/` layouts, packages, namespace packages.

A module is a file, or a folder with a `/` behind it (a namespace package). An absolute name is looked for
in every folder that may be on the import path: one that is no package itself, nearest to the importing file.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ...model.facts import Import
from .meaning import NOTHING, Meaning
from .paths import folder, inside, joined, shared_depth
from .rules import Rules

if TYPE_CHECKING:
    from .resolver import Resolver
    from .tables import FileTable

SUFFIXES = (".py", ".pyi", ".pyx")
SOURCE_ROOTS = frozenset(
    {"", "src", "lib", "python", "source", "app", "backend", "server", "packages", "test", "tests"}
)
PROJECT_FILES = ("pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "tox.ini", "manage.py")
MAX_ROOTS = 4


class PythonRules(Rules):
    """Python's rules."""

    family = "python"
    self_names = frozenset({"self", "cls"})
    self_types = frozenset({"Self"})
    property_calls = True

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
        return () if base is None else self._below(resolver, base, parts)

    def _absolute(self, resolver: Resolver, path: str, parts: list[str]) -> tuple[str, ...]:
        if not parts:
            return ()
        first, own = parts[0], folder(path)
        none: tuple[str, ...] = ()
        roots = resolver.memory.once(
            ("roots on the path", own, first), none, lambda: self._roots_on_path(resolver, own, first)
        )
        for root in roots:
            found = self._below(resolver, root, parts)
            if found:
                return found
        return ()

    def _roots_on_path(self, resolver: Resolver, own: str, first: str) -> tuple[str, ...]:
        """The folders from which a file in folder `own` can import a module or package `first`, nearest first."""
        nothing: frozenset[str] = frozenset()
        roots = set(resolver.memory.once(("roots", first), nothing, lambda: _roots_of(resolver, first)))
        roots.update(root for root in _upwards(own) if _is_folder(resolver, inside(root, first)))
        roots.update(root for root in ("src", "lib") if _is_folder(resolver, inside(root, first)))
        good = [root for root in roots if self._on_path(resolver, root, own, first)]
        good.sort(key=lambda root: (-shared_depth(root + "/x", inside(own, "x")), root.count("/"), root))
        return tuple(good[:MAX_ROOTS])

    def _on_path(self, resolver: Resolver, root: str, own: str, first: str) -> bool:
        """True when modules in folder `root` can be imported by their plain name from a file in folder `own`."""
        if resolver.snapshot.has(inside(root, "__init__.py")):
            return False
        library = first in sys.stdlib_module_names
        if library and not self._below(resolver, root, [first])[:1]:
            return False
        if library and root != own and root not in ("", "src"):
            return False
        if root == own or own.startswith(root + "/") or root.rpartition("/")[2] in SOURCE_ROOTS:
            return True
        return any(resolver.snapshot.has(inside(root, name)) for name in PROJECT_FILES)

    def _below(self, resolver: Resolver, base: str, parts: list[str]) -> tuple[str, ...]:
        """The module `parts` below folder `base`."""
        stem = "/".join([base, *parts] if base else parts)
        inits = [inside(stem, f"__init__{suffix}") for suffix in SUFFIXES]
        files = [stem + suffix for suffix in SUFFIXES] if parts else []
        found = tuple(path for path in (*inits, *files) if resolver.snapshot.has(path))
        if found:
            return found
        return (stem + "/",) if _is_folder(resolver, stem) else ()

    def _submodule(self, resolver: Resolver, module: str, name: str) -> tuple[str, ...]:
        if module.endswith("/"):
            return self._below(resolver, module[:-1], [name])
        if module.rpartition("/")[2].startswith("__init__."):
            return self._below(resolver, folder(module), [name])
        return ()


def _roots_of(resolver: Resolver, first: str) -> frozenset[str]:
    """Folders that hold a module or package `first`."""
    snapshot = resolver.snapshot
    roots = {folder(each) for suffix in SUFFIXES for each in snapshot.paths_named(first + suffix)}
    init = f"{first}/__init__.py"
    inner = "/" + init
    roots.update(
        folder(folder(each)) for each in snapshot.paths_named("__init__.py") if each == init or each.endswith(inner)
    )
    return frozenset(roots)


def _parts(module: str) -> tuple[int, list[str]]:
    """Leading dots and the names of a module as written."""
    dots = len(module) - len(module.lstrip("."))
    return dots, [part for part in module[dots:].split(".") if part]


def _upwards(base: str) -> list[str]:
    found = [base]
    while base:
        base = folder(base)
        found.append(base)
    return found


def _is_folder(resolver: Resolver, path: str) -> bool:
    """True for a folder that holds Python files directly."""
    below = resolver.snapshot.paths_under(path) if path else ()
    return any(each.endswith(SUFFIXES) for each in below[:50])
