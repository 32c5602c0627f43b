"""BaseNames: which files are called something, without looking at every path.

All distinct base names stand in one text, so that a search is one run over it in C, and what is asked of a name is
asked once however many files are called so: a repository of thirty copies has hardly more names than one of them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from posixpath import basename

import numpy as np

_BETWEEN = "\0"
"""Between two names; no path holds it."""


def any_name(_name: str) -> bool:
    """Accepts every base name."""
    return True


class BaseNames:
    """The base names of sorted paths, found with case folded away; immutable."""

    __slots__ = ("_ends", "_names", "_order", "_paths", "_starts", "_text")

    def __init__(self, paths: Sequence[str]) -> None:
        numbers: dict[str, int] = {}
        number_of = [numbers.setdefault(basename(path), len(numbers)) for path in paths]
        self._paths = paths
        self._names = tuple(numbers)
        lowered = [name.lower() for name in numbers]
        self._text = _BETWEEN + _BETWEEN.join(lowered) + _BETWEEN
        self._starts = list(accumulate((len(name) + 1 for name in lowered), initial=1))
        column = np.array(number_of, dtype=np.int32)
        # The files of name n are `order[ends[n - 1]:ends[n]]`, ascending.
        self._order = np.argsort(column, kind="stable").astype(np.uint32)
        self._ends = np.cumsum(np.bincount(column, minlength=len(numbers)))

    def holding(self, part: str, accepts: Callable[[str], bool] = any_name) -> list[str]:
        """Paths whose base name holds `part` (lower case, not empty) and is accepted as spelt; sorted, each once."""
        return self._files(self._found(part, 0), accepts)

    def starting(self, prefix: str, accepts: Callable[[str], bool] = any_name) -> list[str]:
        """Paths whose base name starts with `prefix` (lower case) and is accepted as spelt; sorted, each once."""
        return self._files(self._found(_BETWEEN + prefix, 1), accepts)

    def _found(self, wanted: str, before: int) -> Iterator[int]:
        text, starts = self._text, self._starts
        at = text.find(wanted)
        while at >= 0:
            number = bisect_right(starts, at + before) - 1
            if number >= len(self._names):
                return
            yield number
            at = text.find(wanted, starts[number + 1] - 1)

    def _files(self, numbers: Iterator[int], accepts: Callable[[str], bool]) -> list[str]:
        names, ends = self._names, self._ends
        found: list[int] = []
        for number in numbers:
            if accepts(names[number]):
                start = int(ends[number - 1]) if number else 0
                found += self._order[start : int(ends[number])].tolist()
        found.sort()
        return [self._paths[place] for place in found]
