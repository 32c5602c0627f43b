"""The quick run: every figure gives rows, and what must hold at any speed holds."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
INVARIANTS = ("lost", "errors", "differ")


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_every_figure_is_measured_and_nothing_is_lost(tmp_path: Path) -> None:
    command = (sys.executable, "-m", "benchmarks", "all", "--quick", "--out", str(tmp_path))
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    rows = json.loads((tmp_path / "results.json").read_text())["rows"]
    figures = {row["figure"] for row in rows}
    assert figures >= {
        "cold index",
        "first answer",
        "warm start",
        "build latency",
        "build after an edit",
        "edit latency",
        "branch switch",
        "memory",
        "growth",
        "compare",
        "soak",
    }
    invariants = [row for row in rows if any(word in row["what"] for word in INVARIANTS)]
    assert len(invariants) == 5
    assert [row["value"] for row in invariants] == [0, 0, 0, 0, 0]
