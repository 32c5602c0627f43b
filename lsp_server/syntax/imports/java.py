"""Java: `import a.b.C;`, `import a.b.*;`, `import static a.b.C.member;`."""

from __future__ import annotations

import tree_sitter

from lsp_server.model.facts import Import

from . import text_of


def imports(node: tree_sitter.Node, source: bytes) -> list[Import]:
    """What an `import_declaration` brings in: the last part is the name, what is before it the module."""
    line = node.start_point.row + 1
    path = ""
    star = False
    for child in node.named_children:
        if child.type in ("scoped_identifier", "identifier"):
            path = "".join(text_of(child, source).split())
        elif child.type == "asterisk":
            star = True
    if not path:
        return []
    if star:
        return [Import(path, "*", "", line)]
    module, _, name = path.rpartition(".")
    return [Import(module, name, name, line)]
