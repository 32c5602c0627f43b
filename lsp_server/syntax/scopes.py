"""Which definition, and which scope of local names, holds a place in the file.

Intervals nest, so "the innermost that holds offset x" is a function that is constant between the
offsets where something starts or ends: one sorted array of bounds answers all offsets at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from lsp_server.model.facts import CALLABLE_KINDS, CONTAINER_KINDS, NOWHERE

from .byte_lines import Offsets
from .definitions import Captures, Definition

MAX_SCOPE_DEPTH = 100
"""Deeper scopes no longer see the names around them, so that absurd nesting costs no quadratic memory."""


@dataclass(frozen=True, slots=True)
class Nesting:
    """Intervals that nest: `bounds` sorted, `holders[i]` is the innermost interval from `bounds[i]` on."""

    bounds: Offsets
    holders: Offsets

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
        return cls(np.array(bounds, dtype=np.int64), np.array(holders, dtype=np.int64))

    def at(self, offsets: Offsets) -> Offsets:
        """The index of the innermost interval that holds each offset, or NOWHERE."""
        return self.holders[np.searchsorted(self.bounds, offsets, side="right") - 1]


@dataclass(frozen=True, slots=True)
class LocalNames:
    """Scopes of local names: `hidden[i]` holds the name indices bound in scope i or around it."""

    nesting: Nesting
    hidden: Sequence[frozenset[int]]


Place = tuple[int, int]
"""Start and end of an identifier."""

NamesOf = Callable[[Sequence[Place]], Sequence[int]]
"""Gives the name index of each place."""


def local_names(captures: Captures, found: Sequence[Definition], names_of: NamesOf) -> LocalNames | None:
    """Local names by scope, or None when there are none.

    Functions and `@scope` nodes are scopes. So is a type, for what is bound before its body (type
    parameters); what its body binds is no local.
    """
    bound = _bound(captures, found)
    if not bound:
        return None
    intervals = [(each.start, each.end, each.end) for each in found if each.kind in CALLABLE_KINDS]
    intervals += [(each.start, each.end, each.body_start) for each in found if each.kind in CONTAINER_KINDS]
    intervals += [(node.start_byte, end := node.end_byte, end) for node in captures.get("scope", ())]
    if not intervals:
        return None
    intervals.sort(key=lambda each: (each[0], -each[1]))
    nesting = Nesting.of((start, end) for start, end, _ in intervals)
    own: list[set[int]] = [set[int]() for _ in intervals]
    for scope, name, (start, _) in zip(_holders(nesting, bound), names_of(bound), bound, strict=True):
        if scope != NOWHERE and start < intervals[scope][2]:
            own[scope].add(name)
    freed = sorted((node.start_byte, node.end_byte) for node in captures.get("nonlocal", ()))
    for scope, name in zip(_holders(nesting, freed), names_of(freed), strict=True):
        if scope != NOWHERE:
            own[scope].discard(name)
    return LocalNames(nesting, _with_outer(own, intervals))


def _bound(captures: Captures, found: Sequence[Definition]) -> list[Place]:
    """What `@local` binds, without names of definitions and of imports: those are looked up."""
    defined = {each.name_start for each in found}
    # Captures come in no certain order, and facts must not depend on it.
    places = [(node.start_byte, node.end_byte) for node in captures.get("local", ())]
    bound = sorted(place for place in places if place[0] not in defined)
    if bound and "import" in captures:
        spans = Nesting.of(sorted((node.start_byte, node.end_byte) for node in captures["import"]))
        bound = [place for place, holder in zip(bound, _holders(spans, bound), strict=True) if holder == NOWHERE]
    return bound


def _holders(nesting: Nesting, places: Sequence[Place]) -> list[int]:
    holders: list[int] = nesting.at(np.array([start for start, _ in places], dtype=np.int64)).tolist()
    return holders


def _with_outer(own: Sequence[set[int]], intervals: Sequence[tuple[int, int, int]]) -> list[frozenset[int]]:
    hidden: list[frozenset[int]] = []
    stack: list[int] = []
    for index, (start, _, _) in enumerate(intervals):
        while stack and intervals[stack[-1]][1] <= start:
            stack.pop()
        outer: frozenset[int] = hidden[stack[-1]] if stack else frozenset()
        if own[index]:
            hidden.append(outer | own[index] if len(stack) < MAX_SCOPE_DEPTH else frozenset(own[index]))
        else:
            hidden.append(outer)
        stack.append(index)
    return hidden
