"""Links: what the code of a definition uses, as weighted edges to other definitions.

Every source that follows code goes along these edges, so that a use is resolved and weighed once a
request, and in one way.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from math import log2

from ..index.resolve import UNRESOLVED, Resolver
from ..index.snapshot import FileView, Snapshot, SymbolId
from ..model.facts import CALLABLE_KINDS, NOWHERE, TYPE_KINDS, ReferenceKind, SymbolFlag, SymbolKind
from ..model.lines import LineRange
from ..model.values import Value
from .units import is_test_symbol

KIND_WEIGHT = {
    ReferenceKind.CALL: 1.0,
    ReferenceKind.INHERIT: 0.8,
    ReferenceKind.TYPE: 0.7,
    ReferenceKind.DECORATOR: 0.6,
    ReferenceKind.ATTRIBUTE: 0.5,
    ReferenceKind.READ: 0.5,
    ReferenceKind.IMPORT: 0.3,
}
"""How much each kind of use says about the behaviour of the code that uses."""

VERB = {
    ReferenceKind.CALL: "calls",
    ReferenceKind.INHERIT: "inherits from",
    ReferenceKind.TYPE: "names the type",
    ReferenceKind.DECORATOR: "is decorated with",
}

HANDED_ON = 0.85
"""A function named without a call: it is handed on, registered or bound, and called later."""

KNOWN = 0.8
"""From this confidence on a use is known to mean its target, however common its name is."""

KNOWN_DAMPING = 0.3
"""Exponent of the rarity of a known use: what everybody uses is still a little less telling."""

OVERRIDE = 0.6
"""An override of the method that is called, shared among all overrides: the call may run any of them."""

MEMBER = 0.2
"""A method of a class that is used: it may run later."""

PROTOTYPE = 0.3
"""A declaration without a body, where the body is known."""

MADE_TO_CALL = 0.7
"""The operator of a function object (C++): what makes the object hands it on to be called."""

USED_LATER = 0.5
"""What is called on a module's object elsewhere in its file (`app.get(...)` after `app = App()`)."""

BY_NAME = 0.5
"""A method that a dispatcher finds by its name (`getattr(self, "visit_" + kind)` in `visit`)."""

DISPATCHERS = frozenset({"getattr", "send", "public_send", "__send__", "call_user_func", "call_user_func_array"})
"""Functions that call what a string names."""

MAX_DISPATCHED = 30
MAX_TARGETS = 4
MAX_OVERLOADS = 12
"""Of many functions of one name, as C++ has them, any may run: they share the weight of MAX_TARGETS."""

MAX_LINKS = 60
"""How many links of one definition are followed, strongest first."""

MAX_OVERRIDES = 8
MAX_MEMBERS = 30
OBJECT_KINDS = frozenset({SymbolKind.VARIABLE, SymbolKind.CONSTANT, SymbolKind.FIELD})


class Link(Value):
    """An edge to `target`: used as `name` on 1-based `line`; `weight` in [0, 1]; `verb` for humans."""

    target: SymbolId
    weight: float
    name: str
    line: int
    verb: str


MAX_REMEMBERED = 4_000
"""Definitions whose links outlive a request."""


