"""Definitions: the captures of a query put together into symbols.

Captures come as bags of nodes. Tree nodes either nest or are apart, so one sweep over start offsets
with a stack of open definitions gives every name, body, owner and test mark to its definition.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from lsp_server.model.facts import CALLABLE_KINDS, NOWHERE, SymbolKind

from .captures import NO_PLACES, Captures

KIND_OF_CAPTURE: Mapping[str, SymbolKind] = {f"def.{kind.name.lower()}": kind for kind in SymbolKind}

_DECLARED_TOGETHER = frozenset(
    {SymbolKind.VARIABLE, SymbolKind.CONSTANT, SymbolKind.FIELD, SymbolKind.PROPERTY, SymbolKind.ENUM_MEMBER}
)
"""Kinds of which one node may declare several (`a, b = 1, 2`)."""

_GENERAL = (SymbolKind.TYPE, SymbolKind.VARIABLE, SymbolKind.CONSTANT, SymbolKind.FIELD, SymbolKind.FUNCTION)
"""Where two patterns capture one node, the later in this list wins, and a kind not in it over all."""

_KINDS = {int(kind): kind for kind in SymbolKind}
_MEMBERS = frozenset({SymbolKind.FIELD, SymbolKind.PROPERTY})

_UNSET = -1
_BODY, _DEFINITION, _NAME, _OWNER, _TEST, _TAIL = range(6)


@dataclass(slots=True)
class Definition:
    """One definition while it is being put together. Byte offsets, end exclusive; `_UNSET` is -1."""

    start: int
    end: int
    kind: SymbolKind
    name_start: int = _UNSET
    name_end: int = _UNSET
    body_start: int = _UNSET
    body_end: int = _UNSET
    owner_start: int = _UNSET
    owner_end: int = _UNSET
    test: bool = False
    parent: int = NOWHERE
    local: bool = False

    @property
    def named(self) -> bool:
        """True when a name was found."""
        return self.name_start != _UNSET

    @property
    def has_body(self) -> bool:
        """True when a body was captured."""
        return self.body_start != _UNSET


def definitions(captures: Captures) -> list[Definition]:
    """All definitions in order of start (the wider first), with parents set."""
    found = _sweep(_events(captures))
    kept = _without_wrappers(found)
    _set_parents(kept)
    if any(map(_may_be_local_variable, kept)):
        local = set(captures.get("local", NO_PLACES).starts)
        kept = [each for each in kept if not (_may_be_local_variable(each) and each.name_start in local)]
        _set_parents(kept)
    return kept


def _may_be_local_variable(each: Definition) -> bool:
    """True for a declaration (C) that would be a variable or prototype elsewhere but stands in a function."""
    return each.local and (each.kind is SymbolKind.VARIABLE or (each.kind is SymbolKind.FUNCTION and not each.has_body))


Event = tuple[int, int, int, int, int]
"""Start, order, minus the end, rank among definitions of one node, kind (0: no definition)."""


def _events(captures: Captures) -> list[Event]:
    events: list[Event] = []
    imports = set(captures.get("import", NO_PLACES).pairs())
    for capture, places in captures.items():
        kind = KIND_OF_CAPTURE.get(capture)
        if kind is not None:
            rank = _GENERAL.index(kind) if kind in _GENERAL else len(_GENERAL) + kind
            # `const a = require("a")` is no definition of `a`.
            events += [
                (span[0], _DEFINITION, -span[1], rank, int(kind)) for span in places.pairs() if span not in imports
            ]
    for capture, order in (("name", _NAME), ("body", _BODY), ("owner", _OWNER), ("test", _TEST), ("tail", _TAIL)):
        # What the parser only supposes (a missing name) has no width.
        events += [(start, order, -end, 0, 0) for start, end in captures.get(capture, NO_PLACES).pairs() if end > start]
    events.sort()
    return events


def _sweep(events: Iterable[Event]) -> list[Definition]:
    found: list[Definition] = []
    stack: list[Definition] = []
    for start, order, negative_end, _, kind in events:
        end = -negative_end
        while stack and stack[-1].end <= start:
            stack.pop()
        if order == _DEFINITION:
            definition = Definition(start, end, _KINDS[kind])
            found.append(definition)
            stack.append(definition)
        elif order == _TAIL:
            if found:
                _extend(found[-1], start, end)
                stack.append(found[-1])
        elif stack:
            if order == _NAME:
                _give_name(start, end, stack, found)
            elif order == _BODY:
                _give_body(start, end, stack)
            elif order == _OWNER:
                if stack[-1].owner_start == _UNSET:
                    stack[-1].owner_start, stack[-1].owner_end = start, end
            else:
                stack[-1].test = True
    return found


def _extend(definition: Definition, start: int, end: int) -> None:
    """The block at `start..end` directly follows `definition` and is its body (a macro that reads as a call)."""
    definition.end = end
    definition.body_start, definition.body_end = start, end


def _give_name(start: int, end: int, stack: list[Definition], found: list[Definition]) -> None:
    innermost = stack[-1]
    if innermost.named and innermost.kind in _DECLARED_TOGETHER:
        found.append(Definition(innermost.start, innermost.end, innermost.kind, start, end))
        return
    for definition in reversed(stack):
        if not definition.named:
            definition.name_start, definition.name_end = start, end
            return


def _give_body(start: int, end: int, stack: list[Definition]) -> None:
    for definition in reversed(stack):
        if definition.start < start and definition.end >= end:
            if not definition.has_body:
                definition.body_start, definition.body_end = start, end
            return


def _without_wrappers(found: list[Definition]) -> list[Definition]:
    """Merge an unnamed definition that only wraps the next one (decorators, `export`), drop other unnamed ones."""
    found.sort(key=lambda each: (each.start, -each.end))
    kept: list[Definition] = []
    inner: Definition | None = None
    for definition in reversed(found):
        if definition.named or (definition.kind is SymbolKind.IMPL and definition.owner_start != _UNSET):
            kept.append(definition)
            inner = definition
        elif inner is not None and definition.start <= inner.start and 0 <= definition.end - inner.end <= 2:
            inner.start, inner.end = definition.start, definition.end
            inner.test = inner.test or definition.test
            if not inner.has_body:
                inner.body_start, inner.body_end = definition.body_start, definition.body_end
            if inner.owner_start == _UNSET:
                inner.owner_start, inner.owner_end = definition.owner_start, definition.owner_end
    kept.sort(key=lambda each: (each.start, -each.end, each.name_start))
    return kept


def _set_parents(kept: Sequence[Definition]) -> None:
    stack: list[int] = []
    for index, definition in enumerate(kept):
        while stack:
            above = kept[stack[-1]]
            if above.end <= definition.start or (above.start == definition.start and above.end == definition.end):
                stack.pop()
            else:
                break
        definition.parent, definition.local = NOWHERE, False
        if stack:
            above = kept[stack[-1]]
            definition.parent = stack[-1]
            definition.local = above.local or above.kind in CALLABLE_KINDS
            if definition.kind in _MEMBERS and above.kind is SymbolKind.CONSTRUCTOR and above.parent != NOWHERE:
                # A parameter that declares a member of the class (`__construct(private Clock $clock)`).
                definition.parent = above.parent
                definition.local = above.local
            definition.test = definition.test or above.test
        stack.append(index)
