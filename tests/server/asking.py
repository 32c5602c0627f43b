"""Short forms for what the tests ask the server."""

from __future__ import annotations

import asyncio
import uuid
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pytest_lsp import LanguageClient


async def ask(client: LanguageClient, method: str, params: Any = None) -> Any:
    """The plain JSON result of a request whose params are sent as they are."""
    return await asyncio.wrap_future(send(client, method, {} if params is None else params)[1])


def send(client: LanguageClient, method: str, params: Any) -> tuple[str, Future[Any]]:
    """Send a request at once; its id and the future of its result."""
    protocol: Any = client.protocol
    request, future = str(uuid.uuid4()), Future[Any]()
    protocol._request_futures[request] = future
    protocol._send_data({"jsonrpc": "2.0", "id": request, "method": method, "params": params})
    return request, future


async def refused(client: LanguageClient, method: str, params: Any) -> JsonRpcException:
    """The error of a request that must fail."""
    with pytest.raises(JsonRpcException) as caught:
        await asyncio.wrap_future(send(client, method, params)[1])
    return caught.value


def open_file(client: LanguageClient, path: Path, text: str | None = None, language: str = "python") -> str:
    """Open a document; returns its URI."""
    uri = path.as_uri()
    shown = path.read_text(encoding="utf-8") if text is None else text
    client.text_document_did_open(
        types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, language, 1, shown))
    )  # fmt: skip
    return uri


def close_file(client: LanguageClient, uri: str) -> None:
    """Close a document: the disk counts again."""
    client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))


def change(client: LanguageClient, uri: str, version: int, *edits: tuple[tuple[int, int, int, int], str]) -> None:
    """Edit an open document: (start line, start character, end line, end character), new text."""
    events = [
        types.TextDocumentContentChangePartial(range=types.Range(types.Position(a, b), types.Position(c, d)), text=text)
        for (a, b, c, d), text in edits
    ]
    identifier = types.VersionedTextDocumentIdentifier(version=version, uri=uri)
    client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, events))


def diagnostic(uri: str, line: int, message: str = "boom", **more: Any) -> dict[str, Any]:
    """A diagnostic on the whole of a 0-based line, as `context/build` takes it."""
    span = {"start": {"line": line, "character": 0}, "end": {"line": line, "character": 80}}
    return {"uri": uri, "version": 1, "diagnostic": {"range": span, "message": message, "severity": 1, **more}}
