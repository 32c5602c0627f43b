"""The settings in force: the workspace's files, the editor, the command line, the administrator."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..workspace.settings_files import ADMINISTRATOR_FILE, PROJECT_FILE, PYPROJECT_FILE, read_settings_file
from .settings_check import Layer, Resolved, check_assignments, check_toml, check_tree, resolve

PYPROJECT_TABLE = ("tool", "repo-context")


def load_settings(
    roots: Sequence[Path],
    editor: object = None,
    assignments: Sequence[str] = (),
    administrator_file: Path = ADMINISTRATOR_FILE,
) -> Resolved:
    """Merge every place settings come from. Never raises: what is wrong is in `problems`.

    With several roots, later ones win where they disagree.
    """
    layers: list[Layer] = []
    for root in roots:
        layers += _file(root / PYPROJECT_FILE, PYPROJECT_TABLE)
        layers += _file(root / PROJECT_FILE, ())
    layers.append(check_tree(editor, "editor"))
    layers.append(check_assignments(assignments))
    enforced = _file(administrator_file, ())
    return resolve(layers, enforced[0] if enforced else None)


def _file(path: Path, table: tuple[str, ...]) -> list[Layer]:
    text = read_settings_file(path)
    return [] if text is None else [check_toml(text, str(path), table)]
