"""The plugin in real headless Neovim, with the real server."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SERVER = [sys.executable, "-P", "-m", "lsp_server"]
SCENARIOS = sorted(path.stem for path in (HERE / "neovim").glob("*.lua") if path.stem != "harness")

pytestmark = pytest.mark.editor


@pytest.mark.parametrize("name", SCENARIOS)
def test_scenario_in_neovim(name: str, nvim: Path, tmp_path: Path) -> None:
    workspace = tmp_path / "cart"
    shutil.copytree(HERE / "neovim_workspace", workspace)
    folders = {f"XDG_{kind}_HOME": str(tmp_path / kind.lower()) for kind in ("CONFIG", "DATA", "STATE", "CACHE")}
    env = {
        **os.environ,
        **folders,
        "NVIM_LOG_FILE": str(tmp_path / "nvim.log"),
        "HARNESS": str(HERE / "neovim" / "harness.lua"),
        "PLUGIN": str(HERE.parent.parent / "client-nvim"),
        "WORKSPACE": str(workspace),
        "SERVER": json.dumps(SERVER),
        "SERVER_FOLDER": str(Path(sys.executable).parent),
        "PYRIGHT": json.dumps([str(Path(sys.executable).parent / "basedpyright-langserver"), "--stdio"]),
    }
    command = [str(nvim), "--headless", "--clean", "-n", "-i", "NONE", "-l", str(HERE / "neovim" / f"{name}.lua")]
    run = subprocess.run(command, env=env, cwd=workspace, capture_output=True, text=True, timeout=90)
    log = tmp_path / "state" / "nvim" / "lsp.log"
    print(run.stderr)
    assert run.returncode == 0, run.stdout + run.stderr + (log.read_text() if log.exists() else "")
