"""Which definition, and which scope of local names, holds a place in the file.

Intervals nest, so "the innermost that holds offset x" is a function that is constant between the
offsets where something starts or ends: one sorted array of bounds answers all offsets at once.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lsp_server.model.facts import CALLABLE_KINDS, CONTAINER_KINDS, NOWHERE

from .captures import NO_PLACES, Captures
from .definitions import Definition


@dataclass(frozen=True, slots=True)
class Nesting:
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


Place = tuple[int, int]
"""Start and end of an identifier."""


def bind_in_types(captures: Captures, found: Sequence[Definition]) -> bool:
    """True when a local name is bound in the scope of a type, behind the type's head: it hides uses anywhere in it."""
    heads = {(each.start, each.end): each.body_start for each in found if each.kind in CONTAINER_KINDS}
    scopes = captures.get("scope", NO_PLACES).pairs()
    if not heads or heads.keys().isdisjoint(scopes):
        return False
    spans = [*scopes, *((each.start, each.end) for each in found if each.kind in CALLABLE_KINDS)]
    spans.sort(key=lambda each: (each[0], -each[1]))
    nesting = Nesting.of(spans)
    for start, _ in _bound(captures, found):
        scope = nesting.at(start)
        if scope != NOWHERE and start >= heads.get(spans[scope], 1 << 62):
            return True
    return False


def _bound(captures: Captures, found: Sequence[Definition]) -> list[Place]:
    """What `@local` binds, without names of definitions and of imports: those are looked up."""
    defined = {each.name_start for each in found}
    bound = sorted(place for place in captures.get("local", NO_PLACES).pairs() if place[0] not in defined)
    if bound and "import" in captures:
        spans = Nesting.of(sorted(captures["import"].pairs()))
        bound = [place for place in bound if spans.at(place[0]) == NOWHERE]
    return bound
