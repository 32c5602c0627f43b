"""Packages and namespaces that files declare: what a dotted name means in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model.facts import CONTAINER_KINDS
from ..snapshot import SymbolId
from .meaning import NOTHING, Meaning

if TYPE_CHECKING:
    from .resolver import Resolver

MAX_DEPTH = 20


def in_package(resolver: Resolver, family: str, package: str, name: str) -> tuple[SymbolId, ...]:
    """Top-level definitions of `name` in files that declare exactly `package`."""
    if not package or not resolver.definitions(name, family):
        return ()
    key = f"{family} {package}"
    files = resolver.memory.visible.get(key)
    if files is None:
        files = resolver.memory.visible[key] = frozenset(resolver.snapshot.files_in_package(package))
    return tuple(resolver.outer(name, family, files.__contains__)) if files else ()


def named(resolver: Resolver, family: str, path: str, separator: str = ".") -> Meaning:
    """What a whole path means: a package, or a type in one (`a.b.Outer.Inner`)."""
    parts = path.split(separator)
    modules = (path,) if resolver.snapshot.files_in_package(path) else ()
    for length in range(len(parts) - 1, max(0, len(parts) - MAX_DEPTH), -1):
        package = separator.join(parts[:length])
        found = list(in_package(resolver, family, package, parts[length]))
        for name in parts[length + 1 :]:
            found = [inner for owner in found for inner in resolver.members(owner, name)]
        types = tuple(each for each in found if resolver.kind(each) in CONTAINER_KINDS)
        if types:
            return Meaning(types, modules)
    return Meaning((), modules) if modules else NOTHING


def member(resolver: Resolver, family: str, package: str, name: str, separator: str = ".") -> Meaning:
    """What `name` means in a package: a definition, or the package below it."""
    found = in_package(resolver, family, package, name)
    if found:
        return Meaning(found)
    return Meaning((), (f"{package}{separator}{name}",)) if name[:1].islower() or separator == "\\" else NOTHING


def own_files(resolver: Resolver, package: str) -> tuple[str, ...]:
    """Files that declare `package`."""
    return tuple(resolver.snapshot.files_in_package(package))
