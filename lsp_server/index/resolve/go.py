"""Go: a package is a folder; its files share their names; imports end with the package's folder."""

from __future__ import annotations

from collections.abc import Callable

from ...model.facts import Import
from ..snapshot import FileView, Snapshot
from .paths import folder


def import_files(snapshot: Snapshot, view: FileView, entry: Import) -> tuple[str, ...]:
    """All files of the imported package's folder."""
    del snapshot, view, entry
    return ()


def same_package(snapshot: Snapshot, view: FileView) -> Callable[[str], bool]:
    """Files of the same folder."""
    del snapshot
    own = folder(view.path)
    return lambda path: path.endswith(".go") and folder(path) == own
