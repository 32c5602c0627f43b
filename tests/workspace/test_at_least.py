"""A guess at the size of a workspace stops as soon as it is answered."""

from __future__ import annotations

from pathlib import Path

from lsp_server.workspace.at_least import holds_at_least
from lsp_server.workspace.roots import Roots


def roots_with(folder: Path, *names: str) -> Roots:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x = 1\n")
    return Roots.of([folder])


def test_files_of_all_folders_count(tmp_path: Path) -> None:
    roots = roots_with(tmp_path, "a.py", "one/b.py", "one/two/c.py")
    assert holds_at_least(roots, 3)
    assert not holds_at_least(roots, 4)


def test_hidden_folders_and_those_of_packages_do_not_count(tmp_path: Path) -> None:
    roots = roots_with(tmp_path, ".git/a", "node_modules/b.js", "src/c.py")
    assert holds_at_least(roots, 1)
    assert not holds_at_least(roots, 2)


def test_a_folder_that_is_gone_holds_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    roots = Roots.of([folder])
    folder.rmdir()
    assert not holds_at_least(roots, 1)
