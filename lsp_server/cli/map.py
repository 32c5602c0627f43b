"""`map`: a ranked outline of the workspace; or the reference graph as DOT, GraphML or a page to look at."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from ..context.map import map_request, map_to_dict
from ..model.errors import RequestError
from .main import DONE, NOTHING
from .workspace import add_workspace_arguments, note, opened, print_json, whole_number

MAX_NODES = 300


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `map`."""
    parser.add_argument("--budget", type=whole_number, metavar="TOKENS", help="default by what is in focus, about 1024")
    parser.add_argument("--focus", action="append", default=[], metavar="PATH", help="a file you have in hand")
    parser.add_argument("--symbol", action="append", default=[], metavar="NAME", help="a symbol you care about")
    parser.add_argument("--query", metavar="TEXT", help="what you are looking for, in your words")
    parser.add_argument(
        "--depth", type=whole_number, metavar="N", help="0 files only, 1 top level, 2 members (default)"
    )
    parser.add_argument("--folder", metavar="FOLDER", help="show only what is below it")
    parser.add_argument("--include", action="append", default=[], metavar="GLOB", help="show only matching files")
    parser.add_argument("--exclude", action="append", default=[], metavar="GLOB", help="never show matching files")
    parser.add_argument("--graph", choices=("dot", "graphml", "html"), help="the reference graph between files instead")
    parser.add_argument("--nodes", type=whole_number, default=MAX_NODES, metavar="N", help="files in the graph at most")
    parser.add_argument("--output", metavar="FILE", help="write there instead of stdout")
    add_workspace_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Print the map, or the graph."""
    raw: dict[str, Any] = {
        "budget": options.budget,
        "focus": options.focus,
        "symbols": options.symbol,
        "query": options.query,
        "depth": options.depth,
        "folder": options.folder,
        "include": options.include,
        "exclude": options.exclude,
    }
    request = map_request(raw)
    with opened(options) as session:
        if options.graph is not None:
            _write(session.graph_text(options.graph, request, options.nodes), options.output)
            return DONE
        drawn = session.map(request)
    if options.json:
        print_json(map_to_dict(drawn))
        return DONE if drawn.files else NOTHING
    _write(drawn.text, options.output)
    if not options.quiet:
        note(f"{len(drawn.files)} files, {drawn.used} of {drawn.budget} {drawn.counter}; {_left_out(drawn)}")
        if not drawn.files:
            note("nothing to show; raise --budget, or see `repo-context-lsp status`")
    return DONE if drawn.files else NOTHING


def _left_out(drawn: Any) -> str:
    return f"{drawn.files_left_out} files and {drawn.symbols_left_out} symbols of the files looked at are not in it"


def _write(text: str, output: str | None) -> None:
    if output is None:
        sys.stdout.write(text)
        return
    try:
        Path(output).write_text(text, encoding="utf-8")
    except OSError as error:
        raise RequestError("--output", f"cannot write {output}: {error.strerror or error}") from None
