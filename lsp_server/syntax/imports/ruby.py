"""Ruby: `require "a/b"`, `require_relative "../b"`, `load "b.rb"`, `autoload :Name, "a/b"`."""

from __future__ import annotations

import tree_sitter

from lsp_server.model.facts import Import

from . import field_text, text_of


def imports(node: tree_sitter.Node, source: bytes) -> list[Import]:
    """What a `call` of `require` or its relatives brings in: all constants of a file, for everybody.

    A relative path starts with `./` or `../`; one that is computed is left out.
    """
    method = field_text(node, "method", source)
    arguments = node.child_by_field_name("arguments")
    if arguments is None:
        return []
    paths = [_plain(child, source) for child in arguments.named_children if child.type == "string"]
    if not paths or not paths[-1]:
        return []
    path = paths[-1]
    if method == "require_relative" and not path.startswith("."):
        path = f"./{path}"
    line = node.start_point.row + 1
    if method == "autoload":
        name = next((text_of(each, source) for each in arguments.named_children if each.type == "simple_symbol"), "")
        name = name.removeprefix(":")
        return [Import(path, name, name, line, reexport=True)] if name else []
    return [Import(path, "*", "", line, reexport=True)]


def _plain(node: tree_sitter.Node, source: bytes) -> str:
    """The text of a string without interpolation, else ""."""
    if any(child.type not in ("string_content", "escape_sequence") for child in node.named_children):
        return ""
    return "".join(text_of(child, source) for child in node.named_children)
