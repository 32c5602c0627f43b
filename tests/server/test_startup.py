"""Nothing heavy is loaded before `initialize` is answered, and no pygls by what needs none."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("numpy", "tree_sitter", "networkx", "sqlite3", "rank_bm25", "regex", "charset_normalizer", "rich", "mcp")


def loaded_by(statement: str) -> set[str]:
    script = f"{statement}\nimport sys\nprint('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_the_server_starts_light() -> None:
    loaded = loaded_by("import lsp_server.server.serve, lsp_server.server.opening, lsp_server.server.handlers.sync")
    assert not loaded & set(HEAVY)


@pytest.mark.parametrize("module", ["lsp_server.session.worker", "lsp_server.session.session", "lsp_server.cli.build"])
def test_workers_and_the_command_line_do_without_pygls(module: str) -> None:
    loaded = loaded_by(f"import {module}")
    assert not {name for name in loaded if name.split(".")[0] in ("pygls", "lsprotocol")}
