"""`serve`: the language server over stdio, or over TCP on the loopback interface."""

from __future__ import annotations

import argparse
from pathlib import Path

from .main import DONE


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `serve`."""
    parser.add_argument("--stdio", action="store_true", help="serve on stdin and stdout (default)")
    parser.add_argument("--tcp", type=int, metavar="PORT", help="serve on 127.0.0.1:PORT; 0 picks a free port")
    parser.add_argument("--token-file", type=Path, metavar="FILE", help="with --tcp: where the access token is written")
    parser.add_argument("--log-file", type=Path, metavar="FILE", help="write the log to a file")
    parser.add_argument("--log-level", choices=("debug", "info", "warning", "error"), help="default: warning")


def run(options: argparse.Namespace) -> int:
    """Serve until the client leaves."""
    from ..server.app import serve

    serve(options)
    return DONE
