"""In how many chunks each term occurs, exact for every snapshot, at the cost of what changed."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

_MAX_OVERLAY = 2048
"""A larger overlay is folded into a new base table; a bulk change makes one at once."""

Numbers = npt.NDArray[np.int32]
Steps = npt.NDArray[np.int64]


class Frequencies:
    """Document frequency by term number. Immutable: a base table and a small overlay of later values.

    `histogram[d]` is the number of terms found in exactly d chunks (d > 0), for means over the whole
    vocabulary without a walk over it.
    """

    __slots__ = ("_base", "_histogram", "_overlay")

    def __init__(self) -> None:
        self._base: npt.NDArray[np.int32] = np.zeros(0, dtype=np.int32)
        self._overlay: dict[int, int] = {}
        self._histogram: dict[int, int] = {}

    @classmethod
    def of_table(cls, base: npt.NDArray[np.int32]) -> Frequencies:
        """The table of known frequencies by term number."""
        result = cls()
        result._base = base
        counts = np.bincount(base) if len(base) else np.zeros(1, dtype=np.int64)
        counts[0] = 0
        values = np.flatnonzero(counts)
        result._histogram = dict(zip(values.tolist(), counts[values].tolist(), strict=True))
        return result

    @property
    def histogram(self) -> Mapping[int, int]:
        """Number of terms by document frequency."""
        return MappingProxyType(self._histogram)

    def of(self, number: int) -> int:
        """Number of live chunks that hold the term."""
        value = self._overlay.get(number)
        if value is not None:
            return value
        return int(self._base[number]) if number < len(self._base) else 0

    def changed(self, numbers: Numbers, steps: Steps) -> Frequencies:
        """The table after adding `steps[i]` to the term `numbers[i]` (numbers may repeat)."""
        unique, inverse = np.unique(numbers, return_inverse=True)
        change = np.bincount(inverse, weights=steps, minlength=len(unique)).astype(np.int64)
        unique, change = unique[change != 0], change[change != 0]
        if not len(unique):
            return self
        result = Frequencies()
        if len(unique) + len(self._overlay) > _MAX_OVERLAY:
            result._base = self._folded(int(unique[-1]) + 1)
            before = result._base[unique].astype(np.int64)
            after = before + change
            result._base[unique] = after
        else:
            before = np.array([self.of(number) for number in unique.tolist()], dtype=np.int64)
            after = before + change
            result._base = self._base
            result._overlay = self._overlay | dict(zip(unique.tolist(), after.tolist(), strict=True))
        result._histogram = _moved(self._histogram, before, after)
        return result

    def renumbered(self, kept: npt.NDArray[np.bool_]) -> Frequencies:
        """The same table after a renumbering in which the numbers that `kept` marks close ranks."""
        result = Frequencies()
        result._base = self._folded(len(kept))[: len(kept)][kept]
        result._histogram = self._histogram
        return result

    def _folded(self, size: int) -> npt.NDArray[np.int32]:
        """A fresh base table with the overlay in it, for at least `size` numbers."""
        base = np.zeros(max(size, len(self._base), *(number + 1 for number in self._overlay), 0), dtype=np.int32)
        base[: len(self._base)] = self._base
        for number, value in self._overlay.items():
            base[number] = value
        return base


def _moved(histogram: dict[int, int], before: Steps, after: Steps) -> dict[int, int]:
    moved = dict(histogram)
    for frequencies, sign in ((before, -1), (after, 1)):
        values, counts = np.unique(frequencies[frequencies > 0], return_counts=True)
        for value, count in zip(values.tolist(), counts.tolist(), strict=True):
            left = moved.get(value, 0) + sign * count
            if left:
                moved[value] = left
            else:
                del moved[value]
    return moved
