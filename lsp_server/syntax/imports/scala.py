"""Scala: `import a.b.C`, `import a.b.{C, D => E, F as G, *}`, `import a.b._`, `export a.b`."""

from __future__ import annotations

import tree_sitter

from lsp_server.model.facts import Import

from . import field_text, text_of


def imports(node: tree_sitter.Node, source: bytes) -> list[Import]:
    """What an `import_declaration` or `export_declaration` brings in; an export is a re-export.

    Several clauses may stand in one statement (`import a.B, c.D`); a comma starts the next.
    """
    found: list[Import] = []
    passed_on = node.type == "export_declaration"
    path: list[str] = []
    selected = False

    def finish() -> None:
        if path and not selected:
            found.append(Import(".".join(path[:-1]), path[-1], path[-1], line, reexport=passed_on))

    line = node.start_point.row + 1
    for child in node.children:
        if child.type == ",":
            finish()
            path, selected = [], False
        elif child.type in ("identifier", "operator_identifier", "type_identifier"):
            path.append(text_of(child, source))
        elif child.type in ("namespace_wildcard", "namespace_selectors", "as_renamed_identifier"):
            selected = True
            for module, name, alias, row in _selected(child, ".".join(path), source):
                found.append(Import(module, name, alias, row, reexport=passed_on))
    finish()
    return found


_Leaf = tuple[str, str, str, int]


def _selected(node: tree_sitter.Node, module: str, source: bytes) -> list[_Leaf]:
    line = node.start_point.row + 1
    if node.type == "namespace_wildcard":
        return [(module, "*", "", line)]
    if node.type in ("arrow_renamed_identifier", "as_renamed_identifier"):
        name, alias = field_text(node, "name", source), field_text(node, "alias", source)
        return [(module, name, alias, line)] if name and alias not in ("", "_") else []
    if node.type == "identifier":
        name = text_of(node, source)
        return [(module, name, name, line)]
    return [
        leaf for child in node.named_children if child.type != node.type for leaf in _selected(child, module, source)
    ]
