"""Fuzzy lookup of definition names: a subsequence match over all distinct names at once.

The folded (case-insensitive) names of a segment lie in one run of UTF-8 bytes; for every letter of
the query one array step finds its next place in every name still in question. The table is made when
a segment is first asked.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..model.values import Record, Value
from .vocabulary import Vocabulary

Ints = npt.NDArray[np.int64]


class NameMatch(Value):
    """A name that holds the query's letters in order. `rank` is smaller for better, the same in every index."""

    rank: tuple[int, int, int]
    name: str


class FoldedNames(Record):
    """The distinct definition names of a segment, folded, as one run of bytes."""

    numbers: npt.NDArray[np.int32]
    text: npt.NDArray[np.uint8]
    starts: Ints
    masks: npt.NDArray[np.uint64]

    @classmethod
    def of(cls, numbers: npt.NDArray[np.int32], vocabulary: Vocabulary) -> FoldedNames:
        """The table of the names behind `numbers`."""
        folded = [fold(name) for name in vocabulary.strings(numbers.tolist())]
        starts = np.zeros(len(folded) + 1, dtype=np.int64)
        np.cumsum([len(name) for name in folded], out=starts[1:])
        text = np.frombuffer(b"".join(folded) or b"\0", dtype=np.uint8)
        bits = np.uint64(1) << (text & np.uint8(63)).astype(np.uint64)
        masks = np.zeros(len(folded), dtype=np.uint64)
        filled = np.flatnonzero(np.diff(starts))
        if len(filled):
            masks[filled] = np.bitwise_or.reduceat(bits, starts[filled])
        return cls(numbers, text, starts, masks)

    def equal(self, folded: bytes) -> list[int]:
        """Numbers of the names that equal `folded` without regard to case."""
        same_length = np.flatnonzero(np.diff(self.starts) == len(folded))
        for offset, letter in enumerate(folded):
            same_length = same_length[self.text[self.starts[same_length] + offset] == letter]
        return self.numbers[same_length].tolist()

    def matches(self, folded: bytes, limit: int, vocabulary: Vocabulary) -> list[NameMatch]:
        """The `limit` best names (and those that tie) that hold the letters of `folded` in order."""
        wanted = np.bitwise_or.reduce(np.uint64(1) << (np.frombuffer(folded, dtype=np.uint8) & 63).astype(np.uint64))
        rows = np.flatnonzero((self.masks & wanted) == wanted)
        begins, ends = self.starts[rows], self.starts[rows + 1]
        at = begins.copy()
        first = begins
        for step, letter in enumerate(folded):
            places = np.flatnonzero(self.text == letter)
            next_place = np.searchsorted(places, at)
            found = next_place < len(places)
            spot = places[np.minimum(next_place, max(0, len(places) - 1))] if len(places) else at
            found &= spot < ends
            rows, begins, ends, spot, first = rows[found], begins[found], ends[found], spot[found], first[found]
            if step == 0:
                first = spot
            at = spot + 1
        gaps = (at - first) - len(folded)
        leading = first - begins
        # Whole prefix best, then anything unbroken, then the rest by how far it is spread; shorter names first.
        kind = np.where(gaps == 0, np.where(leading == 0, 0, 1), 2 + gaps)
        size = ends - begins
        if len(rows) > limit:
            order = np.lexsort((leading, size, kind))
            last = order[limit - 1]
            worst = (kind[last], size[last], leading[last])
            tied = (kind < worst[0]) | (
                (kind == worst[0]) & ((size < worst[1]) | ((size == worst[1]) & (leading <= worst[2])))
            )
            rows, kind, size, leading = rows[tied], kind[tied], size[tied], leading[tied]
        names = vocabulary.strings(self.numbers[rows].tolist())
        ranks = zip(kind.tolist(), size.tolist(), leading.tolist(), strict=True)
        return [NameMatch(rank, name) for rank, name in zip(ranks, names, strict=True)]


def fold(name: str) -> bytes:
    """`name` without regard to case, as UTF-8."""
    return name.casefold().encode("utf-8", "surrogatepass")


def holds_letters(name: str, letters: str) -> bool:
    """True when `name` holds `letters` in order."""
    rest = iter(name)
    return all(letter in rest for letter in letters)
