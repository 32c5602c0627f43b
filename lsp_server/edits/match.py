"""Where a SEARCH text stands in a file: exact text, line ends apart. Never by line number, never fuzzy.

A SEARCH text that ends with a line end is one or more whole lines: places where it fills whole lines are
looked for first, so `    pass` does not also mean the end of a deeper `        pass`. When there are none,
and for any other SEARCH text, every occurrence counts, overlapping ones too.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from lsp_server.model.lines import LineRange
from lsp_server.model.values import Value
from lsp_server.text.line_table import split_lines


class UnixText(Value):
    """A text with `\\n` line ends, and the way back to the offsets of the original."""

    text: str
    lines: tuple[str, ...]
    ends: tuple[str, ...]
    starts: tuple[int, ...]
    original_starts: tuple[int, ...]

    @classmethod
    def of(cls, original: str) -> UnixText:
        """The normalised form of `original`."""
        lines, ends = split_lines(original)
        text = "".join(line + ("\n" if end else "") for line, end in zip(lines, ends, strict=True))
        starts = (0, *accumulate(len(line) + bool(end) for line, end in zip(lines, ends, strict=True)))
        originals = (0, *accumulate(len(line) + len(end) for line, end in zip(lines, ends, strict=True)))
        return cls(text, lines, ends, starts, originals)

    def line_at(self, offset: int) -> int:
        """0-based line that holds the offset; `len(lines)` at the very end after a line end."""
        return bisect_right(self.starts, offset) - 1

    def original_offset(self, offset: int) -> int:
        """The same place in the original text."""
        line = self.line_at(offset)
        return self.original_starts[line] + offset - self.starts[line]

    def line_range(self, start: int, end: int) -> LineRange:
        """The closed lines that `start..end` (offsets, half-open) touches."""
        first = self.line_at(start)
        last = self.line_at(end - 1) if end > start else first
        return LineRange(first + 1, max(first, last) + 1)

    def line_end_near(self, line: int) -> str:
        """The line end in use around the 0-based `line`; `\\n` in a text without any."""
        for at in (*range(min(line, len(self.ends) - 1), -1, -1), *range(line + 1, len(self.ends))):
            if self.ends[at]:
                return self.ends[at]
        return "\n"


class Match(Value):
    """A place, as offsets in the normalised text, half-open. `cut`: the SEARCH text's last line end is
    not in the file, because the file ends there."""

    start: int
    end: int
    cut: bool = False


def unix_ends(text: str) -> str:
    """`text` with `\\n` for every line end."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def find_matches(text: UnixText, search: str) -> tuple[Match, ...]:
    """All places of `search` (with `\\n` line ends, not empty), by position."""
    if search.endswith("\n"):
        whole = tuple(match for match in _all(text.text, search) if _at_line_start(text.text, match.start))
        at_end = _at_end(text.text, search)
        if at_end is not None and _at_line_start(text.text, at_end.start):
            whole = (*whole, at_end)
        if whole:
            return whole
    found = _all(text.text, search)
    if not found and search.endswith("\n"):
        # Part of a line, written as a line of a block: its line end is the block's, not the text's.
        return tuple(Match(match.start, match.end, cut=True) for match in _all(text.text, search[:-1]))
    return found


def _all(text: str, search: str) -> tuple[Match, ...]:
    found: list[Match] = []
    at = text.find(search) if search else -1
    while at >= 0:
        found.append(Match(at, at + len(search)))
        at = text.find(search, at + 1)
    return tuple(found)


def _at_line_start(text: str, offset: int) -> bool:
    return offset == 0 or text[offset - 1] == "\n"


def _at_end(text: str, search: str) -> Match | None:
    """The last lines of a text without a final line end."""
    bare = search[:-1]
    if bare and not text.endswith("\n") and text.endswith(bare):
        return Match(len(text) - len(bare), len(text), cut=True)
    return None
