"""The one way requests read text: open buffers first, then the disk; denied files never."""

from __future__ import annotations

from collections.abc import Callable

from ..model.errors import SourceDenied, SourceUnreadable
from ..model.source import SourceReader, SourceText
from ..workspace.privacy import PrivacyPolicy
from .documents import OpenDocuments


class SessionReader:
    """Reads for one request: a file read twice is the same text, so a pack never mixes two states.

    `on_disk_text` hears of every text that came from the disk; the session compares it with the index.
    `kept_out` knows the files that ignore rules or settings exclude: the editor sees them, packs do not.
    """

    def __init__(
        self,
        documents: OpenDocuments,
        disk: SourceReader,
        policy: PrivacyPolicy,
        on_disk_text: Callable[[SourceText], None],
        kept_out: Callable[[str], bool] = lambda _path: False,
    ) -> None:
        self._documents = documents
        self._disk = disk
        self._policy = policy
        self._on_disk_text = on_disk_text
        self._kept_out = kept_out
        self._read: dict[str, SourceText] = {}

    def allowed(self, path: str) -> bool:
        """False when nothing of `path` may be shown, whether it is open or not."""
        return not self._policy.denied(path) and self._disk.allowed(path)

    def read(self, path: str) -> SourceText:
        """The text as the editor shows it, else as it lies on disk."""
        held = self._read.get(path)
        if held is not None:
            return held
        if self._policy.denied(path):
            raise SourceDenied(path)
        if self._kept_out(path):
            raise SourceUnreadable(path, "is left out by an ignore rule or a setting")
        document = self._documents.by_key(path)
        if document is not None:
            text = document.source()
        else:
            text = self._disk.read(path)
            self._on_disk_text(text)
        self._read[path] = text
        return text
