"""PHP: `use A\\B;`, `use A\\B as C;`, `use A\\{B, C as D};`, `use function A\\f;`, `require 'file.php';`."""

from __future__ import annotations

import tree_sitter

from lsp_server.model.facts import Import

from . import field_text, text_of


def imports(node: tree_sitter.Node, source: bytes) -> list[Import]:
    """What a `namespace_use_declaration` or an include expression brings in.

    The module of a `use` is the namespace before the last name. An included file's names hold for
    everybody who includes this one; of a computed path the constant end is kept (`__DIR__ . '/a.php'`
    gives `./a.php`).
    """
    line = node.start_point.row + 1
    if node.type != "namespace_use_declaration":
        path = _path(node, source)
        return [Import(path, "*", "", line, reexport=True)] if path else []
    found: list[Import] = []
    prefix = "".join(text_of(child, source) for child in node.children if child.type == "namespace_name")
    body = node.child_by_field_name("body")
    clauses = (body or node).named_children
    for clause in clauses:
        if clause.type in ("namespace_use_clause", "namespace_use_group_clause"):
            found += _clause(clause, prefix, source)
    return found


def _clause(clause: tree_sitter.Node, prefix: str, source: bytes) -> list[Import]:
    named = [child for child in clause.named_children if child.type in ("name", "qualified_name", "namespace_name")]
    if not named:
        return []
    path = text_of(named[0], source).strip("\\")
    if prefix:
        path = f"{prefix.strip(chr(92))}\\{path}"
    module, _, name = path.rpartition("\\")
    alias = field_text(clause, "alias", source) or name
    return [Import(module, name, alias, clause.start_point.row + 1)] if name else []


def _path(node: tree_sitter.Node, source: bytes) -> str:
    constant = ""
    computed = False
    waiting = list(node.named_children)
    while waiting:
        child = waiting.pop(0)
        if child.type in ("binary_expression", "parenthesized_expression"):
            waiting = [*child.named_children, *waiting]
        elif child.type in ("string", "encapsed_string"):
            if any(part.type not in ("string_content", "escape_sequence") for part in child.named_children):
                return ""
            constant += "".join(text_of(part, source) for part in child.named_children)
        elif constant:
            return ""
        else:
            computed = True
    return f".{constant}" if computed and constant.startswith("/") else constant
