"""The rows of a region of an edited text, read by themselves: see `splice`."""

from __future__ import annotations

import re
from array import array
from collections.abc import Mapping, Sequence

import tree_sitter

from lsp_server.model.facts import (
    CALLABLE_KINDS,
    NOWHERE,
    BindingColumns,
    ChunkKind,
    FileFacts,
    Import,
    ReferenceColumns,
    SymbolColumns,
    SymbolFlag,
)
from lsp_server.model.values import Value, replace

from .bindings import binding_columns
from .byte_lines import ByteLines
from .captures import Captures, Nodes, Places, places_of, with_identifiers
from .chunks import Span, Terms, chunk_terms, plan_region
from .definitions import KIND_OF_CAPTURE, Definition, definitions
from .import_spans import exported_names, read_imports
from .local_names import bind_in_types
from .names import Names
from .parse import Parsed, identifier_query, query
from .references import Tree, reference_columns
from .regions import WHOLE_KINDS, Region
from .scopes import Nesting
from .symbols import symbol_columns

_GLOBAL = frozenset({"export", "package"})
_HEAD = frozenset({*KIND_OF_CAPTURE, "name", "body", "owner", "test", "local"})
_SCOPE = "scope"
_MAY_ENCLOSE = frozenset({*KIND_OF_CAPTURE, "body", "test", "bind", _SCOPE})
_TEST = int(SymbolFlag.TEST)


class Edited(Value):
    """An edited text: all its lines, and those `inside` that took the place of `region` of the old text."""

    parsed: Parsed
    lines: ByteLines
    inside: ByteLines
    region: Region

    @property
    def last(self) -> int:
        """The last line of the region in the new text."""
        return self.region.first - 1 + self.inside.count

    @property
    def added_lines(self) -> int:
        """How many lines more the region has now."""
        return self.last - self.region.last

    @property
    def start(self) -> int:
        """The first byte of the region."""
        return self.lines.starts[self.region.first - 1]

    @property
    def end(self) -> int:
        """The byte behind the region."""
        return self.lines.starts[self.last]


class Rows(Value):
    """The rows of a region. Symbols are numbered as in the new file; `terms` by the region's own words."""

    symbols: SymbolColumns
    references: ReferenceColumns
    bindings: BindingColumns
    imports: tuple[Import, ...]
    terms: Terms


def rows_of(edited: Edited, facts: FileFacts, names: Names) -> Rows | None:
    """All rows of the region, where `facts` are those of the old text; None when it can't be read by itself.
    New names are added."""
    nodes = _nodes_within(edited.parsed, edited.start, edited.end)
    captures = _captures(edited, facts, places_of(nodes))
    if captures is None:
        return None
    language, lines, region = edited.parsed.language, edited.lines, edited.region
    heads = len(region.enclosing)
    found = definitions(captures)
    if (
        bind_in_types(captures, found)
        or not _is_enclosed_as_before(found, edited)
        or not _keeps_tests(found, edited, facts)
    ):
        return None
    imports = read_imports(nodes, language, lines.source)
    imports = [span for span in imports if span[0] >= edited.start and span[1] <= edited.end]
    if exported_names(imports):
        return None  # it says something of definitions elsewhere
    exported = exported_names([(0, 0, facts.imports)])
    symbols = symbol_columns(found, language, lines, names, exported)
    spans = plan_region(symbols, heads, lines, region.first, edited.last)
    if not _heads_are_the_same(symbols, edited, facts) or not _ends_well(spans, edited, facts):
        return None
    nesting = Nesting.of((each.start, each.end) for each in found)
    tree = Tree(captures, found, nesting, lines, names, imports)
    first = sum(start < region.first for start in facts.symbols.start)
    number = {NOWHERE: NOWHERE, **dict(enumerate(region.enclosing))}
    number |= {at: first + at - heads for at in range(heads, len(found))}

    def numbered(column: array[int]) -> array[int]:
        return array("i", [number[each] for each in column])

    references = reference_columns(language, [tree])[0]
    bindings = binding_columns(captures, found, nesting, lines, names, language.name_marks)
    inner = SymbolColumns(*[getattr(symbols, name)[heads:] for name in SymbolColumns.__slots__])
    terms = _terms(spans, edited)
    return Rows(
        symbols=replace(inner, parent=numbered(inner.parent)),
        references=replace(references, symbol=numbered(references.symbol)),
        bindings=replace(bindings, symbol=numbered(bindings.symbol)),
        imports=tuple(each for _, _, imported in imports for each in imported),
        terms=replace(terms, chunks=replace(terms.chunks, symbol=numbered(terms.chunks.symbol))),
    )


def _terms(spans: Sequence[Span], edited: Edited) -> Terms:
    above = edited.region.first - 1
    moved = [Span(each.start - above, each.end - above, each.kind, each.symbol) for each in spans]
    terms = chunk_terms([(moved, edited.inside)])[0]
    start, end = (array("i", [getattr(each, name) for each in spans]) for name in ("start", "end"))
    return replace(terms, chunks=replace(terms.chunks, start=start, end=end))


