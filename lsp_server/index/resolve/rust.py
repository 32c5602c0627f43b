"""Rust: the tree of modules, `use` paths, crates of the workspace. A module is a file; one inside a file is
a definition."""

from __future__ import annotations

from itertools import takewhile
from types import MappingProxyType
from typing import TYPE_CHECKING

from ...model.facts import Import, ReferenceKind, SymbolKind
from ..snapshot import SymbolId
from . import names
from .exports import MAX_REEXPORTS
from .meaning import NOTHING, Meaning
from .paths import folder, inside, joined
from .rules import UNIQUE, Rules

if TYPE_CHECKING:
    from .resolver import Resolver
    from .tables import FileTable

MAX_LEVELS = 20
MAX_MACROS = 24
_ROOT_FILES = ("lib.rs", "main.rs")
_APART = ("tests/", "benches/", "examples/", "bin/")
"""Folders whose files are crates of their own."""


SAME_NAMES = frozenset(
    """
    unwrap expect unwrap_or unwrap_or_else unwrap_or_default ok ok_or ok_or_else as_ref as_mut as_deref as_deref_mut
    clone cloned copied to_owned borrow borrow_mut lock read write into_inner map_err context with_context
    iter iter_mut into_iter by_ref next next_back rev skip take step_by peekable peek filter find nth last first min max
    min_by_key max_by_key skip_while take_while chain inspect
    """.split()  # noqa: SIM905 - a table of words
)
"""Methods of the standard library's wrappers and iterators that lead to what is wrapped or gone through, unless the
type has one of that name: types are followed through wrappers."""


class RustRules(Rules):
    """Rust's rules."""

    family = "rust"
    self_names = frozenset({"self", "Self"})
    super_names = frozenset[str]()
    detached = True
    fields_and_methods = True
    modules_apart = True
    binds_members = True
    binding_lines = 30
    class_body_members = False
    private_imports = True
    library_roots = frozenset({"std", "core", "alloc"})
    same_names = SAME_NAMES
    member_names = MappingProxyType({"to_string": "fmt"})
    error_names = frozenset({"unwrap_err", "expect_err", "err"})
    converters = MappingProxyType({"parse": "from_str", "into": "from", "try_into": "try_from", "collect": "from_iter"})
    unique = UNIQUE
    unique_kinds = frozenset({SymbolKind.MACRO})

    def module(self, resolver: Resolver, table: FileTable, entry: Import) -> Meaning:
        parts = entry.module.split("::")
        scope = table.import_scope(entry)
        if not entry.name and entry.alias == parts[-1] and parts[0] == "self" and len(parts) == 2:
            found = child_file(resolver, table.path, parts[1])
            if found:
                return Meaning((), (found,))
        return walk(resolver, table, parts, scope)

    def module_member(self, resolver: Resolver, module: str, name: str, hops: int) -> Meaning:
        """Also a file beside the module's: `mod name;` may stand inside a macro, or a macro may write it."""
        found = resolver.exported(module, name, hops)
        if found or not name.isidentifier():
            return found
        child = child_file(resolver, module, name)
        return Meaning((), (child,)) if child else NOTHING

    def root(self, resolver: Resolver, table: FileTable, name: str, symbol: int) -> Meaning:
        return first(resolver, table, name, symbol) if name in ("crate", "self", "super") else NOTHING

    def visible(self, resolver: Resolver, table: FileTable, name: str, symbol: int) -> Meaning:
        """A crate of the workspace at the start of a path, or a macro, which needs no import where its text comes
        before."""
        del symbol
        root = crate_named(resolver, table.path, name)
        found = nearest_macros(resolver, table, name)
        if root:
            return Meaning(found, (root,), (), 0.95, "import")
        return Meaning(found, (), (), 0.8 if len(found) == 1 else UNIQUE, "package") if found else NOTHING

    def owns(self, resolver: Resolver, target: SymbolId, member_path: str) -> bool:
        own = resolver.projects.nearest(target.path, "Cargo.toml")
        return own == resolver.projects.nearest(member_path, "Cargo.toml")

    def importer_words(self, resolver: Resolver, path: str) -> tuple[str, ...]:
        *folders, name = path.split("/")
        stem = name.partition(".")[0]
        if stem in ("lib", "main"):
            project = resolver.projects.nearest(path, "Cargo.toml")
            written = resolver.projects.pairs(project).get("name", [""])[0] if project else ""
            return ("crate", written.replace("-", "_"))
        table = resolver.table(path)
        return (stem, *folders[-1:], *(table.top if table is not None else ()))[:40]


def nearest_macros(resolver: Resolver, table: FileTable, name: str) -> tuple[SymbolId, ...]:
    """Macros of that name in the nearest folder of the same package that has any: tests often have their own, and
    several for one name (`mod` after `macro_rules!`)."""
    named = resolver.definitions(name, "rust")
    if not named or len(named) > MAX_MACROS:
        return ()
    own = resolver.projects.nearest(table.path, "Cargo.toml")
    found = [each for each in named if resolver.kind(each) is SymbolKind.MACRO]
    found = [each for each in found if resolver.projects.nearest(each.path, "Cargo.toml") == own]
    deepest = max((_shared(table.path, each.path) for each in found), default=0)
    return tuple(each for each in found if _shared(table.path, each.path) == deepest)


