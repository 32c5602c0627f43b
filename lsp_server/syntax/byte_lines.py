"""Lines in UTF-8 bytes. Unlike tree-sitter's rows, `\\r` and `\\r\\n` end lines too."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from ..model.values import Value


class ByteLines(Value):
    """The lines of `source`. `rows` are the lines with their ends, `starts` where each begins and, last, the
    size of the source. A final line end begins no further line."""

    source: bytes
    rows: list[bytes]
    starts: list[int]

    @classmethod
    def of(cls, source: bytes) -> ByteLines:
        """The lines of `source`."""
        rows = source.splitlines(keepends=True)  # of bytes: at \\n, \\r\\n and \\r only
        return cls(source, rows, [0, *accumulate(map(len, rows))])

    @property
    def count(self) -> int:
        """The number of lines."""
        return len(self.rows)

    def number(self, offset: int) -> int:
        """The 1-based line that holds byte `offset`; the last one for the end of the source, never below 1."""
        return bisect_right(self.starts, offset, 1, max(1, len(self.rows)))
