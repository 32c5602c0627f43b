"""Asking for an image never fails."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lsp_server.index.image_files import ENDING, has_image, workspace_digest


def test_an_image_is_found_by_its_workspace(tmp_path: Path) -> None:
    (tmp_path / f"index-1-{workspace_digest('here')}{ENDING}").touch()
    assert has_image(tmp_path, "here")
    assert not has_image(tmp_path, "elsewhere")
    assert not has_image(tmp_path / "missing", "here")


def test_a_folder_that_cannot_be_looked_into_has_no_image(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(_folder: Path, _pattern: str) -> Iterator[Path]:
        raise PermissionError(13, "denied")

    monkeypatch.setattr(Path, "glob", denied)
    assert not has_image(tmp_path, "here")
