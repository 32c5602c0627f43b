"""`explain`: build a pack, then say why a symbol or line is in it, or not."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from typing import Any

from ..session.tools import ask
from . import build
from .asking import symbol_or_place
from .main import DONE
from .workspace import opened, print_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `explain`: those of `build`, and the place."""
    parser.add_argument("place", metavar="SYMBOL|PATH[:LINE]", help="what you expected, or wonder about")
    build.add_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Print the verdict."""
    where = symbol_or_place(options.place)
    lines = where.pop("lines", None)
    if lines is not None:
        where["line"] = lines["start"]
    raw, output = build.read_request(options)
    with opened(options) as session:
        session.build(build.make_request(raw, output, session.settings.budget_max_tokens))
        plain = ask(session, "explain", where)
    if options.json:
        print_json(plain)
    else:
        sys.stdout.write(_text(plain))
    return DONE


def _text(plain: Mapping[str, Any]) -> str:
    more = "".join(f"- {one}\n" for one in plain.get("also", ()))
    return f"{plain['verdict']}: {plain['explanation']}\n{more}"
