"""Which definition, and which scope of local names, holds a place in the file.

Intervals nest, so "the innermost that holds offset x" is a function that is constant between the
offsets where something starts or ends: one sorted array of bounds answers all offsets at once.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from lsp_server.model.facts import NOWHERE
from lsp_server.model.values import Value


class Nesting(Value):
    """Intervals that nest: `bounds` sorted, `holders[i]` is the innermost interval from `bounds[i]` on."""

    bounds: list[int]
    holders: list[int]

    @classmethod
    def of(cls, intervals: Iterable[tuple[int, int]]) -> Nesting:
        """The nesting of `(start, end)` intervals that come in order of start, the wider first."""
        bounds, holders = [0], [NOWHERE]
        stack: list[tuple[int, int]] = []
        for index, (start, end) in enumerate(intervals):
            while stack and stack[-1][1] <= start:
                bounds.append(stack.pop()[1])
                holders.append(stack[-1][0] if stack else NOWHERE)
            bounds.append(start)
            holders.append(index)
            stack.append((index, end))
        while stack:
            bounds.append(stack.pop()[1])
            holders.append(stack[-1][0] if stack else NOWHERE)
        return cls(bounds, holders)

    @classmethod
    def joined(cls, nestings: Sequence[Nesting], bases: npt.NDArray[np.int64]) -> Nesting:
        """One nesting of the intervals of several texts, of which text k begins at `bases[k]`."""
        if len(nestings) == 1:
            return nestings[0]
        bounds = [bound + base for each, base in zip(nestings, bases.tolist(), strict=True) for bound in each.bounds]
        return cls(bounds, [holder for each in nestings for holder in each.holders])

    def all_at(self, offsets: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """`at` of each of `offsets`."""
        places = np.array(self.bounds, dtype=np.int64).searchsorted(offsets, side="right")
        return np.array(self.holders, dtype=np.int64)[places - 1]

    def at(self, offset: int) -> int:
        """The index of the innermost interval that holds `offset`, or NOWHERE."""
        return self.holders[bisect_right(self.bounds, offset) - 1]
