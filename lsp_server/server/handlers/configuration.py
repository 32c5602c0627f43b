"""`workspace/didChangeConfiguration`: new settings, pushed by the client or asked of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from lsprotocol import types

from ...session.settings_pages import SECTION

if TYPE_CHECKING:
    from ..app import ContextServer


def handle(ls: ContextServer, params: Any) -> None:
    """Take the settings that were sent along; a client that sends none is asked."""
    sent = cast(Mapping[str, Any], params).get("settings") if isinstance(params, Mapping) else None
    section = cast(Mapping[str, Any], sent).get(SECTION) if isinstance(sent, Mapping) else None
    if section is not None:
        apply(ls, section)
    else:
        ls.background(pull(ls))


async def pull(ls: ContextServer) -> None:
    """Ask the client for our section, when it answers such questions."""
    if not ls.capability("workspace.configuration"):
        return
    params = types.ConfigurationParams([types.ConfigurationItem(section=SECTION)])
    answer = await ls.ask_client(types.WORKSPACE_CONFIGURATION, params)
    if isinstance(answer, list) and answer and answer[0] is not None:
        apply(ls, cast(list[Any], answer)[0])


def apply(ls: ContextServer, section: object) -> None:
    """Merge with the other places; what is wrong is shown once."""
    before = set(ls.session.setting_problems)
    for problem in ls.session.change_settings(section):
        if problem not in before:
            ls.tell(types.MessageType.Warning, f"Repo Context settings: {problem}")
