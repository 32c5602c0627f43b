"""Vocabulary: every name, term, base name and import key of the index as a small whole number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from .frozen_strings import FrozenStrings


class Vocabulary:
    """Append-only table string ↔ number, shared by the writer and all snapshots it publishes.

    Only the writer adds. A reader of an older snapshot may find a number that its segments do not
    hold, which reads as "unknown". Numbers are never reused; `kept` makes a new table when too many strings are dead.
    The first strings may be frozen ones, as an index image holds them; those met so far are remembered.
    """

    __slots__ = ("_frozen", "_frozen_size", "_numbers", "_strings")

    def __init__(self, frozen: FrozenStrings | None = None) -> None:
        self._frozen = frozen
        self._frozen_size = 0 if frozen is None else len(frozen)
        self._numbers: dict[str, int] = {}
        self._strings: list[str] = []

    def __len__(self) -> int:
        return self._frozen_size + len(self._strings)

    def number(self, string: str) -> int | None:
        """The number of `string`, None when it was never seen."""
        number = self._numbers.get(string)
        if number is not None or self._frozen is None:
            return number
        found = self._frozen.find(string)
        if found < 0:
            return None
        self._numbers[string] = found
        return found

    def string(self, number: int) -> str:
        """The string behind `number`."""
        if number < self._frozen_size and self._frozen is not None:
            return self._frozen.string(number)
        return self._strings[number - self._frozen_size]

    def strings(self, numbers: Iterable[int]) -> list[str]:
        """The strings behind `numbers`."""
        if self._frozen is not None:
            return [self.string(number) for number in numbers]
        table = self._strings
        return [table[number] for number in numbers]

    def kept(self, mask: npt.NDArray[np.bool_]) -> Vocabulary:
        """A new table of the strings that `mask` keeps, numbered in the old order."""
        result = Vocabulary()
        result._strings = self.strings(np.flatnonzero(mask).tolist())
        result._numbers = {string: number for number, string in enumerate(result._strings)}
        return result

    def intern(self, strings: Sequence[str]) -> npt.NDArray[np.int32]:
        """The numbers of `strings`, new ones added. For the writer only."""
        table = self._numbers
        get = table.get
        found = [get(string, -1) for string in strings]
        if -1 in found and self._frozen is not None:
            unmet = [string for string, number in zip(strings, found, strict=True) if number < 0]
            table.update(
                (string, number)
                for string, number in zip(unmet, self._frozen.find_all(unmet), strict=True)
                if number >= 0
            )
            found = [get(string, -1) for string in strings]
        if -1 in found:
            for at, number in enumerate(found):
                if number < 0:
                    string = strings[at]
                    known = get(string)
                    if known is None:
                        known = self._frozen_size + len(self._strings)
                        self._strings.append(string)
                        table[string] = known
                    found[at] = known
        return np.array(found, dtype=np.int32)
