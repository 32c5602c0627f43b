"""A reader over texts in memory, as open buffers are."""

from __future__ import annotations

from dataclasses import dataclass, field

from lsp_server.model.candidate import Origin
from lsp_server.model.errors import SourceDenied, SourceMissing
from lsp_server.model.source import SourceText
from lsp_server.text.hashing import content_hash
from lsp_server.text.line_table import split_lines


@dataclass
class MemoryReader:
    """Texts by path; what is `denied` is neither read nor allowed."""

    texts: dict[str, str]
    denied: frozenset[str] = field(default_factory=frozenset)
    version: int | None = 3

    def read(self, path: str) -> SourceText:
        if path in self.denied:
            raise SourceDenied(path)
        if path not in self.texts:
            raise SourceMissing(path)
        text = self.texts[path]
        lines, ends = split_lines(text)
        return SourceText(path, text, lines, ends, content_hash(text), Origin.BUFFER, self.version)

    def allowed(self, path: str) -> bool:
        return path not in self.denied
