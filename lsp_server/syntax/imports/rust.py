"""Rust: `use` trees, `extern crate`, and `mod name;` (the file `name.rs` or `name/mod.rs`)."""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from lsp_server.model.facts import Import

from . import field_text, text_of


def imports(node: tree_sitter.Node, source: bytes) -> list[Import]:
    """What a `use_declaration`, `extern_crate_declaration` or body-less `mod_item` brings in.

    The module is the path before the last name (`crate::money` for `use crate::money::Amount`); a
    `mod name;` is the module `self::name`. Anything `pub` is a re-export.
    """
    line = node.start_point.row + 1
    public = any(child.type == "visibility_modifier" for child in node.children)
    if node.type == "mod_item":
        name = field_text(node, "name", source)
        return [Import(f"self::{name}", "", name, line, reexport=public)] if name else []
    if node.type == "extern_crate_declaration":
        name = field_text(node, "name", source)
        return [Import(name, "", field_text(node, "alias", source) or name, line, reexport=public)] if name else []
    argument = node.child_by_field_name("argument")
    if argument is None:
        return []
    found = _tree(argument, "", source, MAX_DEPTH)
    return [Import(module, name, alias, row, reexport=public) for module, name, alias, row in found]


_Leaf = tuple[str, str, str, int]

MAX_DEPTH = 30
"""Braces nested deeper than any real `use` are left out."""


def _tree(node: tree_sitter.Node, prefix: str, source: bytes, depth: int) -> Iterator[_Leaf]:
    """(module, name, alias, line) of every leaf of a use tree below path `prefix`."""
    if depth == 0:
        return
    line = node.start_point.row + 1
    if node.type == "scoped_use_list":
        below = _joined(prefix, field_text(node, "path", source))
        items = node.child_by_field_name("list")
        for item in items.named_children if items is not None else ():
            yield from _tree(item, below, source, depth - 1)
    elif node.type == "use_list":
        for item in node.named_children:
            yield from _tree(item, prefix, source, depth - 1)
    elif node.type == "use_as_clause":
        module, name = _split(_joined(prefix, field_text(node, "path", source)))
        alias = field_text(node, "alias", source)
        yield module, name, "" if alias == "_" else alias, line
    elif node.type == "use_wildcard":
        path = next((text_of(child, source) for child in node.named_children), "")
        yield _joined(prefix, path), "*", "", line
    elif node.type == "self":
        yield prefix, "", prefix.rpartition("::")[2], line
    elif node.type in ("identifier", "scoped_identifier", "crate", "super"):
        module, name = _split(_joined(prefix, text_of(node, source)))
        yield module, name, name or module, line


def _joined(prefix: str, path: str) -> str:
    path = "".join(path.split())
    return f"{prefix}::{path}" if prefix and path else prefix or path


def _split(path: str) -> tuple[str, str]:
    module, separator, name = path.rpartition("::")
    return (module, name) if separator else (path, "")
