"""What a warm `build` may not load: each start pays for every module."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

FORBIDDEN = """
    asyncio lsprotocol mcp networkx pygls rich scipy tree_sitter lsp_server.edits lsp_server.evaluation
    lsp_server.loop lsp_server.mcp lsp_server.repomap lsp_server.server lsp_server.session.editing
    lsp_server.syntax.parse lsp_server.syntax.extract lsp_server.syntax.queries
""".split()  # noqa: SIM905 - a table of words

BUILD = """
import sys
from lsp_server.cli.main import run
code = run(sys.argv[1:])
print("\\nMODULES", code, *sys.modules)
"""


def build(root: Path, cache: Path) -> list[str]:
    """The exit code and all loaded modules of one `build`."""
    command = ["build", "--root", str(root), "--task", "the total of a cart", "--set", f"cache.folder={cache}"]
    told = subprocess.run(
        [sys.executable, "-c", BUILD, *command], capture_output=True, text=True, check=True, timeout=120
    )
    return told.stdout.rpartition("MODULES ")[2].split()


def test_a_warm_build_loads_no_parser_no_server_and_nothing_of_other_commands(tmp_path: Path) -> None:
    root = tmp_path / "work"
    root.mkdir()
    (root / "cart.py").write_text("def total(cart):\n    return sum(cart)\n")
    os.utime(root / "cart.py", (1_700_000_000, 1_700_000_000))  # what has just been written is read again
    cold = build(root, tmp_path / "cache")
    assert cold[0] == "0"
    code, *loaded = build(root, tmp_path / "cache")
    assert code == "0"
    held = [name for name in loaded for each in FORBIDDEN if name == each or name.startswith(f"{each}.")]
    assert held == []
