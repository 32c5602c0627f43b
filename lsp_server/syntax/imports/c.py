"""C and C++: `#include "file.h"`, `#include <file.h>`, `using ns::name;`, `using namespace ns;`."""

from __future__ import annotations

import tree_sitter

from lsp_server.model.facts import Import

from . import text_of


def imports(node: tree_sitter.Node, source: bytes) -> list[Import]:
    """What a `preproc_include` or `using_declaration` brings in.

    The module of an include keeps its quotes or angle brackets, which say where it is looked for, and all
    its names come in, also for those who include this file.
    """
    line = node.start_point.row + 1
    if node.type == "preproc_include":
        path = node.child_by_field_name("path")
        if path is None or path.type not in ("string_literal", "system_lib_string"):
            return []
        return [Import(text_of(path, source), "*", "", line, reexport=True)]
    written = next((text_of(child, source) for child in node.named_children if "identifier" in child.type), "")
    path = "".join(written.split()).removeprefix("::")
    if not path:
        return []
    if any(child.type == "namespace" for child in node.children):
        return [Import(path, "*", "", line)]
    module, _, name = path.rpartition("::")
    return [Import(module, name, name, line)]
