"""The how-to pages' snippets: those of Emacs and of an MCP client are run as they stand, all are well-formed."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from subprocess import DEVNULL

import pytest

from lsp_server.server.methods import METHODS

from .conftest import EDITORS, HERE, ROOT, missing

PAGES = sorted((ROOT / "docs" / "how-to").glob("*.md"))
SERVER_BIN = Path(sys.executable).parent

CHECK_PACK = """
(let ((inhibit-message t)) (repo-context-build-task "let price_of know discounts"))
(princ (with-current-buffer "*repo-context*" (buffer-string)))
"""

OPEN = {
    "eglot": "(setq eglot-sync-connect 100) (require 'eglot) (find-file \"cart.py\") (call-interactively 'eglot)",
    "lsp-mode": """
(setq lsp-session-file (expand-file-name "session") lsp-auto-guess-root t lsp-enable-file-watchers nil)
(require 'lsp-mode) (find-file "cart.py") (lsp)
(while (not (seq-some (lambda (one) (eq 'initialized (lsp--workspace-status one))) (lsp-workspaces)))
  (accept-process-output nil 0.05))
""",
}
"""How a buffer of the workspace gets its server."""


def blocks(page: Path, language: str) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_snippets_are_well_formed(page: Path) -> None:
    for text in blocks(page, "json"):
        json.loads(text)
    for text in blocks(page, "toml"):
        tomllib.loads(text)


def test_the_commands_named_for_other_editors_are_the_servers() -> None:
    text = (ROOT / "docs" / "how-to" / "other-editors.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(repoContext\.\w+)`", text))
    assert named
    assert named <= {method.command for method in METHODS}


def environment(home: Path) -> dict[str, str]:
    """With the server on the PATH, and nothing of the user's."""
    return {
        **os.environ,
        "HOME": str(home),
        "XDG_CACHE_HOME": str(home / "cache"),
        "PATH": f"{SERVER_BIN}{os.pathsep}{os.environ['PATH']}",
    }


@pytest.mark.editor
@pytest.mark.workbench
@pytest.mark.timeout(180)
@pytest.mark.parametrize("package", sorted(OPEN))
def test_emacs_shows_a_pack(package: str, tmp_path: Path) -> None:
    emacs = shutil.which("emacs")
    if (
        emacs is None
        or subprocess.run([emacs, "--batch", "--eval", f"(require '{package})"], stderr=DEVNULL).returncode
    ):
        missing(f"no Emacs with {package}")
    workspace = tmp_path / "cart"
    shutil.copytree(HERE / "neovim_workspace", workspace)
    subprocess.run(["git", "init", "-q"], cwd=workspace, check=True)
    (snippet,) = blocks(ROOT / "docs" / "how-to" / "other-editors.md", f"elisp {package}")
    script = tmp_path / "run.el"
    script.write_text(f"{snippet}\n{OPEN[package]}\n{CHECK_PACK}", encoding="utf-8")
    run = subprocess.run(
        [str(emacs), "--batch", "-l", str(script)],
        cwd=workspace,
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert "def price_of" in run.stdout, run.stdout + run.stderr


@pytest.mark.editor
@pytest.mark.workbench
@pytest.mark.timeout(180)
def test_the_mcp_inspector_lists_and_calls_the_tools(tmp_path: Path) -> None:
    inspector = EDITORS / "node_modules" / ".bin" / "mcp-inspector"
    if not inspector.exists():
        missing("no MCP Inspector")
    workspace = tmp_path / "cart"
    shutil.copytree(HERE / "neovim_workspace", workspace)
    env = environment(tmp_path)
    env["PATH"] = f"{inspector.parent}{os.pathsep}{env['PATH']}"

    def inspect(*more: str) -> dict[str, object]:
        command = [str(inspector), "--cli", "repo-context-lsp", "mcp", *more]
        run = subprocess.run(command, cwd=workspace, env=env, capture_output=True, text=True, timeout=80)
        assert run.returncode == 0, run.stdout + run.stderr
        return json.loads(run.stdout)

    tools = inspect("--method", "tools/list")["tools"]
    assert isinstance(tools, list)
    page = (ROOT / "docs" / "how-to" / "agent-panels.md").read_text(encoding="utf-8")
    assert {tool["name"] for tool in tools} == set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE))
    called = inspect("--method", "tools/call", "--tool-name", "build_context", "--tool-arg", "task=price_of")
    assert "def price_of" in json.dumps(called)
