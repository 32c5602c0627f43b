"""`search`: rank code by the words of a query."""

from __future__ import annotations

import argparse

from ..context.answers import search_text
from .asking import add_scope_arguments, answer, scope_of
from .workspace import add_workspace_arguments, whole_number


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `search`."""
    parser.add_argument("query", nargs="+", help="words; identifiers count whole and in parts")
    parser.add_argument("--limit", type=whole_number, metavar="N", help="hits at most (default 20)")
    add_scope_arguments(parser)
    add_workspace_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Print the hits, best first."""
    raw = {"query": " ".join(options.query), "limit": options.limit, **scope_of(options)}
    return answer(options, "search", raw, search_text, "hits")
