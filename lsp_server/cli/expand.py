"""`expand`: the whole unit around a place, freshly read."""

from __future__ import annotations

import argparse

from ..context.answers import expanded_text
from .asking import answer, place_of
from .workspace import add_workspace_arguments, whole_number


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `expand`."""
    parser.add_argument("place", metavar="PATH:LINES", help="e.g. src/a.py:10 or src/a.py:10-20 (an item's id)")
    parser.add_argument(
        "--extent",
        choices=("unit", "range", "neighbours"),
        default="unit",
        help="the definition around it (default), the lines themselves, or lines on either side",
    )
    parser.add_argument("--neighbours", type=whole_number, metavar="N", help="lines on either side (default 20)")
    add_workspace_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Print the code."""
    raw = {**place_of(options.place), "extent": options.extent, "neighbours": options.neighbours}
    return answer(options, "expand", raw, expanded_text)
