"""`related`: what belongs to a symbol or a place: definitions, callers, callees, tests, types, importers."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from ..index.resolve import Resolver
from ..index.snapshot import FileView, Snapshot, SymbolId
from ..model.errors import RequestError, SourceError
from ..model.facts import ReferenceKind
from ..model.lines import LineRange
from ..model.values import Value
from ..retrieval.units import Unit, unit_at, units_of_symbol
from .json import PLAIN_EDGE, Edge, lines_to_dict, lsp_range
from .looking import Looking
from .navigation import outgoing_calls, uses_of

DEFAULT_LIMIT, MAX_LIMIT = 40, 400
MAX_TARGETS = 8
"""Definitions of one name that are looked into."""


class Relation(StrEnum):
    """What an item is to what was asked for."""

    DEFINITION = "definition"
    CALLER = "caller"
    TEST = "test"
    CALLEE = "callee"
    TYPE = "type"
    IMPORTER = "importer"


class RelatedItem(Value):
    """A piece of code and why it belongs."""

    path: str
    range: LineRange
    relation: Relation
    symbol: str
    why: str
    content: str


class RelatedResult(Value):
    """Items, definitions first; `truncated` when there are more."""

    items: tuple[RelatedItem, ...]
    truncated: bool


class _Found(Value):
    unit: Unit
    relation: Relation
    why: str


def related_code(
    looking: Looking,
    symbol: str | None = None,
    path: str | None = None,
    lines: LineRange | None = None,
    limit: int = DEFAULT_LIMIT,
) -> RelatedResult:
    """What belongs to `symbol` (simple or qualified), to the definitions in `lines` of `path`, or to all of `path`.

    Raises RequestError when neither is given; an unknown name gives nothing.
    """
    if not symbol and not path:
        raise RequestError("symbol", "give a symbol, or a path (with lines)")
    resolver = Resolver(looking.snapshot)
    targets = _targets(looking.snapshot, symbol, path, lines)
    seen: set[str] = set()
    items: list[RelatedItem] = []
    for found in _all(looking, resolver, targets, path):
        if found.unit.id in seen or not looking.allowed(found.unit.path):
            continue
        if len(items) == limit:
            return RelatedResult(tuple(items), True)
        seen.add(found.unit.id)
        try:
            text = looking.shown(found.unit.path)
        except SourceError:
            continue
        if found.unit.range.start <= len(text.lines):
            span = LineRange(found.unit.range.start, min(found.unit.range.end, len(text.lines)))
            content = text.slice(span)
            items.append(RelatedItem(found.unit.path, span, found.relation, found.unit.name, found.why, content))
    return RelatedResult(tuple(items), False)


def _targets(snapshot: Snapshot, symbol: str | None, path: str | None, lines: LineRange | None) -> list[SymbolId]:
    if symbol:
        return symbols_named(snapshot, symbol, path)
    view = None if path is None else snapshot.file(path)
    if view is None:
        return []
    if lines is None:
        return [SymbolId(view.path, one.index) for one in view.facts.iter_symbols() if one.parent < 0][:MAX_TARGETS]
    inside = [one for one in view.facts.iter_symbols() if lines.covers(one.range)]
    around = view.facts.enclosing(lines.start)
    chosen = inside or ([around] if around is not None else [])
    return [SymbolId(view.path, one.index) for one in chosen][:MAX_TARGETS]


def symbols_named(snapshot: Snapshot, symbol: str, path: str | None = None) -> list[SymbolId]:
    """Definitions called `symbol`: by simple name, or by the end of the qualified name (`Class.method`)."""
    parts = symbol.replace("::", ".").replace("#", ".").replace("->", ".").split(".")
    suffix = ".".join(parts)
    found: list[SymbolId] = []
    for target in snapshot.definitions(parts[-1]):
        if path is not None and target.path != path:
            continue
        qualified = snapshot.symbol(target).qualified_name
        if len(parts) == 1 or qualified == suffix or qualified.endswith("." + suffix):
            found.append(target)
    return found[:MAX_TARGETS]


def _all(looking: Looking, resolver: Resolver, targets: list[SymbolId], path: str | None) -> Iterator[_Found]:
    for target in targets:
        for unit in units_of_symbol(looking.snapshot, target):
            yield _Found(unit, Relation.DEFINITION, f"definition of `{_name(looking.snapshot, target)}`")
    for target in targets:
        yield from _users(looking, resolver, target)
    for target in targets:
        looking.checkpoint()
        yield from _used(looking.snapshot, resolver, target)
    files = [path] if path is not None else list(dict.fromkeys(target.path for target in targets))
    for file in files:
        looking.checkpoint()
        yield from _importers(looking.snapshot, resolver, file)


def _name(snapshot: Snapshot, target: SymbolId) -> str:
    return snapshot.symbol(target).qualified_name


def _users(looking: Looking, resolver: Resolver, target: SymbolId) -> Iterator[_Found]:
    name = _name(looking.snapshot, target)
    for site, _ in uses_of(resolver, [target], looking.checkpoint):
        unit = unit_at(looking.snapshot, site.path, site.line)
        if unit is not None and site.kind is not ReferenceKind.IMPORT:
            relation = Relation.TEST if unit.is_test else Relation.CALLER
            yield _Found(unit, relation, f"uses `{name}` on line {site.line}")


def _used(snapshot: Snapshot, resolver: Resolver, target: SymbolId) -> Iterator[_Found]:
    name = _name(snapshot, target)
    for base in resolver.bases(target):
        for unit in units_of_symbol(snapshot, base)[:1]:
            yield _Found(unit, Relation.TYPE, f"`{name}` inherits from it")
    for calls in outgoing_calls(resolver, target):
        if calls.other is not None:
            for unit in units_of_symbol(snapshot, calls.other)[:1]:
                yield _Found(unit, Relation.CALLEE, f"called by `{name}` on line {calls.sites[0].line}")


def _importers(snapshot: Snapshot, resolver: Resolver, path: str) -> Iterator[_Found]:
    for view, line in importers(snapshot, resolver, path):
        unit = unit_at(snapshot, view.path, line)
        if unit is not None:
            yield _Found(unit, Relation.IMPORTER, f"imports `{path}` on line {line}")


def importers(snapshot: Snapshot, resolver: Resolver, path: str) -> Iterator[tuple[FileView, int]]:
    """Files that import `path`, with the line that does, by path."""
    *folders, name = path.split("/")
    words = {name, name.partition(".")[0], *folders[-1:]}
    candidates = sorted({each for word in words for each in snapshot.files_importing(word)})
    for candidate in candidates:
        view = snapshot.file(candidate)
        if view is None or candidate == path:
            continue
        for entry in view.facts.imports:
            if path in resolver.import_files(view, entry):
                yield view, entry.line
                break


def related_to_dict(result: RelatedResult, edge: Edge = PLAIN_EDGE) -> dict[str, object]:
    """The plain form."""
    return {
        "items": [
            {
                "path": item.path,
                "uri": edge.uri(item.path),
                "lines": lines_to_dict(item.range),
                "range": lsp_range(item.range, item.content, edge),
                "relation": str(item.relation),
                "symbol": item.symbol or None,
                "why": item.why,
                "content": item.content,
            }
            for item in result.items
        ],
        "truncated": result.truncated,
    }
