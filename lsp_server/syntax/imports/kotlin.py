"""Kotlin: `import a.b.C`, `import a.b.C as D`, `import a.b.*`."""

from __future__ import annotations

import tree_sitter

from lsp_server.model.facts import Import

from . import text_of


def imports(node: tree_sitter.Node, source: bytes) -> list[Import]:
    """What an `import` brings in: the last part is the name, what is before it the module."""
    line = node.start_point.row + 1
    path = ""
    alias = ""
    for child in node.named_children:
        if child.type == "qualified_identifier":
            path = "".join(text_of(child, source).split())
        elif child.type == "identifier":
            if path:
                alias = text_of(child, source)
            else:
                path = text_of(child, source)
    if not path:
        return []
    if any(child.type == "*" for child in node.children):
        return [Import(path, "*", "", line)]
    module, _, name = path.rpartition(".")
    return [Import(module, name, alias or name, line)]
