"""The open documents: what the editor shows now, which wins over the disk.

Immutable documents in one small store. Writers hold the lock; readers get a document by reference and
need none. No pygls text here: its lines break at characters that end no line in LSP.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

from ..model.candidate import Origin
from ..model.errors import RequestError
from ..model.source import SourceText
from ..model.values import Value, replace
from ..text.changes import apply_changes
from ..text.hashing import content_hash
from ..text.line_table import LineTable, split_lines
from ..text.positions import PositionEncoding, WireRange


class TextChange(Value):
    """One content change: `range` in the negotiated encoding, None for the whole text."""

    range: WireRange | None
    text: str


class Document(Value):
    """One open document. `uri` as the client spelt it; `key` canonical; `opened` counts openings."""

    uri: str
    key: str
    language_id: str
    version: int
    table: LineTable
    saved: bool = True

    @property
    def text(self) -> str:
        """The text as the editor shows it."""
        return self.table.text

    def source(self) -> SourceText:
        """The document as the pipeline reads it."""
        lines, ends = split_lines(self.text)
        return SourceText(
            self.key, self.text, lines, ends, content_hash(self.text), Origin.BUFFER, self.version, "utf-8"
        )


class OpenDocuments:
    """Open documents by URI and by key. Several URIs may name one file: the last one changed shows."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._by_uri: dict[str, Document] = {}
        self._by_key: dict[str, tuple[str, ...]] = {}

    def open(self, uri: str, key: str, language_id: str, version: int, text: str) -> Document:
        """Start following a document; opening it again replaces its text."""
        document = Document(uri, key, language_id, version, LineTable.of(text))
        with self._lock:
            self._put(document)
        return document

    def change(
        self, uri: str, version: int | None, changes: Sequence[TextChange], encoding: PositionEncoding
    ) -> Document:
        """Apply changes in order, all or none. Raises RequestError for a document that is not open.

        A version that is not newer is accepted: some editors start again at 0 after a reload.
        """
        with self._lock:
            document = self._by_uri.get(uri)
            if document is None:
                raise RequestError("textDocument.uri", "this document is not open")
            table = apply_changes(document.table, [(change.range, change.text) for change in changes], encoding)
            changed = replace(
                document, table=table, version=document.version + 1 if version is None else version, saved=False
            )
            self._put(changed)
            return changed

    def save(self, uri: str, text: str | None = None) -> Document | None:
        """The document was written to disk; `text` when the client sends it along."""
        with self._lock:
            document = self._by_uri.get(uri)
            if document is None:
                return None
            table = document.table if text is None or text == document.text else LineTable.of(text)
            saved = replace(document, table=table, saved=True)
            self._put(saved)
            return saved

    def close(self, uri: str) -> Document | None:
        """Stop following a document. Closing one that is not open does nothing."""
        with self._lock:
            document = self._by_uri.pop(uri, None)
            if document is not None:
                left = tuple(other for other in self._by_key.get(document.key, ()) if other != uri)
                if left:
                    self._by_key[document.key] = left
                else:
                    self._by_key.pop(document.key, None)
            return document

    def rekey(self, keys: dict[str, str]) -> None:
        """Give documents new keys by URI, after the roots changed."""
        with self._lock:
            documents = list(self._by_uri.values())
            self._by_uri.clear()
            self._by_key.clear()
            for document in documents:
                self._put(replace(document, key=keys.get(document.uri, document.key)))

    def _put(self, document: Document) -> None:
        self._by_uri[document.uri] = document
        others = tuple(uri for uri in self._by_key.get(document.key, ()) if uri != document.uri)
        self._by_key[document.key] = (*others, document.uri)

    def get(self, uri: str) -> Document | None:
        """The open document that the client calls `uri`."""
        return self._by_uri.get(uri)

    def by_key(self, key: str) -> Document | None:
        """The open document with this canonical key, the last changed one if there are several."""
        uris = self._by_key.get(key)
        return self._by_uri.get(uris[-1]) if uris else None

    def all(self) -> tuple[Document, ...]:
        """Every open document, in order of opening."""
        with self._lock:
            return tuple(self._by_uri.values())

    def keys(self) -> frozenset[str]:
        """The keys of all open documents."""
        with self._lock:
            return frozenset(self._by_key)
