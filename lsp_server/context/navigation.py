"""From a place in the code to definitions, uses and callers: syntactic, over one snapshot.

What is known is what the resolver knows: scopes, imports, packages, written types. Nothing here is
checked by a compiler; answers say which file and name, positions are (1-based line, byte column).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from ..index.resolve import Resolver
from ..index.snapshot import FileView, Snapshot, SymbolId
from ..model.facts import NOWHERE, Reference, ReferenceKind, Symbol
from ..model.source import Checkpoint, no_checkpoint
from ..model.values import Ordered, Value

MAX_SITES = 5_000
"""Uses of one name that are looked at; a name used more often means too many things."""

CHECK_EVERY = 200


class NameSite(Ordered):
    """A name in a file: 1-based line, byte column, length in bytes. `kind` is None for a definition."""

    path: str
    line: int
    column: int
    length: int
    kind: ReferenceKind | None = None


class NameAt(Value):
    """What stands under the cursor: a use of a name, or the name of a definition."""

    site: NameSite
    name: str
    reference: Reference | None
    symbol: SymbolId | None


def name_at(view: FileView, line: int, column: int) -> NameAt | None:
    """The name that covers the byte `column` of 1-based `line`, or ends there; None between names."""
    facts = view.facts
    symbols = facts.symbols
    for index in range(len(symbols)):
        if symbols.name_line[index] == line and symbols.name[index]:
            site = symbol_site(view, index)
            if site.column <= column <= site.column + site.length:
                return NameAt(site, facts.names[symbols.name[index]], None, SymbolId(view.path, index))
    best: NameAt | None = None
    for reference in references_on(view, line):
        site = reference_site(view.path, reference)
        if site.column <= column <= site.column + site.length:
            best = NameAt(site, reference.name, reference, None)
            if column < site.column + site.length:
                break
    return best


def references_on(view: FileView, line: int) -> Iterator[Reference]:
    """Uses of names on the 1-based `line`."""
    lines = view.facts.references.line
    index = bisect_left(lines, line)
    while index < len(lines) and lines[index] == line:
        yield view.facts.reference(index)
        index += 1


def symbol_site(view: FileView, index: int) -> NameSite:
    """Where the name of a definition stands."""
    symbols = view.facts.symbols
    name = view.facts.names[symbols.name[index]]
    return NameSite(view.path, symbols.name_line[index], symbols.name_column[index], _size(name))


def reference_site(path: str, reference: Reference) -> NameSite:
    """Where a used name stands."""
    return NameSite(path, reference.line, reference.column, _size(reference.name), reference.kind)


def _size(name: str) -> int:
    return len(name.encode("utf-8", "replace"))


def definitions_at(resolver: Resolver, path: str, line: int, column: int) -> tuple[SymbolId, ...]:
    """The definitions of what stands at a place, best first; a definition's own name gives itself."""
    view = resolver.snapshot.file(path)
    found = None if view is None else name_at(view, line, column)
    return () if found is None else targets_of(resolver, found)


def targets_of(resolver: Resolver, name: NameAt) -> tuple[SymbolId, ...]:
    """The definitions that a name means, best first."""
    if name.symbol is not None:
        return (name.symbol,)
    if name.reference is None:
        return ()
    return resolver.resolve(name.site.path, name.reference).targets


def uses_of(
    resolver: Resolver, targets: Iterable[SymbolId], checkpoint: Checkpoint = no_checkpoint
) -> list[tuple[NameSite, Reference]]:
    """Every use that resolves to one of `targets`, by path and position."""
    snapshot = resolver.snapshot
    wanted = set(targets)
    found: list[tuple[NameSite, Reference]] = []
    for name in sorted({snapshot.symbol(target).name for target in wanted}):
        for number, site in enumerate(snapshot.references(name)[:MAX_SITES]):
            if number % CHECK_EVERY == 0:
                checkpoint()
            view = snapshot.file(site.path)
            if view is None:
                continue
            reference = view.facts.reference(site.index)
            if wanted & set(resolver.resolve(site.path, reference).targets):
                found.append((reference_site(site.path, reference), reference))
    return sorted(found, key=lambda pair: pair[0])


class Calls(Value):
    """Calls between two definitions. `other` is None for code at the top level of `path`."""

    path: str
    other: SymbolId | None
    sites: tuple[NameSite, ...]


def incoming_calls(resolver: Resolver, target: SymbolId, checkpoint: Checkpoint = no_checkpoint) -> list[Calls]:
    """Who calls `target`, by path and position."""
    grouped: dict[tuple[str, int], list[NameSite]] = {}
    for site, reference in uses_of(resolver, [target], checkpoint):
        if reference.kind in (ReferenceKind.CALL, ReferenceKind.DECORATOR):
            grouped.setdefault((site.path, reference.symbol), []).append(site)
    return [
        Calls(path, None if symbol == NOWHERE else SymbolId(path, symbol), tuple(sites))
        for (path, symbol), sites in grouped.items()
    ]


def outgoing_calls(resolver: Resolver, source: SymbolId) -> list[Calls]:
    """What the code of `source` calls, as far as it is known, in order of the first call."""
    view = resolver.snapshot.file(source.path)
    if view is None:
        return []
    grouped: dict[SymbolId, list[NameSite]] = {}
    for reference in references_within(view, source.index):
        if reference.kind is ReferenceKind.CALL:
            resolution = resolver.resolve(view.path, reference)
            if resolution.confident:
                grouped.setdefault(resolution.targets[0], []).append(reference_site(view.path, reference))
    return [Calls(target.path, target, tuple(sites)) for target, sites in grouped.items()]


def references_within(view: FileView, index: int) -> Iterator[Reference]:
    """Uses of names in the lines of a definition."""
    symbols, lines = view.facts.symbols, view.facts.references.line
    at = bisect_left(lines, symbols.start[index])
    while at < len(lines) and lines[at] <= symbols.end[index]:
        yield view.facts.reference(at)
        at += 1


def highlights(resolver: Resolver, path: str, line: int, column: int) -> list[NameSite]:
    """The same name in the same file: uses of the same definitions, or all of them if none is known."""
    view = resolver.snapshot.file(path)
    found = None if view is None else name_at(view, line, column)
    if view is None or found is None:
        return []
    targets = set(targets_of(resolver, found))
    sites = [symbol_site(view, target.index) for target in targets if target.path == path]
    for reference in view.facts.iter_references():
        if reference.name != found.name:
            continue
        if not targets or targets & set(resolver.resolve(path, reference).targets):
            sites.append(reference_site(path, reference))
    return sorted(set(sites), key=lambda site: (site.line, site.column))


def symbol_named(snapshot: Snapshot, path: str, name: str, line: int) -> SymbolId | None:
    """The definition of `name` in `path` that is nearest to `line`: a definition found again after edits."""
    view = snapshot.file(path)
    if view is None:
        return None
    same = [symbol for symbol in view.facts.iter_symbols() if symbol.name == name]
    best = min(same, key=lambda symbol: abs(symbol.name_line - line), default=None)
    return None if best is None else SymbolId(path, best.index)


def children_of(symbols: Sequence[Symbol]) -> dict[int, list[Symbol]]:
    """Definitions by the index of the definition around them."""
    found: dict[int, list[Symbol]] = {}
    for symbol in symbols:
        found.setdefault(symbol.parent, []).append(symbol)
    return found
