"""Which definition, and which scope of local names, holds a place in the file.

Intervals nest, so "the innermost that holds offset x" is a function that is constant between the
offsets where something starts or ends: one sorted array of bounds answers all offsets at once.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from lsp_server.model.facts import CALLABLE_KINDS, CONTAINER_KINDS, NOWHERE

from .definitions import Captures, Definition

MAX_SCOPE_DEPTH = 100
"""Deeper scopes no longer see the names around them, so that absurd nesting costs no quadratic memory."""


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

    def at(self, offset: int) -> int:
        """The index of the innermost interval that holds `offset`, or NOWHERE."""
        return self.holders[bisect_right(self.bounds, offset) - 1]


@dataclass(frozen=True, slots=True)
class LocalNames:
    """Scopes of local names: `hidden[i]` holds the name indices bound in scope i or around it."""

    nesting: Nesting
    hidden: Sequence[frozenset[int]]


Place = tuple[int, int]
"""Start and end of an identifier."""


def local_names(
    captures: Captures, found: Sequence[Definition], name_of: Callable[[int, int], int]
) -> LocalNames | None:
    """Local names by scope, or None when there are none. `name_of` gives the name index of a place.

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
    for start, end in bound:
        scope = nesting.at(start)
        if scope != NOWHERE and start < intervals[scope][2]:
            own[scope].add(name_of(start, end))
    # Captures come in no certain order, and facts must not depend on it.
    for start, end in sorted((node.start_byte, node.end_byte) for node in captures.get("nonlocal", ())):
        scope = nesting.at(start)
        if scope != NOWHERE:
            own[scope].discard(name_of(start, end))
    return LocalNames(nesting, _with_outer(own, intervals))


def _bound(captures: Captures, found: Sequence[Definition]) -> list[Place]:
    """What `@local` binds, without names of definitions and of imports: those are looked up."""
    defined = {each.name_start for each in found}
    places = sorted((node.start_byte, node.end_byte) for node in captures.get("local", ()))
    bound = [place for place in places if place[0] not in defined]
    if bound and "import" in captures:
        spans = Nesting.of(sorted((node.start_byte, node.end_byte) for node in captures["import"]))
        bound = [place for place in bound if spans.at(place[0]) == NOWHERE]
    return bound


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
