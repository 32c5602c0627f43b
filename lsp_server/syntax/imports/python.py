"""Python: `import a.b as c`, `from ..m import x as y`, `from m import *`."""

from __future__ import annotations

import tree_sitter

from lsp_server.model.facts import Import

from . import field_text, text_of


def imports(node: tree_sitter.Node, source: bytes) -> list[Import]:
    """What an `import_statement`, `import_from_statement` or `future_import_statement` brings in.

    Whatever a module imports can be imported from it again, so all are re-exports.
    """
    if node.type == "import_statement":
        return [_module(child, source) for child in node.children_by_field_name("name")]
    module = "__future__" if node.type == "future_import_statement" else field_text(node, "module_name", source)
    module = "".join(module.split())
    found = [_name(child, module, source) for child in node.children_by_field_name("name")]
    found += [
        Import(module, "*", "", child.start_point.row + 1, reexport=True)
        for child in node.children
        if child.type == "wildcard_import"
    ]
    return [each for each in found if each.name]


def _module(node: tree_sitter.Node, source: bytes) -> Import:
    alias = field_text(node, "alias", source)
    written = field_text(node, "name", source) if node.type == "aliased_import" else text_of(node, source)
    module = "".join(written.split())
    return Import(module, "", alias or module.split(".", 1)[0], node.start_point.row + 1, reexport=True)


def _name(node: tree_sitter.Node, module: str, source: bytes) -> Import:
    name = field_text(node, "name", source) if node.type == "aliased_import" else text_of(node, source)
    alias = field_text(node, "alias", source) or name
    return Import(module, name, alias, node.start_point.row + 1, reexport=True)
