"""`verify`: are the items of a pack that was built earlier still what the code says?"""

from __future__ import annotations

import argparse
import sys
from typing import Any, cast

from ..context.answers import verdicts_text
from ..model.errors import RequestError
from ..session.tools import ask
from .main import DONE, NOTHING
from .workspace import add_workspace_arguments, opened, print_json, read_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `verify`."""
    parser.add_argument("pack", metavar="FILE", help="JSON of a pack (build --format json), or {items}; - for stdin")
    add_workspace_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Print what changed; exit code 1 when something did."""
    raw: Any = read_json(options.pack, "FILE")
    if not isinstance(raw, dict) or "items" not in raw:
        raise RequestError("FILE", "must hold an object with `items`, as `build --format json` prints it")
    with opened(options) as session:
        plain = ask(session, "verify", {"items": cast(dict[str, Any], raw)["items"]})
    if options.json:
        print_json(plain)
    else:
        sys.stdout.write(verdicts_text(plain))
    return DONE if plain["valid"] else NOTHING
