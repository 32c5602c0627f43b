"""Which definition, and which scope of local names, holds a place in the file.

Intervals nest, so "the innermost that holds offset x" is a function that is constant between the
offsets where something starts or ends: one sorted array of bounds answers all offsets at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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


def local_names(
    captures: Captures, found: Sequence[Definition], starts: Offsets, name_ids: NDArray[np.int32]
) -> LocalNames | None:
    """Local names by scope, or None when there are none. `name_ids` are of the names at offsets `starts`.

    Functions and `@scope` nodes are scopes. So is a type, for what is bound before its body (type
    parameters); what its body binds is no local.
    """
    defined = {each.name_start for each in found}
    bound = [start for node in captures.get("local", ()) if (start := node.start_byte) not in defined]
    if bound and "import" in captures:
        # A name imported inside a function is looked up like any other import.
        spans = Nesting.of(sorted((node.start_byte, node.end_byte) for node in captures["import"]))
        inside = spans.at(np.array(bound, dtype=np.int64)) != NOWHERE
        bound = [start for start, imported in zip(bound, inside.tolist(), strict=True) if not imported]
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
    for scope, name, start in _scoped(bound, nesting, starts, name_ids):
        if scope != NOWHERE and start < intervals[scope][2]:
            own[scope].add(name)
    freed = [node.start_byte for node in captures.get("nonlocal", ())]
    for scope, name, _ in _scoped(freed, nesting, starts, name_ids):
        if scope != NOWHERE:
            own[scope].discard(name)
    return LocalNames(nesting, _with_outer(own, intervals))


def _scoped(
    places: list[int], nesting: Nesting, starts: Offsets, name_ids: NDArray[np.int32]
) -> Iterable[tuple[int, int, int]]:
    """(scope, name, offset) of each place. A place that is no captured use has name 0, which is no name."""
    offsets = np.array(places, dtype=np.int64)
    at = np.minimum(np.searchsorted(starts, offsets), len(starts) - 1)
    names = np.where(starts[at] == offsets, name_ids[at], 0)
    return zip(nesting.at(offsets).tolist(), names.tolist(), places, strict=True)


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
