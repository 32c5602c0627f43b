"""Where lines start in UTF-8 bytes. Unlike tree-sitter's rows, `\\r` and `\\r\\n` end lines too."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Offsets = NDArray[np.int64]

_LF, _CR = 10, 13


@dataclass(frozen=True, slots=True)
class ByteLines:
    """Line starts of `source`. `count` is the number of lines; a final line end starts no further line."""

    source: bytes
    starts: Offsets
    count: int

    @classmethod
    def of(cls, source: bytes) -> ByteLines:
        """The table of `source`."""
        data = np.frombuffer(source, dtype=np.uint8)
        ends = np.flatnonzero(data == _LF)
        if b"\r" in source:
            returns = np.flatnonzero(data == _CR)
            following = np.zeros(len(returns), dtype=np.uint8)
            inside = returns + 1 < len(data)
            following[inside] = data[returns[inside] + 1]
            ends = np.sort(np.concatenate((ends, returns[following != _LF])))
        starts = np.empty(len(ends) + 1, dtype=np.int64)
        starts[0] = 0
        starts[1:] = ends + 1
        count = len(ends) + (1 if source and (not len(ends) or int(starts[-1]) < len(source)) else 0)
        return cls(source, starts, count)

    def numbers(self, offsets: Offsets) -> Offsets:
        """1-based lines that hold the byte `offsets`."""
        return np.searchsorted(self.starts, offsets, side="right").astype(np.int64, copy=False)

    def end_of(self, line: int) -> int:
        """Byte offset just after 1-based `line`, its end included."""
        return int(self.starts[line]) if line < len(self.starts) else len(self.source)

    def bytes_of(self, line: int) -> bytes:
        """1-based `line` with its end."""
        return self.source[int(self.starts[line - 1]) : self.end_of(line)]
