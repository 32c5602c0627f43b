"""`workspace/didCreateFiles`, `didRenameFiles`, `didDeleteFiles`: what the user did in the editor's tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from ..app import ContextServer


def did_create(ls: ContextServer, params: types.CreateFilesParams) -> None:
    """Files or folders were created."""
    _changed(ls, [file.uri for file in params.files])


def did_rename(ls: ContextServer, params: types.RenameFilesParams) -> None:
    """Files or folders were moved."""
    _changed(ls, [uri for file in params.files for uri in (file.old_uri, file.new_uri)])


def did_delete(ls: ContextServer, params: types.DeleteFilesParams) -> None:
    """Files or folders were deleted."""
    _changed(ls, [file.uri for file in params.files])


def _changed(ls: ContextServer, uris: list[str]) -> None:
    ls.session.uris_changed(uris)
    ls.session.reindex()  # an entry may be a folder
