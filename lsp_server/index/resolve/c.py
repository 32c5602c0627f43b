"""C and C++: names come in by `#include`, through headers as well; headers and implementations belong together.

A module is a file, or `::` with a namespace, the file it is named in behind a `|`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ...model.facts import CALLABLE_KINDS, CONTAINER_KINDS, Import, ReferenceKind, SymbolFlag, SymbolKind
from ..snapshot import ReferenceSite, SymbolId
from .meaning import NOTHING, Meaning
from .paths import ending_with, folder, joined, shared_depth
from .rules import UNIQUE, Rules

if TYPE_CHECKING:
    from .resolver import Resolver
    from .tables import FileTable

MAX_INCLUDERS = 400
"""Files that are looked at for who includes one header."""

MAX_LEVELS = 6
"""How many files deep an include may stand."""

MAX_BODIES = 4
"""More bodies of one declaration than this are different things."""

MAX_SITES = 200
"""Uses of a field that are looked at for what is put into it."""

ASSIGNED = range(1, 24)
"""Columns between a field and the function it is set to: `=`, tabs, `&`, a cast."""

FURTHER = 1
"""Overloads stand at most so many files behind the nearest of them."""

MAX_OVERLOADS = 12
"""Of more functions of one name the nearest count."""

HEADERS = (".h", ".hh", ".hpp", ".hxx", ".h++", ".inl", ".ipp", ".tpp", ".inc")

_STANDARD = frozenset(
    """assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h iso646.h limits.h locale.h math.h setjmp.h
    signal.h stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdio.h stdlib.h stdnoreturn.h string.h
    strings.h tgmath.h threads.h time.h uchar.h wchar.h wctype.h unistd.h fcntl.h pthread.h dlfcn.h poll.h""".split()  # noqa: SIM905
)
_LIBRARY_SPACES = frozenset({"std", "boost", "absl"})
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
    overloads = True
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
        found = _nearest(resolver, path, resolver.definitions(name, "c"), space)
        if not found:
            return NOTHING
        spaces = all(resolver.kind(each) is SymbolKind.NAMESPACE for each in found)
        if spaces:
            return Meaning((), (f"::{name}|{path}",))
        outside = [each for each in resolver.definitions(name, "c") if _belongs(resolver, each, space)]
        return Meaning(tuple(dict.fromkeys((*outside[:MAX_BODIES], *_with_bodies(resolver, found)))))

    def root(self, resolver: Resolver, table: FileTable, name: str, symbol: int) -> Meaning:
        del symbol
        near = _nearest(resolver, table.path, resolver.definitions(name, "c"))
        if any(resolver.kind(each) is SymbolKind.NAMESPACE for each in near):
            return Meaning((), (f"::{name}|{table.path}",), (), 0.95, "include")
        types = tuple(each for each in near if resolver.kind(each) in CONTAINER_KINDS)
        if not types and name not in _LIBRARY_SPACES and _is_space(resolver, name):
            # A macro may open it (`BEGIN_NAMESPACE`).
            return Meaning((), (f"::{name}|{table.path}",), (), 0.9, "include")
        return Meaning(types, (), (), 0.9, "include")

    def visible(self, resolver: Resolver, table: FileTable, name: str, symbol: int) -> Meaning:
        del symbol
        defined = [each for each in resolver.definitions(name, "c") if each.path != table.path]
        found = _nearest(resolver, table.path, defined)
        if not found:
            return NOTHING
        return Meaning(_with_bodies(resolver, found), (), (), 0.95, "include")

    def completed(self, resolver: Resolver, meaning: Meaning) -> Meaning:
        """A prototype leads to the body in another file."""
        found = meaning.definitions
        if not found or any(_whole(resolver, each) or resolver.kind(each) not in CALLABLE_KINDS for each in found):
            return meaning
        return Meaning(_with_bodies(resolver, found), meaning.modules, meaning.types, meaning.confidence, meaning.via)

    def owns(self, resolver: Resolver, target: SymbolId, member_path: str) -> bool:
        return _stem(member_path) == _stem(target.path) or member_path in includers(resolver, target.path)

    def put_into(self, resolver: Resolver, target: SymbolId) -> list[SymbolId]:
        """`stream->read = socket_read;` and `.read = socket_read`, anywhere."""
        name = resolver.snapshot.symbol(target).name
        found: dict[SymbolId, None] = {}
        for site in resolver.snapshot.references(name)[:MAX_SITES]:
            value = _value_of(resolver, site, target) if self.family == resolver.rules_of(site.path).family else None
            if value is not None:
                found.setdefault(value)
        return list(found)

    def importer_words(self, resolver: Resolver, path: str) -> tuple[str, ...]:
        del resolver
        name = path.rpartition("/")[2]
        return (name, name.rpartition(".")[0])

    def shared(self, resolver: Resolver, target: SymbolId) -> bool:
        """A name nothing includes: what is defined, not what is only declared."""
        return _shared(resolver, target) and _whole(resolver, target)


def _value_of(resolver: Resolver, site: ReferenceSite, field: SymbolId) -> SymbolId | None:
    """The function that the use of a field at `site` is set to; None when it is another field or no function."""
    table = resolver.table(site.path)
    if table is None:
        return None
    references, at = table.facts.references, site.index + 1
    if at >= len(references) or references.kind[at] != ReferenceKind.READ or references.receiver[at]:
        return None
    end = references.column[site.index] + len(resolver.snapshot.symbol(field).name)
    between = references.column[at] - end
    near = references.line[at] == references.line[site.index] and between in ASSIGNED
    if not near or references.kind[site.index] != ReferenceKind.ATTRIBUTE:
        return None
    meant = resolver.resolve_at(table, site.index)
    if meant.confident and field not in meant.targets:
        return None
    found = resolver.resolve_at(table, at)
    functions = [each for each in found.targets if resolver.kind(each) in CALLABLE_KINDS]
    return functions[0] if found.confident and functions else None


def _is_space(resolver: Resolver, name: str) -> bool:
    """True when some file opens a namespace of that name."""
    found = resolver.definitions(name, "c")[:MAX_OVERLOADS]
    return any(resolver.kind(each) is SymbolKind.NAMESPACE for each in found)


def _shared(resolver: Resolver, target: SymbolId) -> bool:
    """False for what is static in an implementation file, and for a test, which nothing calls."""
    if resolver.flagged(target, SymbolFlag.TEST):
        return False
    return target.path.endswith(HEADERS) or resolver.flagged(target, SymbolFlag.EXPORTED)


def _spaces(resolver: Resolver, target: SymbolId) -> set[str]:
    """Names of the namespaces around a definition."""
    table = resolver.table(target.path)
    if table is None:
        return set()
    return {table.symbol_name(at) for at in table.around(target.index)[1:] if table.kind(at) is SymbolKind.NAMESPACE}


def _belongs(resolver: Resolver, target: SymbolId, space: str) -> bool:
    """True for a body that names its namespace itself (`int space::name() {…}`)."""
    table = resolver.table(target.path)
    return table is not None and table.owner(target.index) == space and _whole(resolver, target)


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
    if len(elsewhere) > 1:
        stems = {_stem(each.path) for each in declared}
        elsewhere = [each for each in elsewhere if _stem(each.path) in stems] or elsewhere
    return (*elsewhere, *declared) if len(elsewhere) <= MAX_BODIES else tuple(declared)


def _whole(resolver: Resolver, target: SymbolId) -> bool:
    return not resolver.flagged(target, SymbolFlag.DECLARATION)


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]


def _nearest(resolver: Resolver, path: str, defined: list[SymbolId], space: str = "") -> list[SymbolId]:
    """Those of `defined` that stand at the top level of `path` or of the nearest files it includes.

    With `space` only those inside a namespace of that name. Reads no facts of files out of reach.
    """
    if not defined:
        return []
    depths = {each: 0 if each.path == path else includers(resolver, each.path).get(path, -1) for each in defined}
    found: list[SymbolId] = []
    unspaced: list[SymbolId] = []
    last = MAX_LEVELS
    for depth in sorted({depth for depth in depths.values() if depth >= 0}):
        if depth > last:
            break
        bare: list[SymbolId] = []
        for each in (each for each in defined if depths[each] == depth):
            table = resolver.table(each.path)
            if table is None or each.index not in table.top.get(table.symbol_name(each.index), ()):
                continue
            if depth and not _shared(resolver, each):
                continue
            spaces = _spaces(resolver, each) if space else set[str]()
            if space in spaces or not space:
                found.append(each)
            elif depth and not spaces and resolver.kind(each) is not SymbolKind.NAMESPACE:
                bare.append(each)
        # Farther files may hold further overloads.
        if found and (path.endswith(".c") or any(resolver.kind(each) not in CALLABLE_KINDS for each in found)):
            return found
        last = depth + FURTHER if found and last == MAX_LEVELS else last
        unspaced = unspaced or bare
    # What opens the namespace may be a macro, which no grammar sees.
    return found[:MAX_OVERLOADS] or unspaced


def includers(resolver: Resolver, header: str) -> dict[str, int]:
    """Files that include `header`, through how many files, by the names in include lines alone.

    Reads no facts: a file is taken to include the nearest header of the name it includes.
    """
    nothing: dict[str, int] = {}
    return resolver.memory.once(("includers", header), nothing, lambda: _includers(resolver, header))


def _includers(resolver: Resolver, header: str) -> dict[str, int]:
    found: dict[str, int] = {}
    frontier = [header]
    for depth in range(1, MAX_LEVELS + 1):
        following: list[str] = []
        for each in frontier:
            for other in _direct_includers(resolver, each):
                if other != header and other not in found:
                    found[other] = depth
                    following.append(other)
        frontier = [each for each in following if each.endswith(HEADERS)]
        if len(found) > MAX_INCLUDERS or not frontier:
            break
    return found


def _direct_includers(resolver: Resolver, header: str) -> list[str]:
    nothing: list[str] = []
    key = ("direct includers", header)
    return resolver.memory.once(key, nothing, lambda: _find_direct_includers(resolver, header))


def _find_direct_includers(resolver: Resolver, header: str) -> list[str]:
    snapshot = resolver.snapshot
    name = header.rpartition("/")[2]
    alike = snapshot.paths_named(name)
    found = [each for each in snapshot.files_importing(name.rpartition(".")[0]) if _reads_c(each)]
    if name in _STANDARD:
        least = min(2, header.count("/"))
        found = [each for each in found if shared_depth(each, header) >= least]
    if len(alike) > 1:
        found = [each for each in found if _closest(each, alike) == header]
    return found


def _reads_c(path: str) -> bool:
    return path.endswith((*HEADERS, ".c", ".cc", ".cpp", ".cxx", ".c++", ".cu"))


def _closest(path: str, alike: Sequence[str]) -> str:
    """Of headers of one name the one that `path` most likely includes: the nearest."""
    return min(alike, key=lambda each: (-shared_depth(each, path), each.count("/"), each))


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
