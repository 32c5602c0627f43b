"""`grep`: a literal or a regular expression in every indexed text."""

from __future__ import annotations

import argparse

from ..context.answers import grep_text
from .asking import add_scope_arguments, answer, scope_of
from .workspace import add_workspace_arguments, whole_number


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `grep`."""
    parser.add_argument("pattern", help="a literal text")
    parser.add_argument("-E", "--regex", action="store_true", help="the pattern is a regular expression")
    parser.add_argument(
        "--case", choices=("sensitive", "insensitive", "smart"), default="sensitive", help="default sensitive"
    )
    parser.add_argument("--limit", type=whole_number, metavar="N", help="matches at most (default 100)")
    add_scope_arguments(parser)
    add_workspace_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Print the matches by path and line."""
    raw = {
        "pattern": options.pattern,
        "kind": "regex" if options.regex else "literal",
        "case": options.case,
        "limit": options.limit,
        **scope_of(options),
    }
    return answer(options, "grep", raw, grep_text, "matches")
