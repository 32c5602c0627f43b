"""Vocabulary: every name, term, base name and import key of the index as a small whole number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt


class Vocabulary:
    """Append-only table string ↔ number, shared by the writer and all snapshots it publishes.

    Only the writer adds. A reader of an older snapshot may find a number that its segments do not
    hold, which reads as "unknown". Numbers are never reused; `kept` makes a new table when too many strings are dead.
    """

    __slots__ = ("_numbers", "_strings")

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._strings: list[str] = []

    def __len__(self) -> int:
        return len(self._strings)

    def number(self, string: str) -> int | None:
        """The number of `string`, None when it was never seen."""
        return self._numbers.get(string)

    def string(self, number: int) -> str:
        """The string behind `number`."""
        return self._strings[number]

    def strings(self, numbers: Iterable[int]) -> list[str]:
        """The strings behind `numbers`."""
        table = self._strings
        return [table[number] for number in numbers]

    def kept(self, mask: npt.NDArray[np.bool_]) -> Vocabulary:
        """A new table of the strings that `mask` keeps, numbered in the old order."""
        result = Vocabulary()
        result._strings = [self._strings[number] for number in np.flatnonzero(mask).tolist()]
        result._numbers = {string: number for number, string in enumerate(result._strings)}
        return result

    def intern(self, strings: Sequence[str]) -> npt.NDArray[np.int32]:
        """The numbers of `strings`, new ones added. For the writer only."""
        table = self._numbers
        get = table.get
        found = [get(string, -1) for string in strings]
        if -1 in found:
            for at, number in enumerate(found):
                if number < 0:
                    string = strings[at]
                    known = get(string)
                    if known is None:
                        known = len(self._strings)
                        self._strings.append(string)
                        table[string] = known
                    found[at] = known
        return np.array(found, dtype=np.int32)
