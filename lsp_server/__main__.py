"""Entry point: `python -m lsp_server` and the `repo-context-lsp` command."""

from __future__ import annotations

import gc
import os
import sys
import threading

COLLECT_AFTER = 400_000
"""New objects before the garbage collector looks for cycles: a warm `build` makes some 150,000, of which none are. The
usual 700 makes it look through all that was just loaded again and again, a sixth of that command's time."""


def main() -> None:
    """Run the command line, which leaves nothing unwritten, and exit with its code."""
    gc.set_threshold(COLLECT_AFTER, 20, 50)
    from .cli.main import run

    _end(run(sys.argv[1:]))


def _end(code: int) -> None:
    """End the process without taking the interpreter down piece by piece.

    That frees every object of the index for nothing, and unwinds daemon threads: one that stands in numpy's C++ code
    then aborts the process ("terminate called without an active exception").
    """
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join()
    os._exit(code)


if __name__ == "__main__":
    main()
