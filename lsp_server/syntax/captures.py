"""What a query found, as places: each node's attributes are read once, the rest is numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import tree_sitter

Nodes = Sequence[tree_sitter.Node]


class Places(NamedTuple):
    """Byte offsets of the nodes of one capture, ends exclusive, in no certain order."""

    starts: list[int]
    ends: list[int]

    def pairs(self) -> list[tuple[int, int]]:
        """(start, end) of each node."""
        return list(zip(self.starts, self.ends, strict=True))


NO_PLACES = Places([], [])

Captures = Mapping[str, Places]

LEXICAL = frozenset({"text", "code", "keyword"})
"""Captures that tell identifiers from other words; see `identifier_words`."""


def with_identifiers(nodes: Mapping[str, Nodes], identifiers: Mapping[str, Nodes]) -> Mapping[str, Nodes]:
    """What two queries found, captured identifiers in place of what would tell them."""
    return {capture: found for capture, found in nodes.items() if capture not in LEXICAL} | dict(identifiers)


def places_of(nodes: Mapping[str, Nodes]) -> Captures:
    """The places of all captured nodes by capture name."""
    return {
        capture: Places([node.start_byte for node in found], [node.end_byte for node in found])
        for capture, found in nodes.items()
    }
