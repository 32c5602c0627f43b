"""Ruby: constants by their qualified names, as loaders of frameworks do; files by `require`."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from ...model.facts import CONTAINER_KINDS, TYPE_KINDS, Import, ReferenceKind, SymbolKind
from ..snapshot import SymbolId
from .meaning import NOTHING, Meaning
from .paths import ending_with, folder, joined
from .rules import UNIQUE, Rules

if TYPE_CHECKING:
    from .resolver import Resolver
    from .tables import FileTable

MAX_PARTS = 12
MAX_NAMED = 60


class RubyRules(Rules):
    """Ruby's rules."""

    family = "ruby"
    implicit_members = True
    property_calls = True
    self_names = frozenset({"self"})
    self_types = frozenset[str]()
    member_names = MappingProxyType({"new": "initialize"})
    same_names = frozenset({"class", "itself", "tap", "dup", "clone", "freeze"})
    test_runners = frozenset(
        """describe context it specify example feature scenario test should xit fit xdescribe fdescribe
        shared_examples shared_context shared_examples_for""".split()  # noqa: SIM905 - a table of words
    )
    unique = UNIQUE
    unique_kinds = TYPE_KINDS | {SymbolKind.MODULE, SymbolKind.FUNCTION, SymbolKind.CONSTANT}

    def module(self, resolver: Resolver, table: FileTable, entry: Import) -> Meaning:
        written = entry.module if entry.module.endswith(".rb") else f"{entry.module}.rb"
        if written.startswith("."):
            found = joined(folder(table.path), written)
            return Meaning((), (found,)) if found and resolver.snapshot.has(found) else NOTHING
        near = ending_with(resolver.snapshot, f"lib/{written}", table.path)
        near = near or [
            each for each in ending_with(resolver.snapshot, written, table.path) if _loadable(each, written)
        ]
        return Meaning((), tuple(near[:1])) if near else NOTHING

    def visible(self, resolver: Resolver, table: FileTable, name: str, symbol: int) -> Meaning:
        if not name[:1].isupper():
            return NOTHING
        candidates = resolver.definitions(name, "ruby")
        if not candidates or len(candidates) > MAX_NAMED:
            return NOTHING
        qualified = [(each, _qualified(resolver, each)) for each in candidates]
        for at in table.around(symbol):
            if table.kind(at) not in CONTAINER_KINDS:
                continue
            scope = table.facts.qualified_name(at).replace("::", ".")
            while scope:
                found = tuple(each for each, whole in qualified if whole == f"{scope}.{name}")
                if found:
                    return Meaning(found[:MAX_PARTS], (), (), 0.95, "package")
                scope = scope.rpartition(".")[0]
        found = tuple(each for each, whole in qualified if whole == name)
        return Meaning(found[:MAX_PARTS], (), (), 0.9, "package")

    def by_path(self, resolver: Resolver, table: FileTable, path: tuple[str, ...], symbol: int) -> Meaning:
        """A module that hundreds of files open again says nothing by its own name; the whole path does."""
        if not all(name[:1].isupper() for name in path):
            return NOTHING
        candidates = resolver.definitions(path[-1], "ruby")
        if len(candidates) > MAX_NAMED:
            return NOTHING
        scopes = [table.facts.qualified_name(at).replace("::", ".") for at in table.around(symbol)]
        wholes = {".".join((*scope, *path)) for whole in ("", *scopes) for scope in _prefixes(whole)}
        found = tuple(each for each in candidates if _qualified(resolver, each) in wholes)
        return Meaning(found[:MAX_PARTS], (), (), 0.95, "package") if found else NOTHING

    def fits(self, use: ReferenceKind, kind: SymbolKind) -> bool:
        """A constant is read, never called."""
        return use is not ReferenceKind.CALL or kind not in CONTAINER_KINDS

    def other_parts(self, resolver: Resolver, table: FileTable, target: SymbolId) -> list[SymbolId]:
        """The same class or module, opened again."""
        own = table.facts.qualified_name(target.index).replace("::", ".")
        candidates = resolver.definitions(table.symbol_name(target.index), "ruby")
        if table.kind(target.index) not in CONTAINER_KINDS or len(candidates) > MAX_NAMED:
            return []
        return [each for each in candidates if each != target and _qualified(resolver, each) == own][:MAX_PARTS]

    def importer_words(self, resolver: Resolver, path: str) -> tuple[str, ...]:
        del resolver
        return (path.rpartition("/")[2].partition(".")[0],)


def _qualified(resolver: Resolver, target: SymbolId) -> str:
    table = resolver.table(target.path)
    return "" if table is None else table.facts.qualified_name(target.index).replace("::", ".")


def _prefixes(whole: str) -> list[tuple[str, ...]]:
    """`A.B` with nothing, one and all of its parts left."""
    parts = tuple(whole.split(".")) if whole else ()
    return [parts[:size] for size in range(len(parts) + 1)]


def _loadable(path: str, written: str) -> bool:
    """True for a file in a folder that is put on the load path."""
    base = path[: -len(written)].rstrip("/").rpartition("/")[2]
    return base in ("", "lib", "app", "test", "spec", "src")
