"""The session of a connection, from what `initialize` says."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from ..context.raw_fields import Fields
from ..session.session import Session
from ..session.settings_load import load_settings
from ..session.uris import file_path

if TYPE_CHECKING:
    from .app import ContextServer


def open_session(params: types.InitializeParams, ls: ContextServer) -> Session:
    """A session over the client's folders; it starts indexing at `initialized`."""
    paths = folders(params)
    editor = Fields(params.initialization_options or {}, "initializationOptions").get("settings")
    resolved = load_settings(paths, editor=editor)
    session = Session(paths, resolved, on_progress=ls.index_progress)
    session.editor_settings = editor
    return session


def folders(params: types.InitializeParams) -> list[Path]:
    """The workspace folders, or the root of older clients. Folders of other schemes are passed over."""
    uris = [folder.uri for folder in params.workspace_folders or ()]
    if not uris and params.root_uri:
        uris = [params.root_uri]
    paths = [path for uri in uris if (path := file_path(uri)) is not None]
    if not paths and not uris and params.root_path:
        paths = [params.root_path]
    return [Path(path) for path in paths]
