"""`mcp`: the MCP server over stdio, for agent panels."""

from __future__ import annotations

import argparse

from ..model.errors import RequestError
from ..session.exit_guard import ExitGuard
from .main import DONE
from .workspace import add_workspace_arguments, roots_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `mcp`."""
    add_workspace_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Serve until stdin ends."""
    try:
        from ..mcp.server import make_server
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("mcp", "pydantic"):
            raise
        raise RequestError("", "the MCP server needs an extra: pip install '.[mcp]' in a clone") from None
    guard = ExitGuard()
    make_server(roots_of(options), options.set, lambda: guard.arm(DONE)).run("stdio")
    return DONE
