"""Which uses are of local names, for several files at once.

Functions and `@scope` nodes are scopes. So is a type, for what is bound before its body (type parameters); what its
body binds is no local. A use is local when its name is bound in a scope that holds it.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import Protocol

import numpy as np
import numpy.typing as npt

from lsp_server.model.facts import CALLABLE_KINDS, CONTAINER_KINDS, NOWHERE
from lsp_server.model.values import Value

from .captures import NO_PLACES, Captures
from .definitions import Definition
from .receivers import Joined, Named
from .scopes import Nesting

MAX_SCOPE_DEPTH = 100
"""Deeper scopes that bind names no longer see those around them, so that absurd nesting costs no quadratic time."""

Longs = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

_WIDTH = 1 << 32
_UNKNOWN = _WIDTH - 1


class Binders(Protocol):
    """What says which local names a file has: what was captured in it, and its definitions."""

    @property
    def captures(self) -> Captures: ...

    @property
    def found(self) -> Sequence[Definition]: ...


class _Scopes(Value):
    """All scopes of all files: which is where, the one around each, how many are around it, and up to where what is
    bound in it counts."""

    nesting: Nesting
    parents: Longs
    depths: Longs
    limits: Longs


class Identifiers(Value):
    """All identifiers of some files. `marks` around a name are no part of it."""

    joined: Joined
    known: Named
    marks: bytes

    def names_at(self, starts: Longs, ends: Longs) -> Longs:
        """The name index of each place; one that has no number yet has no use that could be local."""
        joined, known = self.joined, self.known
        at = np.minimum(known.starts.searchsorted(starts), len(known.starts) - 1)
        names = known.names[at]
        unmet = np.flatnonzero((known.starts[at] != starts) | (known.ends[at] != ends))
        if len(unmet):
            owners: list[int] = joined.files_of(starts[unmet]).tolist()
            bounds = zip(starts[unmet].tolist(), ends[unmet].tolist(), strict=True)
            written = [joined.source[start:end].strip(self.marks) for start, end in bounds]
            tables = [joined.names[owner] for owner in owners]
            names[unmet] = [table.get(name, _UNKNOWN) for table, name in zip(tables, written, strict=True)]
        return names


def local_uses(files: Sequence[Binders], identifiers: Identifiers, starts: Longs, names: Longs) -> Mask:
    """Which of the uses at `starts` of `names` are of a name that is bound around them."""
    joined = identifiers.joined
    local = np.zeros(len(starts), dtype=np.bool_)
    if not any("local" in each.captures for each in files):
        return local
    scopes = _scopes(files, joined)
    captures = [each.captures for each in files]
    bound, ends = _bound(captures, [each.found for each in files], joined.bases)
    holders = scopes.nesting.all_at(bound)
    counts = (holders != NOWHERE) & (bound < scopes.limits[holders])
    keys = holders[counts] * _WIDTH + identifiers.names_at(bound[counts], ends[counts])
    exempt, ends = _places(captures, joined.bases, "nonlocal")
    if len(exempt):
        keys = keys[~_holds(np.sort(scopes.nesting.all_at(exempt) * _WIDTH + identifiers.names_at(exempt, ends)), keys)]
    if not len(keys):
        return local
    keys = np.sort(keys)
    binds = np.zeros(len(scopes.parents), dtype=np.bool_)
    binds[keys // _WIDTH] = True
    parents = np.where(binds & (scopes.depths >= MAX_SCOPE_DEPTH), NOWHERE, scopes.parents)
    return _seen_from(scopes.nesting.all_at(starts), names, keys, parents)


def _seen_from(holders: Longs, names: Longs, keys: Longs, parents: Longs) -> Mask:
    """Which of `names` are bound in the scope `holders` they are used in or in one around it."""
    local = np.zeros(len(names), dtype=np.bool_)
    left = np.flatnonzero(holders != NOWHERE)
    holders = holders[left]
    while len(left):
        found = _holds(keys, holders * _WIDTH + names[left])
        local[left[found]] = True
        holders = parents[holders]
        left, holders = left[more := ~found & (holders != NOWHERE)], holders[more]
    return local


def _holds(values: Longs, wanted: Longs) -> Mask:
    """Which of `wanted` are among the ascending `values`."""
    if not len(values):
        return np.zeros(len(wanted), dtype=np.bool_)
    return values[np.minimum(values.searchsorted(wanted), len(values) - 1)] == wanted


def _scopes(files: Sequence[Binders], joined: Joined) -> _Scopes:
    nestings: list[Nesting] = []
    parents: list[int] = []
    depths: list[int] = []
    limits: list[int] = []
    for each, base in zip(files, joined.bases.tolist(), strict=True):
        first = len(parents)
        intervals = _intervals(each.captures, each.found) if "local" in each.captures else []
        bounds, holders = [0], [NOWHERE]
        stack: list[tuple[int, int]] = []
        for index, (start, negative_end, limit) in enumerate(intervals, first):
            while stack and stack[-1][1] <= start:
                bounds.append(stack.pop()[1])
                holders.append(stack[-1][0] if stack else NOWHERE)
            parents.append(stack[-1][0] if stack else NOWHERE)
            depths.append(len(stack))
            limits.append(limit + base)
            bounds.append(start)
            holders.append(index)
            stack.append((index, -negative_end))
        while stack:
            bounds.append(stack.pop()[1])
            holders.append(stack[-1][0] if stack else NOWHERE)
        nestings.append(Nesting(bounds, holders))
    # One more, behind the last: what lies nowhere is looked up there.
    columns = (np.array([*column, NOWHERE], dtype=np.int64) for column in (parents, depths, limits))
    return _Scopes(Nesting.joined(nestings, joined.bases), *columns)


def _intervals(captures: Captures, found: Sequence[Definition]) -> list[tuple[int, int, int]]:
    """(start, minus the end, limit) of the scopes of a file in order of start, the wider first."""
    intervals = [(each.start, -each.end, each.end) for each in found if each.kind in CALLABLE_KINDS]
    intervals += [(each.start, -each.end, each.body_start) for each in found if each.kind in CONTAINER_KINDS]
    intervals += [(start, -end, end) for start, end in captures.get("scope", NO_PLACES).pairs()]
    intervals.sort(key=itemgetter(0, 1))
    return intervals


def bind_in_types(captures: Captures, found: Sequence[Definition]) -> bool:
    """True when a local name is bound in the scope of a type, behind the type's head: it hides uses anywhere in it."""
    heads = {(each.start, each.end): each.body_start for each in found if each.kind in CONTAINER_KINDS}
    scopes = captures.get("scope", NO_PLACES).pairs()
    if not heads or heads.keys().isdisjoint(scopes):
        return False
    spans = [*scopes, *((each.start, each.end) for each in found if each.kind in CALLABLE_KINDS)]
    spans.sort(key=lambda each: (each[0], -each[1]))
    nesting = Nesting.of(spans)
    starts, _ = _bound([captures], [found], np.zeros(1, dtype=np.int64))
    for start in starts.tolist():
        scope = nesting.at(start)
        if scope != NOWHERE and start >= heads.get(spans[scope], 1 << 62):
            return True
    return False


def _bound(captures: Sequence[Captures], found: Sequence[Sequence[Definition]], bases: Longs) -> tuple[Longs, Longs]:
    """What `@local` binds, without names of definitions and of imports: those are looked up."""
    starts, ends = _places(captures, bases, "local")
    sizes = [len(each) for each in found]
    defined = np.array([definition.name_start for each in found for definition in each], dtype=np.int64)
    defined += np.repeat(bases, sizes)
    defined.sort()
    is_bound = ~_holds(defined, starts)
    imports, import_ends = _places(captures, bases, "import")
    if len(imports):
        order = imports.argsort()
        reach = np.concatenate(([-1], np.maximum.accumulate(import_ends[order])))
        is_bound &= reach[imports[order].searchsorted(starts, side="right")] <= starts
    return starts[is_bound], ends[is_bound]


def _places(captures: Sequence[Captures], bases: Longs, name: str) -> tuple[Longs, Longs]:
    places = [each.get(name, NO_PLACES) for each in captures]
    base = np.repeat(bases, [len(each.starts) for each in places])
    starts = np.array([start for each in places for start in each.starts], dtype=np.int64) + base
    return starts, np.array([end for each in places for end in each.ends], dtype=np.int64) + base
