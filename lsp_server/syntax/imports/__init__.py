"""Import statements into facts, one file a language.

Each module has `imports(node, source) -> list[Import]`: what one captured `@import` node brings in. It must
take any node of any broken text and never raise.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module

import tree_sitter

from lsp_server.model.facts import Import

ImportReader = Callable[[tree_sitter.Node, bytes], list[Import]]


@cache
def import_reader(name: str) -> ImportReader:
    """The `imports` function of `imports/<name>.py`."""
    reader: ImportReader = import_module(f".{name}", __package__).imports
    return reader


def text_of(node: tree_sitter.Node, source: bytes) -> str:
    """The text of `node`."""
    return source[node.start_byte : node.end_byte].decode("utf-8", "replace")


def field_text(node: tree_sitter.Node, field: str, source: bytes) -> str:
    """The text of the child in `field`, "" without one."""
    child = node.child_by_field_name(field)
    return "" if child is None else text_of(child, source)
