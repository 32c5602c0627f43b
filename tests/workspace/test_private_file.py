"""Files outside the workspace that only their owner can read."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from lsp_server.workspace.private_file import write_private


def test_a_private_file_is_its_owners_alone_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "shown.md"
    write_private(path, "first\r\n")
    write_private(path, "second\r\n")
    assert path.read_bytes() == b"second\r\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert [one.name for one in path.parent.iterdir()] == ["shown.md"]


def test_a_file_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    folder = tmp_path / "shown"
    (folder / "pack.md").mkdir(parents=True)
    with pytest.raises(IsADirectoryError):
        write_private(folder / "pack.md", "text")
    assert [one.name for one in folder.iterdir()] == ["pack.md"]
