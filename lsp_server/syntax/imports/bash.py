"""Bash: `source file`, `. file`, and bats' `load file`."""

from __future__ import annotations

import tree_sitter

from lsp_server.model.facts import Import

from . import text_of

_CONSTANT = frozenset({"string_content", "word", "raw_string", "number"})


def imports(node: tree_sitter.Node, source: bytes) -> list[Import]:
    """What a `command` of `source` or `.` brings in: everything of a file, for everybody who sources this one.

    Of a computed path the constant end is kept: `"$HERE/lib/a.sh"` gives `./lib/a.sh`. bats adds its
    ending itself: `load helper` gives `./helper.bash`.
    """
    argument = node.child_by_field_name("argument")
    if argument is None:
        return []
    path = _constant_end(argument, source)
    if not path:
        return []
    command = node.child_by_field_name("name")
    if command is not None and text_of(command, source) in ("load", "bats_load_library"):
        path = path if path.startswith((".", "/")) else f"./{path}"
        path = path if path.endswith((".bash", ".sh")) else f"{path}.bash"
    return [Import(path, "*", "", node.start_point.row + 1, reexport=True)]


def _constant_end(argument: tree_sitter.Node, source: bytes) -> str:
    if argument.type == "raw_string":
        return text_of(argument, source).strip("'")
    if argument.type == "word":
        return text_of(argument, source)
    end = ""
    for part in argument.named_children:
        if part.type in _CONSTANT:
            end += text_of(part, source).strip("'")
        elif part.type == "string":
            end += _constant_end(part, source)
        else:
            end = ""
    return f".{end}" if end.startswith("/") else end
