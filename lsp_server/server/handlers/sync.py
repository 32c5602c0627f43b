"""Text synchronisation: what the editor shows. Runs on the loop, in the order of the messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from ...session.documents import TextChange
from ...text.positions import WirePosition, WireRange

if TYPE_CHECKING:
    from ..app import ContextServer


def did_open(ls: ContextServer, params: types.DidOpenTextDocumentParams) -> None:
    """`textDocument/didOpen`."""
    document = params.text_document
    ls.session.document_opened(document.uri, document.language_id, document.version, document.text)


def did_change(ls: ContextServer, params: types.DidChangeTextDocumentParams) -> None:
    """`textDocument/didChange`."""
    changes = [_change(change) for change in params.content_changes]
    document = params.text_document
    ls.session.document_changed(document.uri, document.version, changes, ls.position_encoding)


def _change(change: types.TextDocumentContentChangeEvent) -> TextChange:
    if isinstance(change, types.TextDocumentContentChangePartial):
        start, end = change.range.start, change.range.end
        span = WireRange(WirePosition(start.line, start.character), WirePosition(end.line, end.character))
        return TextChange(span, change.text)
    return TextChange(None, change.text)


def did_save(ls: ContextServer, params: types.DidSaveTextDocumentParams) -> None:
    """`textDocument/didSave`."""
    ls.session.document_saved(params.text_document.uri, params.text)


def did_close(ls: ContextServer, params: types.DidCloseTextDocumentParams) -> None:
    """`textDocument/didClose`."""
    ls.session.document_closed(params.text_document.uri)
