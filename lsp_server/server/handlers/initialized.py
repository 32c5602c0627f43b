"""`initialized`: start indexing, ask the client to watch files and to tell of settings."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types

from .configuration import pull

if TYPE_CHECKING:
    from ..app import ContextServer


_WATCHED_FILES = "workspace.did_change_watched_files.dynamic_registration"


def handle(ls: ContextServer, _: types.InitializedParams) -> None:
    """Never waits: what must wait is done in a task of its own."""
    ls.index_progress.attach(asyncio.get_running_loop())
    ls.session.start()
    ls.session.share()
    for problem in ls.session.setting_problems:
        ls.tell(types.MessageType.Warning, f"Repo Context settings: {problem}")
    ls.background(_after(ls))


async def _after(ls: ContextServer) -> None:
    await ls.warm()
    await pull(ls)
    await _register(ls)


async def _register(ls: ContextServer) -> None:
    """Watch every file: which ones count is for the ignore rules to say."""
    wanted: list[types.Registration] = []
    if ls.capability(_WATCHED_FILES):
        watcher = types.FileSystemWatcher(glob_pattern="**/*")
        options = types.DidChangeWatchedFilesRegistrationOptions([watcher])
        wanted.append(
            types.Registration("repo-context-files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
        )  # fmt: skip
    if ls.capability("workspace.did_change_configuration.dynamic_registration"):
        section = types.DidChangeConfigurationRegistrationOptions(section="repoContext")
        wanted.append(
            types.Registration("repo-context-settings", types.WORKSPACE_DID_CHANGE_CONFIGURATION, section)
        )  # fmt: skip
    if wanted:
        await ls.ask_client(types.CLIENT_REGISTER_CAPABILITY, types.RegistrationParams(wanted))
