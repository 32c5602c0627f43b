"""`parse`: the failures that an output contains."""

from __future__ import annotations

import argparse

from ..context.json import failure_to_dict
from ..model.request import FailureOutput
from .main import DONE
from .workspace import add_workspace_arguments, opened, print_json, read_input


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `parse`."""
    parser.add_argument("file", nargs="?", default="-", help="the output; - (default) for stdin")
    parser.add_argument("--cwd", metavar="FOLDER", help="where the command ran, seen from the workspace")
    parser.add_argument("--commit", metavar="COMMIT", help="the commit it ran on, if not the present text (a CI log)")
    parser.add_argument("--format", default="auto", help="auto (default), or the id of a format")
    add_workspace_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Print the failures; finding none is no error."""
    output = FailureOutput(read_input(options.file, "FILE"), options.format, options.cwd, options.commit)
    with opened(options) as session:
        report = session.parse_failures(output)
    if options.json:
        print_json(
            {
                "failures": [failure_to_dict(failure) for failure in report.failures],
                "leftOut": dict(report.left_out),
                "ambiguous": list(report.ambiguous),
            }
        )
        return DONE
    for number, failure in enumerate(report.failures, start=1):
        first_line = failure.message.strip().partition("\n")[0]
        print(f"{number}. {failure.kind} ({failure.tool or 'unknown tool'}): {first_line}")
        for location in failure.locations:
            symbol = f" in {location.symbol}" if location.symbol else ""
            print(f"     {location.role:8} {location.path}:{location.line}{symbol}")
    if not report.failures:
        print("no failure found")
    return DONE
