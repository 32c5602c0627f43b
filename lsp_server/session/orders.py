"""What goes between the indexer and its workers."""

from __future__ import annotations

import struct
from typing import Any

from ..model.values import Value

FRAME = struct.Struct(">II")
"""Sizes of the JSON head and of the facts that follow, before each answer of a worker."""


class Order(Value):
    """A file to extract: canonical path and where it lies. `language` is what a worker must have loaded for it."""

    path: str
    file: str
    language: str = ""


class Outcome(Value):
    """What became of an order: encoded facts, or `refused` / `failed` with the reason.

    `noted_ns` is a time just before the file was read.
    """

    path: str
    facts: bytes = b""
    size: int = 0
    mtime_ns: int = 0
    refused: str = ""
    failed: str = ""
    noted_ns: int = 0


def outcome_of(path: str, head: dict[str, Any], body: bytes) -> Outcome:
    """What a worker answered (see `worker.work`) as an outcome."""
    return Outcome(
        path,
        body,
        int(head.get("size", 0)),
        int(head.get("mtime_ns", 0)),
        str(head.get("refused", "")),
        str(head.get("failed", "")),
        int(head.get("noted_ns", 0)),
    )
