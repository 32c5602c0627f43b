"""Parsing: bytes to tree, whole or after edits. Grammars and queries are loaded one by one, when first used."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import tree_sitter

from lsp_server.model.source import Checkpoint
from lsp_server.model.values import Value

from .languages import Language
from .text_reader import TextReader

if TYPE_CHECKING:
    from .c_conditionals import Conditionals

_LONE_CR = re.compile(rb"\r(?!\n)")

_PREPROCESSED = frozenset({"c", "cpp", "csharp"})
"""Languages whose texts a preprocessor reads before the compiler. What blanks out all that only it can read is loaded
when it is needed: its regular expressions are large."""

_QUERIES = Path(__file__).with_name("queries")


class Parsed(Value):
    """A tree together with the UTF-8 bytes it was made from. Not `reusable`: read in a way that an edit may end."""

    language: Language
    source: bytes
    tree: tree_sitter.Tree
    reusable: bool = True


class ByteEdit(Value):
    """`source[start:old_end]` was replaced by bytes that end at `new_end`. Applied in order, each to the
    result of the one before."""

    start: int
    old_end: int
    new_end: int


@cache
def grammar(language: Language) -> tree_sitter.Language:
    """The grammar of `language`. Raises ImportError when its wheel is not installed."""
    module, _, function = language.grammar.partition(":")
    pointer: object = getattr(import_module(module), function)()
    return tree_sitter.Language(pointer)


@cache
def query(language: Language) -> tree_sitter.Query:
    """All patterns of `language` but its `identifiers`, compiled: that takes a tenth of a second and more."""
    return _compiled(language, (*language.queries, language.lexical))


@cache
def identifier_query(language: Language) -> tree_sitter.Query:
    """The identifiers alone, which compile at once; for languages that have them apart."""
    return _compiled(language, (language.identifiers,))


def _compiled(language: Language, names: Sequence[str]) -> tree_sitter.Query:
    patterns = "\n".join((_QUERIES / name).read_text(encoding="utf-8") for name in names if name)
    return tree_sitter.Query(grammar(language), patterns)


@cache
def problem_query(language: Language) -> tree_sitter.Query:
    """Where the grammar of `language` could not read the text."""
    return tree_sitter.Query(grammar(language), "(ERROR) @error (MISSING) @missing")


def encode(text: str) -> bytes:
    """UTF-8 of `text`; a lone surrogate becomes "?"."""
    return text.encode("utf-8", "replace")


def _readable(language: Language, source: bytes) -> bytes:
    # Grammars know "\n" only; a lone "\r" ends a line for us. Same length, so offsets stay true.
    if language.id not in _PREPROCESSED:
        return _plain(source)
    from .c_conditionals import Conditionals

    return _blanked(language, _plain(source), Conditionals.BROKEN)


def _blanked(language: Language, source: bytes, which: Conditionals) -> bytes:
    """`source` without what only a preprocessor can read."""
    if language.id == "csharp":
        from .c_conditionals import without_conditionals as blank
    else:
        from .c_macros import blanked as blank

    return blank(source, which)


def _plain(source: bytes) -> bytes:
    return _LONE_CR.sub(b"\n", source) if b"\r" in source else source


def parse(language: Language, source: bytes, checkpoint: Checkpoint | None = None) -> Parsed:
    """Parse the whole of `source`; broken code gives a tree with error nodes.

    With a checkpoint, which is called about every 30 microseconds, other threads run meanwhile, and what it
    raises ends the parse and is raised from here. Without one the interpreter stands still.
    """
    tree = _tree(language, _readable(language, source), None, checkpoint)
    if language.id in _PREPROCESSED and tree.root_node.has_error and (broken := _broken_bytes(tree)):
        from .c_conditionals import Conditionals

        again = _tree(language, _blanked(language, _plain(source), Conditionals.ALL), None, checkpoint)
        if _broken_bytes(again) < broken:
            return Parsed(language, source, again, False)
    return Parsed(language, source, tree)


def _broken_bytes(tree: tree_sitter.Tree) -> int:
    """How much of the text is in error nodes."""
    total = 0
    stack = [tree.root_node]
    while stack:
        node = stack.pop()
        if node.is_error:
            total += node.end_byte - node.start_byte
        elif node.has_error:
            stack += node.children
    return total


def _tree(
    language: Language, source: bytes, old: tree_sitter.Tree | None, checkpoint: Checkpoint | None
) -> tree_sitter.Tree:
    parser = tree_sitter.Parser(grammar(language))
    if checkpoint is None:
        return parser.parse(source) if old is None else parser.parse(source, old)

    # The parser tells of its progress only when it asks for the text piece by piece.
    reader = TextReader(source)

    def go_on(_offset: int, _has_error: bool) -> bool:
        checkpoint()
        return False

    try:
        if old is None:
            return parser.parse(reader, progress_callback=go_on)
        return parser.parse(reader, old, progress_callback=go_on)
    finally:
        reader.done()


def reparse(parsed: Parsed, source: bytes, edits: Sequence[ByteEdit], checkpoint: Checkpoint | None = None) -> Parsed:
    """Parse `source`, which `edits` made from `parsed.source`, reusing what they left alone.

    `parsed` stays as it was. Edits must be true; a wrong one gives a wrong tree. `checkpoint` as in `parse`.
    """
    return reparse_changes(parsed, source, edits, checkpoint)[0]


def reparse_changes(
    parsed: Parsed, source: bytes, edits: Sequence[ByteEdit], checkpoint: Checkpoint | None = None
) -> tuple[Parsed, list[tuple[int, int]] | None]:
    """`reparse`, and the byte ranges of `source` in which the tree is another one; None when that is not known."""
    if not parsed.reusable:
        return parse(parsed.language, source, checkpoint), None
    tree = parsed.tree.copy()
    before, after = _readable(parsed.language, parsed.source), _readable(parsed.language, source)
    edit = _joined(edits, len(parsed.source), len(source))
    _apply(tree, _with_blanked(edit, before, after) if parsed.language.id in _PREPROCESSED else edit, before, after)
    again = _tree(parsed.language, after, tree, checkpoint)
    # Where to recover from an error depends on what is reused, so a broken text is parsed from the start:
    # facts must not depend on the way a text came about.
    if again.root_node.has_error:
        return parse(parsed.language, source, checkpoint), None
    changed = [(each.start_byte, each.end_byte) for each in tree.changed_ranges(again)]
    return Parsed(parsed.language, source, again), changed


def _joined(edits: Sequence[ByteEdit], old_size: int, new_size: int) -> ByteEdit:
    """One edit that covers all: what lies before the first and after the last is unchanged."""
    first, tail, size = new_size, old_size, old_size
    for edit in edits:
        first = min(first, edit.start)
        tail = min(tail, size - edit.old_end)
        size += edit.new_end - edit.old_end
    if not edits:
        return ByteEdit(new_size, old_size, new_size)
    return ByteEdit(first, old_size - tail, new_size - tail)


def _with_blanked(edit: ByteEdit, before: bytes, after: bytes) -> ByteEdit:
    """`edit` with what is read in another way because of it, far from it as well (see `c_macros`)."""
    start = _alike(before[: edit.start], after[: edit.start])
    old, new = before[edit.old_end :], after[edit.new_end :]
    tail = _alike(old[::-1], new[::-1])
    return ByteEdit(start, len(before) - tail, len(after) - tail)


def _alike(one: bytes, other: bytes) -> int:
    """How many first bytes the two have in common."""
    if one == other:
        return len(one)
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[:middle] == other[:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _apply(tree: tree_sitter.Tree, edit: ByteEdit, before: bytes, after: bytes) -> None:
    # A "\r" beside the edit may have become, or ceased to be, a line end of its own.
    start = max(0, edit.start - 1)
    old_end = min(len(before), edit.old_end + 1)
    new_end = min(len(after), edit.new_end + 1)
    tree.edit(start, old_end, new_end, _point(before, start), _point(before, old_end), _point(after, new_end))


def _point(source: bytes, offset: int) -> tuple[int, int]:
    return source.count(b"\n", 0, offset), offset - (source.rfind(b"\n", 0, offset) + 1)
