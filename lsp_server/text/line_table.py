"""Lines of a text and where they start: the server's own line table.

Only `\\n`, `\\r\\n` and `\\r` end a line, as LSP says. Form feed, vertical tab, U+0085, U+2028 and U+2029
are ordinary characters, so `str.splitlines` must not be used for anything that is addressed by line.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from itertools import pairwise

from ..model.values import Value

_LINE_END = re.compile(r"\r\n|\n|\r")


def split_lines(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Lines without their ends, and the ends. A text that ends with a line end has no further empty line.

    Joining the pairs gives `text` back; the empty text has no line.
    """
    if "\r" not in text:
        lines = text.split("\n")
        if lines[-1]:
            return tuple(lines), ("\n",) * (len(lines) - 1) + ("",)
        return tuple(lines[:-1]), ("\n",) * (len(lines) - 1)
    starts = _starts(text)
    bounds = [*starts, len(text)] if starts[-1] < len(text) else starts
    whole = [text[start:end] for start, end in pairwise(bounds)]
    lines = [line.rstrip("\r\n") for line in whole]
    return tuple(lines), tuple(line[len(bare) :] for line, bare in zip(whole, lines, strict=True))


def count_lines(text: str) -> int:
    """How many lines `split_lines` gives, without building them."""
    ends = text.count("\n") + text.count("\r") - text.count("\r\n")
    return ends + (1 if text and text[-1] not in "\r\n" else 0)


def _starts(text: str) -> list[int]:
    return [0, *[match.end() for match in _LINE_END.finditer(text)]]


class LineTable(Value):
    """A text with the code point offset at which each line starts.

    Unlike `split_lines`, there is one more, empty, line after a final line end: an editor's cursor can
    stand there. So there is always at least one line. Line numbers are 1-based.
    """

    text: str
    starts: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> LineTable:
        """The table of `text`."""
        return cls(text, tuple(_starts(text)))

    def __len__(self) -> int:
        return len(self.starts)

    def line(self, number: int) -> str:
        """Line `number` without its end; "" outside the text."""
        if not 1 <= number <= len(self.starts):
            return ""
        return self._with_end(number).rstrip("\r\n")

    def line_end(self, number: int) -> str:
        """The end of line `number`: `\\n`, `\\r\\n`, `\\r`, or "" for the last line and outside the text."""
        if not 1 <= number < len(self.starts):
            return ""
        whole = self._with_end(number)
        return "\r\n" if whole.endswith("\r\n") else whole[-1]

    def _with_end(self, number: int) -> str:
        end = self.starts[number] if number < len(self.starts) else len(self.text)
        return self.text[self.starts[number - 1] : end]

    def locate(self, offset: int) -> tuple[int, int]:
        """(1-based line, 0-based code point column) of a code point offset, clamped to the text.

        An offset between the two characters of `\\r\\n` belongs to the line that they end.
        """
        offset = max(0, min(offset, len(self.text)))
        number = bisect_right(self.starts, offset)
        return number, offset - self.starts[number - 1]

    def offset(self, number: int, column: int) -> int:
        """Code point offset of (1-based line, 0-based column), clamped: a column past the line's text
        is its end before the line end, a line past the text is the end of the text."""
        if number < 1:
            return 0
        if number > len(self.starts):
            return len(self.text)
        start = self.starts[number - 1]
        return start + max(0, min(column, len(self.line(number))))

    def replace(self, start: int, end: int, new_text: str) -> LineTable:
        """The table after `text[start:end]` has become `new_text`; offsets in code points.

        Only lines touched by the edit are scanned again. Raises ValueError unless
        `0 <= start <= end <= len(text)`.
        """
        old = self.text
        if not 0 <= start <= end <= len(old):
            raise ValueError(f"edit {start}..{end} is outside a text of {len(old)} characters")
        text = old[:start] + new_text + old[end:]
        # A "\r" just before or a "\n" just after may merge or part with the edit: rescan whole lines.
        first = bisect_right(self.starts, max(0, start - 1)) - 1
        last = bisect_right(self.starts, end)
        if last < len(self.starts):
            last += 1
        shift = len(new_text) - (end - start)
        scan_from = self.starts[first]
        scan_to = self.starts[last] + shift if last < len(self.starts) else len(text)
        middle = [scan_from + at for at in _starts(text[scan_from:scan_to])]
        tail = [at + shift for at in self.starts[last:]]
        if tail and middle[-1] == tail[0]:
            middle.pop()
        return LineTable(text, (*self.starts[:first], *middle, *tail))


def join_lines(lines: Iterable[str], ends: Iterable[str]) -> str:
    """The text again from what `split_lines` gave."""
    return "".join(line + end for line, end in zip(lines, ends, strict=True))