class Links:
    """The links of one snapshot, for one request after the other (see `settle`); not shared between threads."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver
        self._of_symbol: dict[SymbolId, tuple[Link, ...]] = {}
        self._remembered: set[SymbolId] = set()

    @property
    def resolver(self) -> Resolver:
        """What resolves the uses."""
        return self._resolver

    def settle(self) -> bool:
        """A request is over: the next one gets the answers of fresh links, only sooner.

        False when so much is remembered that new links are better.
        """
        settled = self._resolver.settle()
        self._remembered.update(each for each in self._of_symbol if ("links", each) in self._resolver.memory)
        self._of_symbol.clear()
        return settled and len(self._remembered) < MAX_REMEMBERED

    def follow(self, snapshot: Snapshot) -> bool:
        """Go on with another snapshot and those answers that hold in it as well. Between requests.

        False when none are known to hold: then new links are needed.
        """
        if not self._resolver.follow(snapshot):
            return False
        self._remembered = {each for each in self._remembered if ("links", each) in self._resolver.memory}
        return True

    def rarity(self, name: str) -> float:
        """Damps names that many files use: 1 for a name of one file, about 0.3 for one of a thousand."""
        return self._resolver.memory.kept(("rarity", name), lambda: self._rarity(name))

    def _rarity(self, name: str) -> float:
        return 1.0 / (1.0 + 0.25 * log2(1 + self._resolver.snapshot.files_using_count(name)))

    def of_lines(self, view: FileView, lines: LineRange) -> tuple[Link, ...]:
        """What the code in `lines` uses, strongest first; one link a target."""
        return self._best(self._in_lines(view, lines), NOWHERE, view.path)

    def of_symbol(self, id: SymbolId) -> tuple[Link, ...]:
        """What a definition uses: of a type its head and constructor, and weakly its methods."""
        known = self._of_symbol.get(id)
        if known is None:
            known = self._resolver.memory.kept(("links", id), lambda: self._found(id))
            self._of_symbol[id] = known
        return known

    def _found(self, id: SymbolId) -> tuple[Link, ...]:
        view = self._resolver.snapshot.file(id.path)
        return () if view is None else self._best(self._links(view, id.index), id.index, id.path)

    def known(self, id: SymbolId) -> tuple[Link, ...]:
        """The links of a definition that somebody has asked for before; else none, at no cost."""
        return self._of_symbol.get(id, ())

    def _links(self, view: FileView, symbol: int) -> list[Link]:
        columns = view.facts.symbols
        start, end = columns.start[symbol], columns.end[symbol]
        kind = columns.kind[symbol]
        if kind in TYPE_KINDS:
            return self._of_type(view, symbol)
        found = self._in_lines(view, LineRange(start, max(start, end)))
        if kind in CALLABLE_KINDS and self._dispatches(view, start, end):
            found += self._by_name(view, symbol)
        if kind in OBJECT_KINDS and columns.parent[symbol] == NOWHERE:
            found += self._used_later(view, symbol)
        return found

    def _dispatches(self, view: FileView, start: int, end: int) -> bool:
        references, names = view.facts.references, view.facts.names
        first, last = bisect_left(references.line, start), bisect_right(references.line, end)
        return any(names[name] in DISPATCHERS for name in references.name[first:last])

    def _by_name(self, view: FileView, symbol: int) -> list[Link]:
        """Methods of the dispatcher's class and its subtypes that are called like it with something behind."""
        columns, names = view.facts.symbols, view.facts.names
        own = names[columns.name[symbol]].strip("_")
        owner = columns.parent[symbol]
        if owner == NOWHERE or columns.kind[owner] not in TYPE_KINDS or not own:
            return []
        found: list[Link] = []
        line = columns.name_line[symbol]
        types = [SymbolId(view.path, owner), *self._resolver.implementers(SymbolId(view.path, owner))]
        for target in types[:MAX_OVERRIDES]:
            other = self._resolver.snapshot.file(target.path)
            if other is None:
                continue
            theirs = other.facts.symbols
            for index in range(target.index + 1, bisect_right(theirs.start, theirs.end[target.index])):
                name = other.facts.names[theirs.name[index]]
                if theirs.parent[index] == target.index and name.startswith(f"{own}_"):
                    found.append(Link(SymbolId(target.path, index), BY_NAME, name, line, "may run by name"))
        return found[:MAX_DISPATCHED]

    def _of_type(self, view: FileView, symbol: int) -> list[Link]:
        columns, names = view.facts.symbols, view.facts.names
        start, end = columns.start[symbol], columns.end[symbol]
        members = [
            index
            for index in range(symbol + 1, bisect_right(columns.start, end))
            if columns.parent[index] == symbol and columns.kind[index] in CALLABLE_KINDS
        ]
        head_end = min([columns.start[index] - 1 for index in members] + [end])
        found = self._in_lines(view, LineRange(start, max(start, head_end)))
        for index in members[:MAX_MEMBERS]:
            name = names[columns.name[index]]
            if columns.kind[index] == SymbolKind.CONSTRUCTOR:
                found += self._in_lines(view, LineRange(columns.start[index], columns.end[index]))
            weight = MADE_TO_CALL if name == "operator()" else MEMBER * self.rarity(name)
            link = Link(SymbolId(view.path, index), weight, name, columns.name_line[index], "has")
            found.append(link)
        return found

    def _used_later(self, view: FileView, symbol: int) -> list[Link]:
        """Calls on a top-level object anywhere in its file outside tests."""
        facts = view.facts
        name = facts.symbols.name[symbol]
        references = facts.references
        found: list[Link] = []
        for index in range(len(references)):
            if references.receiver[index] == name and not is_test_symbol(view, references.symbol[index]):
                found += self._of_reference(view, index, USED_LATER)
                if len(found) > MAX_LINKS:
                    break
        return found

    def _in_lines(self, view: FileView, lines: LineRange) -> list[Link]:
        references = view.facts.references
        first, last = bisect_left(references.line, lines.start), bisect_right(references.line, lines.end)
        seen: set[tuple[int, int, int, int]] = set()
        found: list[Link] = []
        for index in range(first, last):
            key = (
                references.name[index],
                references.receiver[index],
                references.symbol[index],
                references.kind[index],
            )
            if key not in seen and references.kind[index] != ReferenceKind.IMPORT:
                seen.add(key)
                found += self._of_reference(view, index, 1.0)
        return found

    def _of_reference(self, view: FileView, index: int, share: float) -> list[Link]:
        table = self._resolver.table(view.path)
        resolution = self._resolver.resolve_at(table, index) if table is not None else UNRESOLVED
        if not resolution.targets:
            return []
        reference = view.facts.reference(index)
        rarity = self.rarity(reference.name)
        if resolution.confidence >= KNOWN:
            rarity **= KNOWN_DAMPING
        kind_of = self._resolver.kind
        kinds = [kind_of(target) for target in resolution.targets]
        overloads = len(kinds) > MAX_TARGETS and all(kind in CALLABLE_KINDS for kind in kinds)
        # A namespace holds all and says nothing of what runs.
        targets = [
            target for target, kind in zip(resolution.targets, kinds, strict=True) if kind is not SymbolKind.NAMESPACE
        ][: MAX_OVERLOADS if overloads else MAX_TARGETS]
        if not targets:
            return []
        kind_weight = KIND_WEIGHT[reference.kind]
        if reference.kind in (ReferenceKind.READ, ReferenceKind.ATTRIBUTE) and kind_of(targets[0]) in CALLABLE_KINDS:
            kind_weight = HANDED_ON
        weight = share * kind_weight * resolution.confidence * rarity
        verb = VERB.get(reference.kind, "uses")
        if overloads:
            weight *= (MAX_TARGETS / len(targets)) ** 0.5
        found = [
            Link(target, weight * share, reference.name, reference.line, verb)
            for target, share in zip(targets, self._shares(targets), strict=True)
        ]
        if reference.kind is ReferenceKind.CALL or reference.kind is ReferenceKind.ATTRIBUTE:
            for target in targets[:2]:
                overrides = () if kind_of(target) in TYPE_KINDS else self.overrides(target)
                for other in overrides:
                    shared = weight * OVERRIDE / len(overrides) ** 0.5
                    found.append(Link(other, shared, reference.name, reference.line, "may run the override"))
        return found

    def _shares(self, targets: Sequence[SymbolId]) -> list[float]:
        """A prototype (in a header) says little beside the body that it stands for."""
        bodies = {target.path for target in targets if not self._declares(target)}
        if not bodies or len(targets) == 1:
            return [1.0] * len(targets)
        return [PROTOTYPE if target.path not in bodies and self._declares(target) else 1.0 for target in targets]

    def _declares(self, target: SymbolId) -> bool:
        return self._resolver.flagged(target, SymbolFlag.DECLARATION)

    def overrides(self, target: SymbolId) -> list[SymbolId]:
        """Methods that may run when `target` is called, outside tests."""
        return self._resolver.memory.kept(("overrides", target), lambda: self._find_overrides(target))

    def _find_overrides(self, target: SymbolId) -> list[SymbolId]:
        return self._resolver.overriders(target, MAX_OVERRIDES)

    def _best(self, links: Iterable[Link], own: int, path: str) -> tuple[Link, ...]:
        best: dict[SymbolId, Link] = {}
        for link in links:
            if link.target.index == own and link.target.path == path:
                continue
            held = best.get(link.target)
            if held is None or link.weight > held.weight:
                best[link.target] = link
        ordered = sorted(best.values(), key=lambda link: (-link.weight, link.target.path, link.target.index))
        return tuple(ordered[:MAX_LINKS])
