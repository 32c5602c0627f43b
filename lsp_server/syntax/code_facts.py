"""Facts of code that a grammar reads: captures once over the tree, then columns from them."""

from __future__ import annotations

from collections.abc import Mapping

import tree_sitter

from lsp_server.model.facts import FactFlag, FileFacts, Problem

from .bindings import binding_columns
from .byte_lines import ByteLines
from .captures import NO_PLACES, Captures, Nodes, Places, places_of, with_identifiers
from .chunks import plan_chunks
from .definitions import definitions
from .drafts import Draft
from .identifier_words import Lexical, has_hidden_space
from .import_spans import exported_names, read_imports
from .languages import Language
from .names import Names
from .parse import Parsed, identifier_query, problem_query, query
from .references import Tree
from .scopes import Nesting
from .symbols import symbol_columns
from .windows import draft_text

MAX_PROBLEMS = 20

MAX_DEPTH = 1_000
"""Levels of the tree that are looked into; real code stays below 100. A chain of 5,000 calls is as deep, and queries
take quadratic time over it."""

MAX_ERROR_WIDTH = 5_000
"""An error node with more children is not looked into: queries take quadratic time over its flat list."""


def draft_code(parsed: Parsed, lines: ByteLines, flags: FactFlag, content_hash: str, shown: ByteLines) -> Draft:
    """Parsed code. `shown` are the lines that chunks are cut from: those of the whole file where `parsed` is
    code embedded in it (same line numbers)."""
    language, source = parsed.language, lines.source
    root = parsed.tree.root_node
    has_error = root.has_error
    if has_error and _is_hopeless(root):
        return draft_text(language, shown, flags | FactFlag.TRUNCATED, content_hash)
    by_words = bool(language.lexical) and not has_error and not has_hidden_space(source)
    nodes = _captures(query(language), root)
    if language.identifiers and not by_words:
        nodes = with_identifiers(nodes, _captures(identifier_query(language), root))
    captures = places_of(nodes)
    names = Names()
    imports = read_imports(nodes, language, source)
    found = definitions(captures)
    symbols = symbol_columns(found, language, lines, names, exported_names(imports))
    nesting = Nesting.of((each.start, each.end) for each in found)
    facts = FileFacts(
        language=language.id,
        content_hash=content_hash,
        size=len(shown.source),
        lines=shown.count,
        symbols=symbols,
        bindings=binding_columns(captures, found, nesting, lines, names, language.name_marks),
        imports=tuple(each for _, _, imported in imports for each in imported),
        package=_package(captures, source),
        problems=_problems(root, lines, language) if has_error else (),
        flags=flags,
    )
    lexical = _lexical(captures, language, root) if by_words else None
    tree = Tree(captures, found, nesting, lines, names, imports, lexical)
    return Draft(facts, plan_chunks(symbols, shown), shown, language, tree)


def _lexical(captures: Captures, language: Language, root: tree_sitter.Node) -> Lexical:
    text, code, keyword = (captures.get(name, NO_PLACES) for name in ("text", "code", "keyword"))

    def captured() -> Places:
        return places_of(_captures(identifier_query(language), root)).get("ref.read", NO_PLACES)

    return Lexical(text, code, keyword, captured)


def _captures(patterns: tree_sitter.Query, root: tree_sitter.Node) -> Mapping[str, Nodes]:
    cursor = tree_sitter.QueryCursor(patterns)
    cursor.set_max_start_depth(MAX_DEPTH)
    return cursor.captures(root)


def _is_hopeless(root: tree_sitter.Node) -> bool:
    return any(node.is_error and node.child_count > MAX_ERROR_WIDTH for node in (root, *root.children))


def _package(captures: Captures, source: bytes) -> str:
    """The file's own package; clauses that follow each other name one package (Scala)."""
    parts: list[bytes] = []
    end = 0
    for start, stop in sorted(captures.get("package", NO_PLACES).pairs()):
        if parts and source[end:start].split() != [b"package"]:
            break
        parts.append(source[start:stop])
        end = stop
    return b".".join(parts).decode("utf-8", "replace")


def _problems(root: tree_sitter.Node, lines: ByteLines, language: Language) -> tuple[Problem, ...]:
    """The first places that did not parse, one a line, outermost first."""
    captures = _captures(problem_query(language), root)
    found = [(node.start_byte, f"missing {node.type}") for node in captures.get("missing", ())]
    found += [(node.start_byte, "syntax error") for node in captures.get("error", ())]
    by_line: dict[int, str] = {}
    for start, message in sorted(found):
        by_line.setdefault(lines.number(start), message)
        if len(by_line) == MAX_PROBLEMS:
            break
    return tuple(Problem(line, message) for line, message in by_line.items())
