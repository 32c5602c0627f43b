"""What files give to those who import them, and who imports them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ...model.facts import Import
from ..snapshot import SymbolId
from .meaning import NOTHING, Meaning

if TYPE_CHECKING:
    from .resolver import Resolver
    from .tables import FileTable

MAX_REEXPORTS = 6
"""How many files a chain of re-exports is followed through."""

MAX_FILES = 40
"""An import of a package brings in at most so many files."""

MAX_EXPORTS = 500
MAX_IMPORTERS = 500


def import_meaning(resolver: Resolver, table: FileTable, entry: Import, name: str, hops: int) -> Meaning:
    """What `name` ("" : the module itself) means in the module that `entry` names."""
    key = ("import", table.path, entry, name)
    return resolver.memory.once(key, NOTHING, lambda: _import_meaning(resolver, table, entry, name, hops))


def _import_meaning(resolver: Resolver, table: FileTable, entry: Import, name: str, hops: int) -> Meaning:
    if not entry.module:
        return _own(resolver, table, entry.name, hops)
    module = table.rules.module(resolver, table, entry)
    if not name or not module:
        return module
    found = resolver.module_member(table.path, module.modules, name, hops)
    if found:
        return found
    for owner in module.definitions:
        inner = resolver.members(owner, name)
        if inner:
            return Meaning(tuple(inner))
    return NOTHING


def _own(resolver: Resolver, table: FileTable, name: str, hops: int) -> Meaning:
    """What the file itself calls `name`: of `export { name as other }`."""
    own = table.top_level(name)
    if own:
        return Meaning(tuple(own))
    entries = [entry for entry in table.imports.get(name, ()) if entry.module]
    if hops <= 0:
        return _too_far(resolver) if entries else NOTHING
    for entry in entries:
        wanted = entry.name if entry.name not in ("", "*") else ""
        found = import_meaning(resolver, table, entry, wanted, hops - 1)
        if found:
            return found
    return NOTHING


def first_of(resolver: Resolver, table: FileTable, entries: Iterable[Import], hops: int) -> Meaning:
    """What the first of `entries` brings in that brings in anything. Where modules have names of their own
    (`mod parse; pub use parse::parse;`), the first module and the first definitions."""
    module = NOTHING
    for entry in entries:
        wanted = entry.name if entry.name not in ("", "*") else ""
        found = import_meaning(resolver, table, entry, wanted, hops)
        if found and not table.rules.modules_apart:
            return found
        if found.definitions:
            modules = found.modules or module.modules
            return Meaning(found.definitions, modules, found.types, found.confidence, found.via)
        module = module or found
    return module


def exported(resolver: Resolver, path: str, name: str, hops: int) -> Meaning:
    """What importers of file `path` get under `name`: its own definition, or one it passes on."""
    key = ("exported", path, name)
    return resolver.memory.once(key, NOTHING, lambda: _exported(resolver, path, name, hops))


def _exported(resolver: Resolver, path: str, name: str, hops: int) -> Meaning:
    table = resolver.table(path)
    if table is None:
        return NOTHING
    own = table.top_level(name)
    if own:
        return Meaning(tuple(own))
    named = [entry for entry in table.imports_named(name) if entry.reexport or table.rules.private_imports]
    whole = [entry for entry in table.imports_named("*") if entry.reexport or table.rules.private_imports]
    if hops <= 0:
        return _too_far(resolver) if named or whole else NOTHING
    found = first_of(resolver, table, named, hops - 1)
    if found:
        return found
    for entry in whole:
        found = import_meaning(resolver, table, entry, name, hops - 1)
        if found:
            return found
    return NOTHING


def _too_far(resolver: Resolver) -> Meaning:
    """Nothing, but only from here: who asks from nearer to the definition gets an answer."""
    resolver.memory.doubts += 1
    return NOTHING


def import_files(resolver: Resolver, table: FileTable, entry: Import) -> tuple[str, ...]:
    """Workspace files that `entry` may bring in, best first: where the name is defined, then the module's own."""
    nothing: tuple[str, ...] = ()
    return resolver.memory.once(("files", table.path, entry), nothing, lambda: _import_files(resolver, table, entry))


def _import_files(resolver: Resolver, table: FileTable, entry: Import) -> tuple[str, ...]:
    if not entry.module:
        return ()
    found: list[str] = []
    module = table.rules.whole_module(resolver, table, entry)
    meanings = [module]
    if entry.name not in ("", "*"):
        meanings.append(import_meaning(resolver, table, entry, entry.name, MAX_REEXPORTS))
    for meaning in meanings:
        for each in meaning.modules:
            found += table.rules.module_files(resolver, each)
        found += [target.path for target in meaning.definitions]
    if len(meanings) > 1 and meanings[1].definitions and not _is_file(resolver, module):
        # A name from a package: only the file that defines it, not all the package's.
        found = [target.path for target in meanings[1].definitions]
    return tuple(dict.fromkeys(path for path in found if path != table.path))[:MAX_FILES]


def _is_file(resolver: Resolver, module: Meaning) -> bool:
    return any(resolver.snapshot.has(each) for each in module.modules)


def importers(resolver: Resolver, path: str) -> list[tuple[str, int]]:
    """Files that import `path`, by path, with the first line that does."""
    words = resolver.rules_of(path).importer_words(resolver, path)
    candidates = sorted({each for word in words if word for each in resolver.snapshot.files_importing(word)})
    found: list[tuple[str, int]] = []
    for candidate in candidates[:MAX_IMPORTERS]:
        table = resolver.table(candidate)
        if table is None or candidate == path:
            continue
        for entry in table.facts.imports:
            if path in import_files(resolver, table, entry):
                found.append((candidate, entry.line))
                break
    return found


def exports(resolver: Resolver, path: str) -> dict[str, tuple[SymbolId, ...]]:
    """What importers of `path` can get from it, by name."""
    table = resolver.table(path)
    if table is None:
        return {}
    found: dict[str, tuple[SymbolId, ...]] = {
        name: tuple(SymbolId(path, index) for index in indices) for name, indices in table.top.items()
    }
    names = [entry.alias for entry in table.facts.imports if entry.reexport and entry.alias]
    for entry in table.imports_named("*"):
        for each in import_files(resolver, table, entry) if entry.reexport else ():
            other = resolver.table(each)
            names += other.top if other is not None else ()
    for name in names[:MAX_EXPORTS]:
        if name not in found:
            meaning = exported(resolver, path, name, MAX_REEXPORTS)
            if meaning.definitions:
                found[name] = meaning.definitions
    return found
