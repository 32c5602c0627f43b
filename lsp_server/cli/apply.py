"""`apply`: SEARCH/REPLACE blocks from a file or stdin; all are applied or nothing is written."""

from __future__ import annotations

import argparse
import sys

from ..context.answers import edits_text
from ..edits.errors import BlockError
from ..session.tools import ask
from .main import DONE, USAGE
from .workspace import add_workspace_arguments, note, opened, print_json, read_input


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `apply`."""
    parser.add_argument("file", nargs="?", default="-", help="text with SEARCH/REPLACE blocks; - (default) for stdin")
    parser.add_argument("--dry-run", action="store_true", help="show the diff and write nothing")
    add_workspace_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Apply, then show the diff. A refused block: exit code 2, nothing written."""
    text = read_input(options.file, "FILE").decode("utf-8", "replace")
    with opened(options) as session:
        try:
            plain = ask(session, "applyEdits", {"edits": text, "apply": not options.dry_run})
        except BlockError as error:
            if options.json:
                print_json({"applied": False, "files": [], "error": error_to_dict(error)})
            note(f"nothing was written: {error}")
            return USAGE
    if options.json:
        print_json(plain)
    else:
        sys.stdout.write(edits_text(plain))
    return DONE


def error_to_dict(error: BlockError) -> dict[str, object]:
    """The plain form of a refusal."""
    return {"code": error.code, "block": error.block, "path": error.path, "message": str(error)}
