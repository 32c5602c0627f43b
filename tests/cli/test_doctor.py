"""The `doctor` command on the machine that runs the tests."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_the_doctor_finds_nothing_wrong_here(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "lsp_server", "doctor"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    lines = dict(line.split(maxsplit=2)[1::-1] for line in ran.stdout.splitlines())
    assert lines["grammars"] == "ok"
    assert "wrong" not in lines.values()
