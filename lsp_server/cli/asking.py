"""What the commands share that ask one tool and print its answer."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Mapping
from typing import Any

from ..session.tools import ask
from .main import DONE, NOTHING
from .workspace import opened, print_json

_PLACE = re.compile(r"(?P<path>.+?):(?P<start>\d{1,9})(?:-(?P<end>\d{1,9}))?\Z", re.DOTALL)


def add_scope_arguments(parser: argparse.ArgumentParser) -> None:
    """`--include`, `--exclude`."""
    parser.add_argument("--include", action="append", default=[], metavar="GLOB", help="look only at matching files")
    parser.add_argument("--exclude", action="append", default=[], metavar="GLOB", help="never look at matching files")


def scope_of(options: argparse.Namespace) -> dict[str, Any]:
    """The globs as fields of a request."""
    return {"include": options.include, "exclude": options.exclude}


def place_of(text: str) -> dict[str, Any]:
    """`PATH`, `PATH:LINE` or `PATH:START-END` as fields of a request."""
    match = _PLACE.match(text)
    if match is None:
        return {"path": text}
    start = int(match["start"])
    return {"path": match["path"], "lines": {"start": start, "end": int(match["end"] or start)}}


def symbol_or_place(text: str) -> dict[str, Any]:
    """A symbol's name, or a place in a file."""
    if _PLACE.match(text) or "/" in text:
        return place_of(text)
    return {"symbol": text}


def answer(
    options: argparse.Namespace,
    tool: str,
    raw: Mapping[str, Any],
    text: Callable[[Mapping[str, Any]], str],
    entries: str | None = None,
) -> int:
    """Ask and print; exit code 1 when `entries` of the answer are empty."""
    with opened(options) as session:
        plain = ask(session, tool, raw)
    if options.json:
        print_json(plain)
    else:
        sys.stdout.write(text(plain))
    return NOTHING if entries is not None and not plain[entries] else DONE
