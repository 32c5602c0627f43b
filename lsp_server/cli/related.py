"""`related`: definitions, callers, callees, tests and importers of a symbol or a place."""

from __future__ import annotations

import argparse

from ..context.answers import related_text
from .asking import answer, symbol_or_place
from .workspace import add_workspace_arguments, whole_number


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `related`."""
    parser.add_argument("what", metavar="SYMBOL|PATH[:LINES]", help="e.g. Class.method, src/a.py, src/a.py:10-20")
    parser.add_argument("--limit", type=whole_number, metavar="N", help="items at most (default 40)")
    add_workspace_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Print the related code."""
    raw = {**symbol_or_place(options.what), "limit": options.limit}
    return answer(options, "related", raw, related_text, "items")
