"""FrozenStrings: many strings in one run of bytes, found by hash. Ready as soon as the bytes are read.

A dict of the same strings takes a hundred bytes for each and must be built anew in every process.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from zlib import crc32

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.uint32]


@dataclass(frozen=True, slots=True, eq=False)
class FrozenStrings:
    """String n is `text[starts[n]:starts[n + 1]]` in UTF-8; `hashes` ascend, `order` says whose they are."""

    text: memoryview
    starts: Numbers
    hashes: Numbers
    order: Numbers
    _probe: memoryview = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_probe", self.hashes.data)

    @classmethod
    def of(cls, strings: Iterable[str]) -> FrozenStrings:
        """The table of distinct `strings`, numbered in their order."""
        encoded = [_encoded(string) for string in strings]
        starts = np.zeros(len(encoded) + 1, dtype=np.uint32)
        np.cumsum([len(each) for each in encoded], out=starts[1:])
        hashes = np.array([crc32(each) for each in encoded], dtype=np.uint32)
        order = np.argsort(hashes, kind="stable").astype(np.uint32)
        return cls(memoryview(b"".join(encoded)), starts, hashes[order], order)

    def __len__(self) -> int:
        return len(self.order)

    def string(self, number: int) -> str:
        """The string behind `number`."""
        return str(self.text[int(self.starts[number]) : int(self.starts[number + 1])], "utf-8", "surrogatepass")

    def find(self, string: str) -> int:
        """The number of `string`, -1 when it is not here."""
        data = _encoded(string)
        wanted, probe = crc32(data), self._probe
        return self._match(data, wanted, bisect_left(probe, wanted))

    def find_all(self, strings: Sequence[str]) -> list[int]:
        """The numbers of `strings`, -1 for those that are not here."""
        encoded = [_encoded(string) for string in strings]
        wanted = [crc32(each) for each in encoded]
        rows: list[int] = np.searchsorted(self.hashes, np.array(wanted, dtype=np.uint32)).tolist()
        return [self._match(*each) for each in zip(encoded, wanted, rows, strict=True)]

    def _match(self, data: bytes, wanted: int, row: int) -> int:
        probe = self._probe
        while row < len(probe) and probe[row] == wanted:
            number = int(self.order[row])
            if bytes(self.text[int(self.starts[number]) : int(self.starts[number + 1])]) == data:
                return number
            row += 1
        return -1


def _encoded(string: str) -> bytes:
    return string.encode("utf-8", "surrogatepass")
