"""Unified diffs for people: the preview of an edit."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import unified_diff as _line_diff

from lsp_server.text.line_table import split_lines

_NO_LINE_END = "\\ No newline at end of file\n"


def unified_diff(path: str, old: str | None, new: str) -> str:
    """Diff of one file in Git's form, three lines of context; `old` is None for a new file.

    Line ends are the texts' own; "" when the texts are equal.
    """
    if old == new:
        return ""
    before = _shown_lines(old or "")
    after = _shown_lines(new)
    names = ("/dev/null" if old is None else f"a/{path}", f"b/{path}")
    return "".join(_with_ends(_line_diff(before, after, *names, lineterm="\n")))


def _shown_lines(text: str) -> list[str]:
    return [line + end for line, end in zip(*split_lines(text), strict=True)]


def _with_ends(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        if line.endswith("\n"):
            yield line
        elif line.endswith("\r"):
            yield line + "\n"
        else:
            yield line + "\n"
            yield _NO_LINE_END
