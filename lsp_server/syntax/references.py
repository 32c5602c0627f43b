"""Uses of names: which, how, where, in which definition, and on which receiver.

All uses of a file are treated at once, in numpy columns; only what is rare is looked at one by one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from lsp_server.model.facts import ReferenceColumns, ReferenceKind
from lsp_server.model.values import Value

from .byte_lines import ByteLines
from .called_receivers import set_called
from .captures import NO_PLACES, Captures
from .columns import sliced
from .definitions import Definition
from .fingerprints import distinct, fingerprints
from .identifier_words import Lexical, identifier_places
from .import_spans import ImportSpan
from .languages import Language
from .local_names import Identifiers, local_uses
from .names import Names
from .receivers import Joined, Named, receivers
from .scopes import Nesting

PRIORITY = (
    ("ref.inherit", ReferenceKind.INHERIT),
    ("ref.decorator", ReferenceKind.DECORATOR),
    ("ref.call", ReferenceKind.CALL),
    ("ref.type", ReferenceKind.TYPE),
    ("ref.attribute", ReferenceKind.ATTRIBUTE),
    ("ref.read", ReferenceKind.READ),
)
"""A node with several captures counts as the first of these."""

Longs = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

_READ, _ATTRIBUTE, _CALL = int(ReferenceKind.READ), int(ReferenceKind.ATTRIBUTE), int(ReferenceKind.CALL)
_IMPORT = int(ReferenceKind.IMPORT)
_KINDS = np.array([int(kind) for _, kind in PRIORITY], dtype=np.int64)
_SPACE, _PARENTHESIS = b" ("


class Tree(Value):
    """What references are made of: the captures of one file, its definitions, and the names so far. With `lexical`,
    identifiers are not among the captures."""

    captures: Captures
    found: Sequence[Definition]
    nesting: Nesting
    lines: ByteLines
    names: Names
    imports: Sequence[ImportSpan]
    lexical: Lexical | None = None


class _Uses(Value):
    """Captured identifiers in order of start, each once: place in the joined text, name index, kind."""

    starts: Longs
    ends: Longs
    names: Longs
    kinds: Longs

    def kept(self, mask: Mask) -> _Uses:
        """Those that `mask` marks."""
        return _Uses(self.starts[mask], self.ends[mask], self.names[mask], self.kinds[mask])


def reference_columns(language: Language, trees: Sequence[Tree]) -> list[ReferenceColumns]:
    """All uses of each file but those of locals; names that were not known yet are added."""
    joined = Joined.of([tree.lines.source for tree in trees], [tree.names for tree in trees])
    uses = _uses(trees, language, joined)
    if not len(uses.starts):
        return [ReferenceColumns() for _ in trees]
    known = Named(uses.starts, uses.ends, uses.names)
    is_use = _without_binders(trees, joined, uses.starts)
    for tree, base in zip(trees, joined.bases.tolist(), strict=True):
        _set_imports(uses, is_use, tree, base)
    uses = uses.kept(is_use)
    receiver = receivers(language, joined, known, uses.starts)
    if language.calls_by_parenthesis:
        _tell_calls(uses, receiver, joined.source)
    shown = _shown(uses, receiver, trees, Identifiers(joined, known, language.name_marks))
    uses, receiver = uses.kept(shown), receiver[shown]
    set_called(receiver, joined, Named(uses.starts, uses.ends, uses.names), _results(trees, joined))
    return _columns(uses, receiver, trees, joined)


def _results(trees: Sequence[Tree], joined: Joined) -> dict[int, int]:
    """Where the brackets of calls on whose result something is used begin, by where they end."""
    found: dict[int, int] = {}
    for tree, base in zip(trees, joined.bases.tolist(), strict=True):
        found.update((base + end, base + start) for start, end in tree.captures.get("result", NO_PLACES).pairs())
    return found


def _columns(uses: _Uses, receiver: Longs, trees: Sequence[Tree], joined: Joined) -> list[ReferenceColumns]:
    line_counts = np.array([tree.lines.count for tree in trees], dtype=np.int64)
    line_starts = np.array([start for tree in trees for start in tree.lines.starts[:-1]], dtype=np.int64)
    line_starts += np.repeat(joined.bases, line_counts)
    line = line_starts.searchsorted(uses.starts, side="right") - 1
    symbol = Nesting.joined([tree.nesting for tree in trees], joined.bases).all_at(uses.starts)
    bounds = np.append(uses.starts.searchsorted(joined.bases), len(uses.starts))
    first_lines = np.repeat(line_counts.cumsum() - line_counts, np.diff(bounds))
    columns = (
        uses.names, uses.kinds, line - first_lines + 1, uses.starts - line_starts[line], symbol, receiver
    )  # fmt: skip
    return [ReferenceColumns(*each) for each in zip(*[sliced(values, bounds) for values in columns], strict=True)]


def _uses(trees: Sequence[Tree], language: Language, joined: Joined) -> _Uses:
    starts: list[int] = []
    ends: list[int] = []
    sizes: list[int] = []
    for tree in trees:
        for capture, _ in PRIORITY:
            places = tree.captures.get(capture, NO_PLACES)
            starts += places.starts
            ends += places.ends
            sizes.append(len(places.starts))
    # Start, rank of the kind and end in one word each: a plain sort is much faster than an indirect one.
    packed = np.array(starts, dtype=np.int64) << 32
    packed |= np.array(ends, dtype=np.int64)
    kinds = len(PRIORITY)
    packed += np.repeat(_ranks(len(trees)) + np.repeat(joined.bases * _BOTH, kinds), sizes)
    if any(tree.lexical is not None for tree in trees):
        words, word_ends = identifier_places(joined.source, joined.bases, [tree.lexical for tree in trees])
        packed = np.concatenate((packed, words << 32 | _READ_RANK << 28 | word_ends))
    packed.sort()
    first = packed >> 32
    fresh = np.empty(len(first), dtype=np.bool_)
    fresh[:1] = True
    np.not_equal(first[1:], first[:-1], out=fresh[1:])
    last = packed & _OFFSET
    # A name the grammar only supposes stands nowhere, perhaps behind the last line.
    fresh &= last > first
    packed, first, last = packed[fresh], first[fresh], last[fresh]
    files = joined.files_of(first)
    distincts = distinct(fingerprints(joined.source, first, last) + files.astype(np.uint64) * _FILE)
    bounds = zip(first[distincts.first].tolist(), last[distincts.first].tolist(), strict=True)
    marks, source, names = language.name_marks, joined.source, joined.names
    written = [source[start:end].strip(marks) if marks else source[start:end] for start, end in bounds]
    of_file = zip(files[distincts.first].tolist(), written, strict=True)
    reserved = language.reserved
    ids = np.array([0 if name in reserved else names[file][name] for file, name in of_file], dtype=np.int64)
    uses = _Uses(first, last, ids[distincts.number], _KINDS[packed >> 28 & 7])
    return uses.kept(uses.names != 0) if marks or reserved else uses


_OFFSET = (1 << 28) - 1
"""So many bytes are joined at most; longer texts are not parsed."""

_BOTH = (1 << 32) + 1
_READ_RANK = len(PRIORITY) - 1
_FILE = np.uint64(0xD6E8FEB86659FD93)


def _ranks(trees: int) -> Longs:
    return np.tile(np.arange(len(PRIORITY), dtype=np.int64) << 28, trees)


def _without_binders(trees: Sequence[Tree], joined: Joined, starts: Longs) -> Mask:
    """False for what is no use: names of definitions, of locals where they are bound, of the package."""
    binders: list[int] = []
    counts: list[int] = []
    for tree in trees:
        before = len(binders)
        binders += [each.name_start for each in tree.found]
        for capture in ("local", "nonlocal", "skip"):
            binders += tree.captures.get(capture, NO_PLACES).starts
        counts.append(len(binders) - before)
    is_use = ~_among(starts, np.array(binders, dtype=np.int64) + np.repeat(joined.bases, counts))
    for tree, base in zip(trees, joined.bases.tolist(), strict=True):
        for start, end in tree.captures.get("package", NO_PLACES).pairs():
            is_use[starts.searchsorted(base + start) : starts.searchsorted(base + end)] = False
    return is_use


def _among(values: Longs, chosen: Longs) -> Mask:
    """Which of the ascending `values`, each once, are in `chosen`."""
    found = np.zeros(len(values) + 1, dtype=np.bool_)
    at = values.searchsorted(chosen)
    at[np.append(values, -1)[at] != chosen] = len(values)
    found[at] = True
    return found[:-1]


def _set_imports(uses: _Uses, is_use: Mask, tree: Tree, base: int) -> None:
    """Inside an import statement only the imported names are uses."""
    spans = [span for span in tree.imports if span[0] < span[1]]
    if not spans:
        return
    get = tree.names.get
    firsts = uses.starts.searchsorted([base + start for start, _, _ in spans]).tolist()
    lasts = uses.starts.searchsorted([base + end for _, end, _ in spans]).tolist()
    for first, last, (_, _, imported) in zip(firsts, lasts, spans, strict=True):
        wanted = {get((each.name or _last_part(each.module)).encode("utf-8", "replace")) for each in imported}
        for at, name in enumerate(uses.names[first:last].tolist(), first):
            if name in wanted:
                uses.kinds[at] = _IMPORT
            else:
                is_use[at] = False


def _last_part(module: str) -> str:
    for separator in ("/", "::", "\\", "."):
        module = module.rsplit(separator, 1)[-1]
    return module


def _tell_calls(uses: _Uses, receiver: Longs, source: bytes) -> None:
    """Tells attributes and calls from plain reads by what stands before and after them."""
    data = np.frombuffer(source + b"\0", dtype=np.uint8)
    after = data[uses.ends]
    spaced = np.flatnonzero(after == _SPACE)
    ends = uses.ends[spaced]
    while len(spaced):
        ends += 1
        byte = data[ends]
        after[spaced] = byte
        more = byte == _SPACE
        spaced, ends = spaced[more], ends[more]
    open_kind = (uses.kinds == _READ) | (uses.kinds == _ATTRIBUTE)
    uses.kinds[open_kind & (receiver != 0)] = _ATTRIBUTE
    uses.kinds[open_kind & (after == _PARENTHESIS)] = _CALL


def _shown(uses: _Uses, receiver: Longs, trees: Sequence[Tree], identifiers: Identifiers) -> Mask:
    """False for uses of local names."""
    doubtful = np.flatnonzero((receiver == 0) & (uses.kinds != _ATTRIBUTE) & (uses.kinds != _IMPORT))
    shown = np.ones(len(receiver), dtype=np.bool_)
    shown[doubtful] = ~local_uses(trees, identifiers, uses.starts[doubtful], uses.names[doubtful])
    return shown
