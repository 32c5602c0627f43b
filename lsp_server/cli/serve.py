"""`serve`: the language server over stdio, or over TCP on the loopback interface."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `serve`."""
    parser.add_argument("--stdio", action="store_true", help="serve on stdin and stdout (default)")
    parser.add_argument("--tcp", type=int, metavar="PORT", help="serve on 127.0.0.1:PORT; 0 picks a free port")
    parser.add_argument("--token-file", type=Path, metavar="FILE", help="with --tcp: where the access token is written")
    parser.add_argument("--log-file", type=Path, metavar="FILE", help="write the log to a file")
    parser.add_argument("--log-level", choices=("debug", "info", "warning", "error"), help="default: warning")


def run(options: argparse.Namespace) -> int:
    """Serve until the client leaves; the exit code is the one the protocol asks for."""
    from ..server.serve import serve_stdio, serve_tcp

    if options.tcp is not None:
        return serve_tcp(options.tcp, options.token_file, options.log_file, options.log_level)
    return serve_stdio(options.log_file, options.log_level)