def _shared(one: str, other: str) -> int:
    """How many folders two paths have in common."""
    pairs = zip(folder(one).split("/"), folder(other).split("/"), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def walk(resolver: Resolver, table: FileTable, parts: list[str], symbol: int) -> Meaning:
    """What a path means in definition `symbol` of a file."""
    at = first(resolver, table, parts[0], symbol)
    rest = parts[1:]
    while rest and rest[0] == "super":
        at = _above(resolver, at)
        rest = rest[1:]
    for name in rest:
        if not at:
            return NOTHING
        at = _inner(resolver, table, at, name)
    return at


def _inner(resolver: Resolver, table: FileTable, at: Meaning, name: str) -> Meaning:
    found = resolver.module_member(table.path, at.modules, name, MAX_REEXPORTS)
    if found:
        return found
    inner = [each for owner in at.definitions for each in resolver.members(owner, name)]
    return Meaning(tuple(inner)) if inner else NOTHING


def first(resolver: Resolver, table: FileTable, name: str, symbol: int) -> Meaning:
    """What the first word of a path means."""
    if name == "crate":
        return Meaning((), (crate_root(resolver, table.path),))
    modules = [at for at in table.around(symbol) if table.kind(at) is SymbolKind.MODULE]
    here = Meaning((SymbolId(table.path, modules[0]),)) if modules else Meaning((), (table.path,))
    if name == "self":
        return here
    if name == "super":
        return _above(resolver, here)
    crate = crate_named(resolver, table.path, name)
    if name not in table.top and name not in table.imports and crate:
        return Meaning((), (crate,))
    return names.find(resolver, table, name, symbol, ReferenceKind.READ)


def _above(resolver: Resolver, at: Meaning) -> Meaning:
    """The module around another."""
    for target in at.definitions:
        table = resolver.table(target.path)
        around = [] if table is None else table.around(table.facts.symbols.parent[target.index])
        for outer in around:
            if table is not None and table.kind(outer) is SymbolKind.MODULE:
                return Meaning((SymbolId(target.path, outer),))
        return Meaning((), (target.path,))
    for path in at.modules:
        parent = parent_file(resolver, path)
        return Meaning((), (parent,)) if parent else NOTHING
    return NOTHING


def child_file(resolver: Resolver, path: str, name: str) -> str | None:
    """The file of `mod name;` in file `path`."""
    base = folder(path)
    stem = path.rpartition("/")[2].removesuffix(".rs")
    own = base if stem in ("mod", "lib", "main") else inside(base, stem)
    places = [own, base] if parent_file(resolver, path) is None else [own]
    for place in places:
        for each in (inside(place, f"{name}.rs"), inside(place, f"{name}/mod.rs")):
            if resolver.snapshot.has(each):
                return each
    return None


def parent_file(resolver: Resolver, path: str) -> str | None:
    """The file that declares the module `path`; None for the root of a crate."""
    base, name = folder(path), path.rpartition("/")[2]
    stem = name.removesuffix(".rs")
    if name in _ROOT_FILES:
        return None
    if name == "mod.rs":
        stem, base = base.rpartition("/")[2], folder(base)
    tries = [inside(base, each) for each in ("mod.rs", *_ROOT_FILES)]
    if base:
        tries.insert(0, f"{base}.rs")
    tries += _targets(resolver, path, base)
    tries = [each for each in tries if each != path and resolver.snapshot.has(each)]
    for each in tries:
        table = resolver.table(each)
        if table is not None and any(entry.module == f"self::{stem}" for entry in table.facts.imports):
            return each
    if f"{base}/".endswith(_APART) or len(tries) > 1:
        return None
    return tries[0] if tries else None  # declared by a macro


def _targets(resolver: Resolver, path: str, base: str) -> list[str]:
    """Crate roots in folder `base` that the manifest names."""
    project = resolver.projects.nearest(path, "Cargo.toml")
    pairs = resolver.projects.pairs(project) if project else {}
    written = [each for key in ("lib", "bin", "test", "example", "bench") for each in pairs.get(key, ())]
    found = [joined(folder(project or ""), each) for each in written]
    return [each for each in found if each is not None and folder(each) == base]


def crate_root(resolver: Resolver, path: str) -> str:
    """The root file of the crate that file `path` is in."""
    at = path
    for _ in range(MAX_LEVELS):
        parent = parent_file(resolver, at)
        if parent is None:
            return at
        at = parent
    return at


def crate_named(resolver: Resolver, path: str, name: str) -> str | None:
    """The root file of the library crate called `name` in code, seen from file `path`."""
    projects = resolver.projects
    own = projects.nearest(path, "Cargo.toml")
    manifests: list[str] = []
    if own:
        pairs = projects.pairs(own)
        for written in pairs.get(f"path:{name}", ()):
            base = joined(folder(own), written)
            if base is not None:
                manifests.append(inside(base, "Cargo.toml"))
        for package in pairs.get(f"package:{name}", ()):
            manifests += projects.named(package.replace("-", "_"), "Cargo.toml")
    manifests += projects.named(name, "Cargo.toml")
    for manifest in manifests:
        written = projects.pairs(manifest).get("lib", ["src/lib.rs"])[0]
        found = joined(folder(manifest), written)
        if found is not None and resolver.snapshot.has(found):
            return found
    return None
