"""Line ranges: 1-based, closed at both ends. The only convention inside the server."""

from __future__ import annotations

from .errors import RangeError
from .values import Ordered

MAX_LINE = 2**31 - 1
"""The last line that can be named, as in LSP; far behind the end of any file."""


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


class LineRange(Ordered):
    """Lines `start..end`, 1-based and closed; never empty.

    Raises RangeError when the ends are not whole numbers with `1 <= start <= end <= MAX_LINE`.
    """

    start: int
    end: int

    def __post_init__(self) -> None:
        if type(self.start) is type(self.end) is int and 0 < self.start <= self.end <= MAX_LINE:
            return  # thousands are made in a request
        if not _whole(self.start) or self.start < 1:
            raise RangeError("start", f"must be a whole number >= 1, got {self.start!r}")
        if not _whole(self.end) or self.end < self.start:
            raise RangeError("end", f"must be a whole number >= start ({self.start}), got {self.end!r}")
        if self.end > MAX_LINE:
            raise RangeError("end", f"must be at most {MAX_LINE}")

    def __len__(self) -> int:
        return self.end - self.start + 1

    def __str__(self) -> str:
        return f"{self.start}-{self.end}"

    def contains(self, line: int) -> bool:
        """True when the range includes the 1-based `line`."""
        return self.start <= line <= self.end

    def covers(self, other: LineRange) -> bool:
        """True when every line of `other` is in this range."""
        return self.start <= other.start and other.end <= self.end

    def overlaps(self, other: LineRange) -> bool:
        """True when the two ranges share a line (1-10 and 10-20 do, 1-9 and 10-20 do not)."""
        return self.start <= other.end and other.start <= self.end

    def touches(self, other: LineRange) -> bool:
        """True when the ranges overlap or are adjacent."""
        return self.start <= other.end + 1 and other.start <= self.end + 1

    def union(self, other: LineRange) -> LineRange:
        """The smallest range that covers both."""
        return LineRange(min(self.start, other.start), max(self.end, other.end))
