"""Java, Kotlin, Scala: packages, nested types, static and wildcard imports. A module is a package."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model.facts import CALLABLE_KINDS, CONTAINER_KINDS, NOWHERE, Import, ReferenceKind, SymbolFlag, SymbolKind
from ..snapshot import SymbolId
from .meaning import NOTHING, Meaning
from .names import imported
from .packages import in_package, member, named, own_files
from .paths import folder
from .rules import Rules

if TYPE_CHECKING:
    from .resolver import Resolver
    from .tables import FileTable


COMMON = frozenset(
    """use let also apply run with map filter forEach first last toInt toLong toByte toString equals hashCode get set
    add put and or xor shl shr plus minus contains size isEmpty""".split()  # noqa: SIM905 - a table of words
)
"""Extensions of the standard library that need no import."""


class JvmRules(Rules):
    """What Java, Kotlin and Scala share."""

    family = "jvm"
    static_members = True
    implicit_members = True
    extension_members = True
    detached = True
    types_apart = True
    property_calls = True
    self_names = frozenset({"this"})

    def module(self, resolver: Resolver, table: FileTable, entry: Import) -> Meaning:
        del table
        return named(resolver, "jvm", entry.module)

    def module_member(self, resolver: Resolver, module: str, name: str, hops: int) -> Meaning:
        del hops
        return member(resolver, "jvm", module, name)

    def module_files(self, resolver: Resolver, module: str) -> tuple[str, ...]:
        return own_files(resolver, module)

    def root(self, resolver: Resolver, table: FileTable, name: str, symbol: int) -> Meaning:
        del resolver, symbol
        known = not name[:1].islower() or name in table.imports or name in table.bindings
        return NOTHING if known else Meaning((), (name,))

    def visible(self, resolver: Resolver, table: FileTable, name: str, symbol: int) -> Meaning:
        del symbol
        package = table.facts.package
        if package:
            found = in_package(resolver, "jvm", package, name)
        else:
            own = folder(table.path)
            found = tuple(resolver.outer(name, "jvm", lambda path: folder(path) == own))
            found = tuple(each for each in found if _package(resolver, each.path) == "")
        return Meaning(tuple(each for each in found if each.path != table.path), (), (), 0.95, "package")

    def extends(self, resolver: Resolver, table: FileTable, target: SymbolId) -> bool:
        """An extension is in reach of its package and of those who import it."""
        other = resolver.table(target.path)
        if other is None or not other.has_flag(target.index, SymbolFlag.EXTENSION):
            return False
        if other.facts.symbols.parent[target.index] != NOWHERE:
            return False
        if target.path == table.path:
            return True
        name = other.symbol_name(target.index)
        shared = other.has_flag(target.index, SymbolFlag.EXPORTED)
        near = other.facts.package == table.facts.package and name not in COMMON
        return shared and (near or target in imported(resolver, table, name, NOWHERE).definitions)

    def importer_words(self, resolver: Resolver, path: str) -> tuple[str, ...]:
        package = _package(resolver, path)
        return (path.rpartition("/")[2].partition(".")[0], package, package.rpartition(".")[2])


class JavaRules(JvmRules):
    """Java keeps methods, fields and types apart."""

    property_calls = False

    def fits(self, use: ReferenceKind, kind: SymbolKind) -> bool:
        if use is ReferenceKind.CALL:
            return kind in CALLABLE_KINDS or kind in CONTAINER_KINDS
        if use in (ReferenceKind.TYPE, ReferenceKind.INHERIT):
            return kind in CONTAINER_KINDS
        return use is not ReferenceKind.READ or kind not in CALLABLE_KINDS


def _package(resolver: Resolver, path: str) -> str:
    table = resolver.table(path)
    return "" if table is None else table.facts.package
