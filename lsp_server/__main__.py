"""Entry point: `python -m lsp_server` and the `repo-context-lsp` command."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line and exit with its code."""
    from .cli.main import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