def _captures(edited: Edited, facts: FileFacts, around: Captures) -> Captures | None:
    """The places in the region and in the heads of what encloses it; None when something crosses its ends."""
    kept: dict[str, set[tuple[int, int]]] = {}
    scopes: set[tuple[int, int]] = set()
    around_it: set[tuple[int, int]] = set()
    begin, stop = edited.start, edited.end
    for capture, places in around.items():
        for start, end in places.pairs():
            if end <= begin or start >= stop:
                continue
            if begin <= start and end <= stop and capture not in _GLOBAL:
                kept.setdefault(capture, set()).add((start, end))
            elif start <= begin and end >= stop and capture in _MAY_ENCLOSE:
                if capture == _SCOPE:
                    scopes.add((start, end))
                elif capture in KIND_OF_CAPTURE:
                    around_it.add((start, end))
            else:
                return None
    if not scopes <= around_it:
        return None  # names that are bound in a function or block go in and out
    if scopes:
        kept.setdefault(_SCOPE, set()).update(scopes)
    for index in edited.region.enclosing:
        for capture, span in _head(edited, facts.symbols.start[index], facts.symbols.body[index]):
            kept.setdefault(capture, set()).add(span)
    return {
        capture: Places([start for start, _ in spans], [end for _, end in spans]) for capture, spans in kept.items()
    }


def _head(edited: Edited, first: int, body: int) -> list[tuple[str, tuple[int, int]]]:
    """Captures of a definition that encloses the region, from line `first` to where its body begins."""
    starts = edited.lines.starts
    begin = starts[first - 1]
    stop = max(begin + 1, min(edited.start, starts[body]))
    places = places_of(_nodes_within(edited.parsed, begin, stop))
    found = [(capture, span) for capture, spans in places.items() for span in spans.pairs()]

    def encloses(span: tuple[int, int]) -> bool:
        return span[0] <= edited.start and span[1] >= edited.end

    bodies = [span[0] for capture, span in found if capture == "body" and encloses(span) and span[0] >= begin]
    limit = min(bodies, default=edited.start)
    return [
        (capture, span)
        for capture, span in found
        if capture in _HEAD and (encloses(span) or (span[0] >= begin and span[1] <= limit))
    ]


def _nodes_within(parsed: Parsed, start: int, end: int) -> Mapping[str, Nodes]:
    def captured(patterns: tree_sitter.Query) -> Mapping[str, Nodes]:
        cursor = tree_sitter.QueryCursor(patterns)
        cursor.set_byte_range(start, end)
        return cursor.captures(parsed.tree.root_node)

    language = parsed.language
    nodes = captured(query(language))
    return with_identifiers(nodes, captured(identifier_query(language))) if language.identifiers else nodes


def _is_enclosed_as_before(found: Sequence[Definition], edited: Edited) -> bool:
    heads = len(edited.region.enclosing)
    around = all(each.start < edited.start and each.end >= edited.end for each in found[:heads])
    return around and all(each.start >= edited.start and each.end <= edited.end for each in found[heads:])


def _keeps_tests(found: Sequence[Definition], edited: Edited, facts: FileFacts) -> bool:
    """Marks the enclosing definitions as tests where they were; False when the region may decide about it."""
    language, source = edited.parsed.language, edited.lines.source
    symbols, region = facts.symbols, edited.region
    for place, index in enumerate(region.enclosing):
        found[place].test = bool(symbols.flags[index] & _TEST)
        if not language.test_class or not re.match(language.test_class, facts.names[symbols.name[index]].encode()):
            continue
        within: set[bool] = set()
        for at in range(index + 1, len(symbols)):
            named = facts.names[symbols.name[at]].encode()
            if symbols.parent[at] == index and _is_test(symbols.kind[at], named, language.test_function):
                within.add(region.first <= symbols.start[at] <= region.last)
        if False in within:
            continue
        new = [each for each in found if each.parent == place]
        if True in within or any(
            _is_test(each.kind, source[each.name_start : each.name_end], language.test_function) for each in new
        ):
            return False
    return True


def _is_test(kind: int, name: bytes, pattern: bytes) -> bool:
    return kind in CALLABLE_KINDS and re.match(pattern, name) is not None


def _heads_are_the_same(symbols: SymbolColumns, edited: Edited, facts: FileFacts) -> bool:
    old, region = facts.symbols, edited.region
    same = ("name", "kind", "flags", "owner", "start", "doc", "body", "name_line", "name_column")
    for place, index in enumerate(region.enclosing):
        if any(getattr(symbols, name)[place] != getattr(old, name)[index] for name in same):
            return False
        above = symbols.parent[place]
        if old.parent[index] != (NOWHERE if above == NOWHERE else region.enclosing[above]):
            return False
        if symbols.end[place] != old.end[index] + edited.added_lines:
            return False
    return True


def _ends_well(spans: Sequence[Span], edited: Edited, facts: FileFacts) -> bool:
    """True when the chunks around the region stay as they are."""
    region, chunks = edited.region, facts.chunks
    is_tail = region.last == facts.lines
    if not is_tail and not (spans and spans[-1].end == edited.last and spans[-1].kind in WHOLE_KINDS):
        return False
    if not region.enclosing or (spans and spans[-1].kind is ChunkKind.FUNCTION):
        return True
    # What encloses is cut open only as long as it holds a function.
    outside = [
        (chunks.start[at], chunks.end[at])
        for at in range(len(chunks))
        if chunks.kind[at] == ChunkKind.FUNCTION and not region.first <= chunks.start[at] <= region.last
    ]
    return all(
        any(facts.symbols.start[index] < start and end <= facts.symbols.end[index] for start, end in outside)
        for index in region.enclosing
    )
