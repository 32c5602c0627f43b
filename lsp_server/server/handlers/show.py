"""`context/show`: a pack as a file that the editor opens, for clients that have no view of their own."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from lsprotocol import types

from ...model.errors import RequestError
from ...workspace.private_file import write_private
from . import build

if TYPE_CHECKING:
    from ..app import ContextServer

SUFFIXES = {"<": "xml", "{": "json"}
"""File name endings by a rendered text's first character."""


async def handle(ls: ContextServer, params: Any) -> Any:
    """The params of `context/build`; its pack, and in `shown` the file that holds the rendered text."""
    pack = cast(dict[str, Any], await build.handle(ls, params))
    text = pack.get("rendered")
    if not isinstance(text, str):
        raise RequestError("render.format", "must not be none: there would be nothing to show")
    path = _place(ls, text)
    try:
        write_private(path, text)
    except OSError as error:
        raise RequestError("", f"cannot write {path}: {error.strerror}") from None
    if ls.capability("window.show_document.support"):
        asked = types.ShowDocumentParams(path.as_uri(), take_focus=True)
        ls.background(ls.ask_client(types.WINDOW_SHOW_DOCUMENT, asked))
    else:
        ls.tell(types.MessageType.Info, f"Context: {path}")
    return pack | {"shown": path.as_uri()}


def _place(ls: ContextServer, text: str) -> Path:
    """One file a workspace, so that an editor that has it open shows the newer pack in the same place."""
    from ...session.cache_folder import cache_folder

    roots = "\n".join(sorted(str(root.path) for root in ls.session.roots.roots))
    name = hashlib.sha256(roots.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    suffix = SUFFIXES.get(text.lstrip()[:1], "md")
    return cache_folder(ls.settings.cache_folder) / "shown" / f"context-{name}.{suffix}"
