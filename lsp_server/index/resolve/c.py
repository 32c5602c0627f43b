"""C and C++: names come in by `#include`, through headers as well; headers and implementations belong together.

A module is a file, or `::` with a namespace, the file it is named in behind a `|`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ...model.facts import CALLABLE_KINDS, CONTAINER_KINDS, Import, SymbolFlag, SymbolKind
from ..snapshot import SymbolId
from .meaning import NOTHING, Meaning
from .paths import ending_with, folder, joined
from .rules import UNIQUE, Rules

if TYPE_CHECKING:
    from .resolver import Resolver
    from .tables import FileTable

MAX_INCLUDED = 150
"""Files that are looked through for what one file includes, nearest first."""

MAX_BODIES = 4
"""More bodies of one declaration than this are different things."""

HEADERS = (".h", ".hh", ".hpp", ".hxx", ".h++", ".inl", ".ipp", ".tpp", ".inc")

_STANDARD = frozenset(
    """assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h iso646.h limits.h locale.h math.h setjmp.h
    signal.h stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdio.h stdlib.h stdnoreturn.h string.h
    strings.h tgmath.h threads.h time.h uchar.h wchar.h wctype.h unistd.h fcntl.h pthread.h dlfcn.h poll.h""".split()  # noqa: SIM905
)
_INCLUDE_FOLDERS = frozenset({"include", "includes", "inc", "src", "lib", "source"})


class CRules(Rules):
    """The rules of C and C++."""

    family = "c"
    implicit_members = True
    self_names = frozenset({"this"})
    super_names = frozenset[str]()
    self_types = frozenset[str]()
    transparent = frozenset({SymbolKind.NAMESPACE})
    detached = True
    types_apart = True
    paired = True
    unique = UNIQUE

    def module(self, resolver: Resolver, table: FileTable, entry: Import) -> Meaning:
        if entry.module[:1] in ('"', "<"):
            found = included(resolver, table.path, entry.module)
            return Meaning((), (found,)) if found else NOTHING
        return NOTHING

    def module_member(self, resolver: Resolver, module: str, name: str, hops: int) -> Meaning:
        del hops
        if not module.startswith("::"):
            return NOTHING  # `visible` looks through what is included
        space, _, path = module[2:].partition("|")
        table = resolver.table(path)
        if table is None:
            return NOTHING
        near = _in_reach(resolver, path, resolver.outer(name, "c", lambda _path: True))
        found = [each for each in near if space in _spaces(resolver, each)]
        if not found:
            return NOTHING
        spaces = all(resolver.kind(each) is SymbolKind.NAMESPACE for each in found)
        return Meaning((), (f"::{name}|{path}",)) if spaces else Meaning(_with_bodies(resolver, found))

    def root(self, resolver: Resolver, table: FileTable, name: str, symbol: int) -> Meaning:
        del symbol
        if name in table.bindings:
            return NOTHING
        spaces = resolver.outer(name, "c", lambda _path: True)
        if any(resolver.kind(each) is SymbolKind.NAMESPACE for each in spaces):
            return Meaning((), (f"::{name}|{table.path}",))
        near = _in_reach(resolver, table.path, spaces)
        return Meaning(tuple(each for each in near if resolver.kind(each) in CONTAINER_KINDS), (), (), 0.9, "include")

    def visible(self, resolver: Resolver, table: FileTable, name: str, symbol: int) -> Meaning:
        del symbol
        everywhere = resolver.definitions(name, "c")
        if len(everywhere) <= 48:
            candidates = [
                each for each in resolver.outer(name, "c", lambda path: path != table.path) if _shared(resolver, each)
            ]
        else:
            files = everything_included(resolver, table.path)
            candidates = resolver.outer(name, "c", lambda path: path != table.path and path in files)
        found = _in_reach(resolver, table.path, candidates)
        if not found:
            return NOTHING
        return Meaning(_with_bodies(resolver, found), (), (), 0.95, "include")

    def owns(self, resolver: Resolver, target: SymbolId, member_path: str) -> bool:
        return member_path == target.path or target.path in everything_included(resolver, member_path)

    def importer_words(self, resolver: Resolver, path: str) -> tuple[str, ...]:
        del resolver
        name = path.rpartition("/")[2]
        return (name, name.rpartition(".")[0])

    def shared(self, resolver: Resolver, target: SymbolId) -> bool:
        """A name nothing includes: what is defined, not what is only declared."""
        return _shared(resolver, target) and _whole(resolver, target)


def _shared(resolver: Resolver, target: SymbolId) -> bool:
    """False for what is static in an implementation file."""
    return target.path.endswith(HEADERS) or resolver.flagged(target, SymbolFlag.EXPORTED)


def _spaces(resolver: Resolver, target: SymbolId) -> set[str]:
    """Names of the namespaces around a definition."""
    table = resolver.table(target.path)
    if table is None:
        return set()
    return {table.symbol_name(at) for at in table.around(target.index)[1:] if table.kind(at) is SymbolKind.NAMESPACE}


def _with_bodies(resolver: Resolver, found: Iterable[SymbolId]) -> tuple[SymbolId, ...]:
    """Declarations along with their bodies in other files; bodies first."""
    declared = list(found)
    bodies = [each for each in declared if _whole(resolver, each)]
    if bodies:
        return (*bodies, *(each for each in declared if each not in bodies))
    names = {resolver.snapshot.symbol(each).name for each in declared}
    kinds = {resolver.kind(each) for each in declared}
    elsewhere: list[SymbolId] = []
    for name in names:
        for each in resolver.outer(name, "c", lambda _path: True):
            alike = resolver.kind(each) in kinds or {resolver.kind(each), *kinds} <= CALLABLE_KINDS
            if each not in declared and alike and _whole(resolver, each) and _shared(resolver, each):
                elsewhere.append(each)
    headers = {each.path for each in declared}
    tied = [each for each in elsewhere if headers & everything_included(resolver, each.path)] or elsewhere
    return (*tied, *declared) if len(tied) <= MAX_BODIES else tuple(declared)


def _whole(resolver: Resolver, target: SymbolId) -> bool:
    return not resolver.flagged(target, SymbolFlag.DECLARATION)


def _in_reach(resolver: Resolver, path: str, candidates: list[SymbolId]) -> list[SymbolId]:
    """Those candidates that stand in `path` or in what it includes."""
    if not candidates:
        return []
    own = [each for each in candidates if each.path == path]
    if own:
        return own
    files = everything_included(resolver, path)
    return [each for each in candidates if each.path in files]


def everything_included(resolver: Resolver, path: str) -> frozenset[str]:
    """The files that `path` includes, through others as well, MAX_INCLUDED at most."""
    known = resolver.memory.visible.get(path)
    if known is None:
        found: dict[str, None] = {}
        waiting = [path]
        while waiting and len(found) < MAX_INCLUDED:
            following: list[str] = []
            for each in waiting:
                table = resolver.table(each)
                for entry in table.facts.imports if table is not None else ():
                    other = included(resolver, each, entry.module) if entry.module[:1] in ('"', "<") else None
                    if other is not None and other not in found and other != path:
                        found[other] = None
                        following.append(other)
                if len(found) >= MAX_INCLUDED:
                    break
            waiting = following
        known = resolver.memory.visible[path] = frozenset(found)
    return known


def included(resolver: Resolver, path: str, written: str) -> str | None:
    """The workspace file that `"name.h"` or `<name.h>` in file `path` means."""
    name = written.strip('"<>').replace("\\", "/")
    own = joined(folder(path), name)
    if own is not None and resolver.snapshot.has(own) and (written[:1] == '"' or name not in _STANDARD):
        return own
    if name in _STANDARD and written[:1] == "<":
        return None
    while name.startswith("../"):
        name = name[3:]
    near = ending_with(resolver.snapshot, name.removeprefix("./"), path)
    if len(near) <= 1:
        return near[0] if near and _plausible(near[0], name, written) else None
    commands = resolver.projects.nearest(path, "compile_commands.json")
    for place in resolver.projects.pairs(commands).get("include", ()) if commands else ():
        for each in near:
            base = each[: -len(name) - 1]
            if base and place.rstrip("/").endswith("/" + base):
                return each
    known = [each for each in near if _plausible(each, name, written)]
    return known[0] if known else None


def _plausible(path: str, name: str, written: str) -> bool:
    """An include in angle brackets names something in an include folder, or spells a folder itself."""
    if written[:1] == '"' or "/" in name:
        return True
    return folder(path).rpartition("/")[2] in _INCLUDE_FOLDERS or "include" in path.split("/")
