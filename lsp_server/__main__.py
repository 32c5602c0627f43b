"""Entry point: `python -m lsp_server` and the `repo-context-lsp` command."""

from __future__ import annotations

import gc
import sys

COLLECT_AFTER = 50_000
"""New objects before the garbage collector looks for cycles. The usual 700 makes it look through all that was just
loaded again and again: a sixth of the time of a warm `build`."""


def main() -> None:
    """Run the command line and exit with its code."""
    gc.set_threshold(COLLECT_AFTER, 20, 50)
    from .cli.main import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
