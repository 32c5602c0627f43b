"""How a command ends: what it printed is there, and what kept it from printing is said."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

QUIET = ("--quiet", "--set", "cache.enabled=false", "--set", "index.workers=1")
COMMANDS = (("status",), ("build", "--task", "parse_range"))


@pytest.fixture
def shell(tmp_path: Path):
    """Runs a command with what a shell does to its streams."""
    folder = tmp_path / "tree"
    folder.mkdir()
    (folder / "ranges.py").write_text("def parse_range(text):\n    return text.split('-')\n")

    def run(command: tuple[str, ...], streams: str) -> subprocess.CompletedProcess[str]:
        line = f'exec "$0" -m lsp_server "$@" {streams}'
        arguments = (sys.executable, *command, "--root", str(folder), *QUIET)
        return subprocess.run(("/bin/sh", "-c", line, *arguments), capture_output=True, text=True, check=False)

    return run


@pytest.mark.parametrize("command", COMMANDS)
def test_all_that_was_printed_arrives(shell, command: tuple[str, ...]) -> None:
    done = shell(command, "")
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("\n")
    assert "ranges.py" in done.stdout or "tree" in done.stdout


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_output_that_finds_no_room_is_told_in_one_line(shell, command: tuple[str, ...]) -> None:
    done = shell(command, ">/dev/full")
    assert done.returncode == 1
    assert "could not be written" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_streams_that_the_caller_closed_are_no_error(shell, command: tuple[str, ...], closed: str) -> None:
    done = shell(command, closed)
    assert (done.returncode, done.stderr) == (0, "")
