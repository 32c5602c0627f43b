"""C#: `using A.B;`, `using static A.B.C;`, `using X = A.B.C;`, `global using A.B;`."""

from __future__ import annotations

import tree_sitter

from lsp_server.model.facts import Import

from . import field_text, text_of


def imports(node: tree_sitter.Node, source: bytes) -> list[Import]:
    """What a `using_directive` brings in: all of a namespace or static class, or one type under an alias.

    A `global using` holds for every file of the project, so it is a re-export.
    """
    line = node.start_point.row + 1
    alias = field_text(node, "name", source)
    named = [child for child in node.named_children if child.type in ("identifier", "qualified_name", "generic_name")]
    if not named:
        return []
    path = "".join(text_of(named[-1], source).split())
    everywhere = any(child.type == "global" for child in node.children)
    if not alias:
        return [Import(path, "*", "", line, reexport=everywhere)]
    module, _, name = path.rpartition(".")
    return [Import(module, name, alias, line, reexport=everywhere)]
