"""`workspace/didChangeWorkspaceFolders`: folders come and go while serving."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from ...session.uris import file_path

if TYPE_CHECKING:
    from ..app import ContextServer


def handle(ls: ContextServer, params: types.DidChangeWorkspaceFoldersParams) -> None:
    """Folders of other schemes than `file:` are passed over."""
    ls.session.change_roots(_paths(params.event.added), _paths(params.event.removed))


def _paths(folders: Sequence[types.WorkspaceFolder]) -> list[Path]:
    return [Path(path) for folder in folders if (path := file_path(folder.uri)) is not None]
