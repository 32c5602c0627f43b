"""Unified diffs with no context, as `git diff -U0` writes them → the hunks of each path."""

from __future__ import annotations

import os
import re

from lsp_server.model.lines import LineRange
from lsp_server.model.values import Value

# Lines of content begin with a sign, so none of these can be content.
_MARK = re.compile(
    rb"^(?:diff --git (?P<names>.*)|(?P<deleted>deleted) file mode.*"
    rb"|@@ -(?P<old>\d+)(?:,(?P<removed>\d+))? \+(?P<new>\d+)(?:,(?P<added>\d+))? @@)",
    re.MULTILINE,
)
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)", re.DOTALL)
_NAMED_ESCAPES = {b"a": b"\a", b"b": b"\b", b"t": b"\t", b"n": b"\n", b"v": b"\v", b"f": b"\f", b"r": b"\r"}


class Hunk(Value):
    """`removed` lines from 1-based line `old` became `added` lines from line `new`.

    Where a side has no lines, its number is that of the line before the place (0 at the top).
    """

    old: int
    removed: int
    new: int
    added: int

    @property
    def first(self) -> int:
        """The first removed line of the old text; of an insertion the line that it comes before."""
        return self.old if self.removed else self.old + 1

    @property
    def last(self) -> int:
        """The last removed line of the old text; of an insertion the line that it comes behind."""
        return self.old + max(self.removed, 1) - 1

    @property
    def range(self) -> LineRange:
        """What the hunk touched of the new text; where lines were only removed, the line before them."""
        return LineRange(max(1, self.new), max(1, self.new + max(self.added, 1) - 1))


class FileDiff(Value):
    """The hunks of one path, from top to bottom; none for a binary file or a mode change."""

    hunks: tuple[Hunk, ...]
    deleted: bool


def parse_diff(diff: bytes) -> dict[str, FileDiff]:
    """What a diff says of each path."""
    hunks: dict[str, list[Hunk]] = {}
    deleted: set[str] = set()
    path: str | None = None
    for mark in _MARK.finditer(diff):
        names = mark["names"]
        if names is not None:
            path = _path_of_head(names)
            if path is not None:  # twice for a link that became a file: the second is what is there now
                hunks[path] = []
                deleted.discard(path)
        elif path is None:
            continue
        elif mark["deleted"]:
            deleted.add(path)
        else:
            removed, added = int(mark["removed"] or 1), int(mark["added"] or 1)
            hunks[path].append(Hunk(int(mark["old"]), removed, int(mark["new"]), added))
    return {name: FileDiff(tuple(found), name in deleted) for name, found in hunks.items()}


def _path_of_head(names: bytes) -> str | None:
    """The path of `a/PATH b/PATH`; both are the same, as renames are off."""
    if names.startswith(b'"'):
        end = re.match(rb'"(?:[^"\\]|\\.)*"', names, re.DOTALL)
        return os.fsdecode(_unquote(end.group()[1:-1])[2:]) if end else None
    half = (len(names) - 1) // 2
    return os.fsdecode(names[2:half]) if names[half : half + 3] == b" b/" else None


def _unquote(text: bytes) -> bytes:
    def plain(match: re.Match[bytes]) -> bytes:
        code = match.group(1)
        return bytes([int(code, 8) & 0xFF]) if len(code) == 3 else _NAMED_ESCAPES.get(code, code)

    return _ESCAPE.sub(plain, text)
