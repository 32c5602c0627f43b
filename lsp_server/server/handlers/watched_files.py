"""`workspace/didChangeWatchedFiles`: files changed on disk. Events may come twice, late or never."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from ..app import ContextServer


def handle(ls: ContextServer, params: types.DidChangeWatchedFilesParams) -> None:
    """What the events say of the kind of change is not trusted: the disk is looked at."""
    ls.session.uris_changed(change.uri for change in params.changes)
