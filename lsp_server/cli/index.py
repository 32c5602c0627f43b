"""`index`: bring the index (and its cache) up to date, with a progress bar on a terminal."""

from __future__ import annotations

import argparse
import time

from ..session.status import status_json
from .main import DONE
from .status import print_status
from .workspace import add_workspace_arguments, opened, print_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `index`."""
    add_workspace_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Index, then print the status with the time it took."""
    begin = time.perf_counter()
    with opened(options) as session:
        status = session.status()
    seconds = time.perf_counter() - begin
    if options.json:
        print_json({**status_json(status), "seconds": round(seconds, 3)})
    else:
        print_status(status)
        print(f"time        {seconds:.2f} s")
    return DONE
