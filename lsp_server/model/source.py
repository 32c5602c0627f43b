"""Small protocols for what is handed in from outside: text of files, token counts, cancellation."""

from __future__ import annotations

from typing import Protocol

from .candidate import Origin
from .lines import LineRange
from .values import Value


class SourceText(Value):
    """One file's text as it is now. `lines` are without their ends; `ends` are the ends as they are.

    `text == "".join(line + end for line, end in zip(lines, ends))`. Line ends are `\\n`, `\\r\\n` and
    `\\r` only; the last line's end is "" when the text does not end with one. A text that ends with a
    line end has no further empty line. `content_hash` is of the whole text.
    """

    path: str
    text: str
    lines: tuple[str, ...]
    ends: tuple[str, ...]
    content_hash: str
    origin: Origin = Origin.DISK
    version: int | None = None
    encoding: str = "utf-8"

    def slice(self, range: LineRange) -> str:
        """The file's own text of `range` (cut to the file), line ends as they are."""
        picked = zip(self.lines[range.start - 1 : range.end], self.ends[range.start - 1 : range.end], strict=True)
        return "".join(line + end for line, end in picked)


class SourceReader(Protocol):
    """Reads workspace files, open buffers first. The only way the pipeline touches text."""

    def read(self, path: str) -> SourceText:
        """The text of canonical `path`; raises SourceMissing, SourceUnreadable or SourceDenied."""
        ...

    def allowed(self, path: str) -> bool:
        """False when the privacy policy forbids showing anything of `path`."""
        ...


class TokenCounter(Protocol):
    """Counts tokens. Never raises on any text; `id` names the method in results and cache keys."""

    @property
    def id(self) -> str:
        """Stable name, e.g. `estimate-1`."""
        ...

    def count(self, text: str) -> int:
        """Number of tokens of `text`, >= 0; 0 only for the empty text."""
        ...


class Checkpoint(Protocol):
    """Called between two steps; raises Cancelled when the caller withdrew the request."""

    def __call__(self) -> None: ...


def no_checkpoint() -> None:
    """A checkpoint that never cancels."""
