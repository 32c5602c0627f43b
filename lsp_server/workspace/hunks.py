"""Unified diffs with no context, as `git diff -U0` writes them → changed line ranges of the new text."""

from __future__ import annotations

import os
import re

from lsp_server.model.lines import LineRange

_HUNK = re.compile(rb"^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_OLD_HUNK = re.compile(rb"^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@")
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)", re.DOTALL)
_NAMED_ESCAPES = {b"a": b"\a", b"b": b"\b", b"t": b"\t", b"n": b"\n", b"v": b"\v", b"f": b"\f", b"r": b"\r"}


def parse_hunks(diff: bytes) -> dict[str, tuple[LineRange, ...]]:
    """Path → ranges in the new text; a file without hunks (binary, mode change, deleted) has none.

    Where lines were only removed, the range is the line before them (line 1 at the top). Lines of content
    are counted off by the hunk heads, so content that looks like a head is not read as one.
    """
    found: dict[str, list[LineRange]] = {}
    path: str | None = None
    deleted = False
    to_skip = 0
    for line in diff.split(b"\n"):
        if to_skip and line[:1] in (b"+", b"-"):
            to_skip -= 1
        elif line.startswith(b"diff --git "):
            path, deleted, to_skip = _path_of_head(line[11:]), False, 0
            if path is not None:
                found.setdefault(path, [])
        elif line.startswith(b"+++ ") and not to_skip:
            deleted = line[4:] == b"/dev/null"
        elif match := _HUNK.match(line):
            removed = int(match.group(1) or 1)
            start, added = int(match.group(2)), int(match.group(3) or 1)
            to_skip = removed + added
            if path is not None and not deleted:
                found[path].append(LineRange(max(1, start), max(1, start + max(added, 1) - 1)))
    return {name: tuple(ranges) for name, ranges in found.items()}


def parse_shifts(diff: bytes) -> dict[str, tuple[tuple[int, int, int], ...]]:
    """Path → hunks `(line, removed, added)`: `removed` lines at 1-based `line` of the old text became `added`.

    A pure insertion stands at the line that it comes before.
    """
    found: dict[str, list[tuple[int, int, int]]] = {}
    path: str | None = None
    to_skip = 0
    for line in diff.split(b"\n"):
        if to_skip and line[:1] in (b"+", b"-"):
            to_skip -= 1
        elif line.startswith(b"diff --git "):
            path, to_skip = _path_of_head(line[11:]), 0
        elif match := _OLD_HUNK.match(line):
            removed, added = int(match.group(2) or 1), int(match.group(3) or 1)
            to_skip = removed + added
            if path is not None:
                start = int(match.group(1)) + (0 if removed else 1)
                found.setdefault(path, []).append((start, removed, added))
    return {name: tuple(hunks) for name, hunks in found.items()}


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
