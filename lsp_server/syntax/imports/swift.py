"""Swift: `import Module`, `import struct Module.Type`, `@_exported import Module`."""

from __future__ import annotations

import tree_sitter

from lsp_server.model.facts import Import

from . import text_of

_KINDS = frozenset({"typealias", "struct", "class", "enum", "protocol", "let", "var", "func"})


def imports(node: tree_sitter.Node, source: bytes) -> list[Import]:
    """What an `import_declaration` brings in: all of a module, or the one declaration it names."""
    line = node.start_point.row + 1
    path = next((text_of(child, source) for child in node.named_children if child.type == "identifier"), "")
    path = "".join(path.split())
    if not path:
        return []
    written = text_of(node, source)
    passed_on = "@_exported" in written or written.startswith("public ")
    if any(child.type in _KINDS for child in node.children):
        module, _, name = path.rpartition(".")
        return [Import(module, name, name, line, reexport=passed_on)]
    return [Import(path, "*", "", line, reexport=passed_on)]
