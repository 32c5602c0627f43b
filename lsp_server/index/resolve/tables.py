"""One file's facts as tables by name, each built when first asked for."""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property
from itertools import count

import numpy as np

from ...model.facts import (
    CALLABLE_KINDS,
    COMPLEX_RECEIVER,
    KIND_OF,
    NOWHERE,
    FileFacts,
    Import,
    ReferenceKind,
    SymbolFlag,
    SymbolKind,
)
from ...model.values import Value
from ..snapshot import SymbolId
from .rules import Rules

MAX_CHAIN = 12
"""Longer receivers are not followed."""


_NEVER_TOP = frozenset({SymbolKind.IMPL, SymbolKind.METHOD})
"""A method without a type stands in an object that has no name."""


_TEST, _EXTENSION, _INHERIT = int(SymbolFlag.TEST), int(SymbolFlag.EXTENSION), int(ReferenceKind.INHERIT)


class Part(Value):
    """One name of a receiver. `reference` is its own use, NOWHERE when it was dropped as a local or keyword.

    With `called` it stands for the result of calling it.
    """

    name: str
    reference: int
    called: bool = False


class FileTable:
    """Tables over one file's facts."""

    def __init__(self, path: str, language: str, rules: Rules, facts: FileFacts) -> None:
        self.path = path
        self.language = language
        self.rules = rules
        self.facts = facts

    # Definitions

    def symbol_name(self, index: int) -> str:
        """The name of a definition."""
        return self.facts.names[self.facts.symbols.name[index]]

    def kind(self, index: int) -> SymbolKind:
        """The kind of a definition."""
        return KIND_OF[self.facts.symbols.kind[index]]

    def owner(self, index: int) -> str:
        """The type that a definition outside of it belongs to, directly or through a block around it."""
        symbols = self.facts.symbols
        if symbols.owner[index]:
            return self.facts.names[symbols.owner[index]]
        parent = symbols.parent[index]
        if parent != NOWHERE and symbols.kind[parent] == SymbolKind.IMPL:
            return self.facts.names[symbols.owner[parent]] or self.symbol_name(parent)
        return ""

    @cached_property
    def _owners(self) -> frozenset[str]:
        return frozenset(self.facts.names[owner] for owner in self.facts.symbols.owner if owner)

    def owns_members(self, name: str) -> bool:
        """True when members of `name` stand outside of it in this file."""
        return name in self._owners

    def has_flag(self, index: int, flag: SymbolFlag) -> bool:
        """True when a definition has the flag."""
        return bool(self.facts.symbols.flags[index] & int(flag))

    def around(self, symbol: int) -> list[int]:
        """`symbol` and the definitions around it, innermost first."""
        found: list[int] = []
        while symbol != NOWHERE:
            found.append(symbol)
            symbol = self.facts.symbols.parent[symbol]
        return found

    @cached_property
    def children(self) -> dict[int, dict[str, list[int]]]:
        """Definitions by the definition around them (NOWHERE: none), then by name."""
        found: dict[int, dict[str, list[int]]] = {}
        symbols, names = self.facts.symbols, self.facts.names
        titles = self.titles
        for index, (parent, name) in enumerate(zip(symbols.parent, symbols.name, strict=True)):
            if index in titles:
                continue
            found.setdefault(parent, {}).setdefault(names[name], []).append(index)
        return found

    @cached_property
    def titles(self) -> frozenset[int]:
        """Definitions whose name is a test's title, a string: no use means them."""
        runners = self.rules.test_runners
        symbols, references, names = self.facts.symbols, self.facts.references, self.facts.names
        found: set[int] = set()
        for index, flags in enumerate(symbols.flags if runners else ()):
            if not flags & _TEST:
                continue
            line, column = symbols.name_line[index], symbols.name_column[index]
            for first in (symbols.start[index], line):
                at = bisect_left(references.line, first)
                while at < len(references) and references.line[at] == first:
                    before = first < line or references.column[at] < column
                    if before and names[references.name[at]] in runners:
                        found.add(index)
                    at += 1
        return frozenset(found)

    @cached_property
    def top(self) -> dict[str, list[int]]:
        """Names the file defines at its top level, also inside transparent containers."""
        found: dict[str, list[int]] = {}
        symbols, names = self.facts.symbols, self.facts.names
        open_in = {NOWHERE}
        for index, (parent, kind, owner) in enumerate(zip(symbols.parent, symbols.kind, symbols.owner, strict=True)):
            if parent not in open_in or (owner and not symbols.flags[index] & _EXTENSION):
                continue
            if kind in self.rules.transparent:
                open_in.add(index)
            if (kind not in _NEVER_TOP or owner) and index not in self.titles:
                found.setdefault(names[symbols.name[index]], []).append(index)
        return found

    def top_level(self, name: str) -> list[SymbolId]:
        """Top-level definitions of `name`."""
        return [SymbolId(self.path, index) for index in self.top.get(name, ())]

    def nested(self, parent: int, name: str) -> list[SymbolId]:
        """Definitions of `name` directly inside `parent`."""
        number = self._name_numbers.get(name, NOWHERE)
        if number == NOWHERE:
            return []
        numbers, parents, titles = self.facts.symbols.name, self.facts.symbols.parent, self.titles
        found: list[SymbolId] = []
        # What stands inside a definition comes after it.
        at = parent + 1
        while True:
            try:
                at = numbers.index(number, at) + 1
            except ValueError:
                return found
            if parents[at - 1] == parent and at - 1 not in titles:
                found.append(SymbolId(self.path, at - 1))

    @cached_property
    def _name_numbers(self) -> dict[str, int]:
        """Places in `facts.names`."""
        return dict(zip(self.facts.names, count(), strict=False))

    @cached_property
    def inherits(self) -> dict[int, list[int]]:
        """Uses as a base, by the definition they stand in."""
        found: dict[int, list[int]] = {}
        references = self.facts.references
        # By numpy: of a file's thousands of uses a few are bases.
        for index in np.flatnonzero(np.asarray(references.kind) == _INHERIT).tolist():
            found.setdefault(references.symbol[index], []).append(index)
        return found

    # Imports

    @cached_property
    def imports(self) -> dict[str, list[Import]]:
        """Imports by the name they have in this file; those of all names under `*`."""
        found: dict[str, list[Import]] = {}
        for entry in self.facts.imports:
            found.setdefault("*" if entry.name == "*" and not entry.alias else entry.alias, []).append(entry)
        return found

    @cached_property
    def _import_scopes(self) -> dict[int, int]:
        """The function or module around each import, by line; only where there is one."""
        found: dict[int, int] = {}
        symbols = self.facts.symbols
        for entry in self.facts.imports:
            # Most imports stand above everything that is defined.
            inside = entry.module and symbols.start and entry.line >= symbols.start[0]
            around = self.facts.enclosing(entry.line) if inside else None
            at = NOWHERE if around is None else around.index
            while at != NOWHERE:
                inner = symbols.kind[at] in CALLABLE_KINDS or symbols.kind[at] == SymbolKind.MODULE
                if inner and symbols.start[at] < entry.line:
                    found[entry.line] = at
                    break
                at = symbols.parent[at]
        return found

    def import_scope(self, entry: Import) -> int:
        """The function or module around an import, NOWHERE at the top level."""
        return self._import_scopes.get(entry.line, NOWHERE)

    def imports_named(self, alias: str, symbol: int = NOWHERE) -> list[Import]:
        """Imports under `alias` (`*`: of all names) that hold inside definition `symbol`, the innermost first."""
        entries = self.imports.get(alias, [])
        if not entries or not self._import_scopes:
            return entries
        around = self.around(symbol)
        scopes = self._import_scopes
        held = [entry for entry in entries if scopes.get(entry.line, NOWHERE) in (NOWHERE, *around)]
        return sorted(held, key=lambda entry: entry.line not in scopes)

    # Variables

    @cached_property
    def bindings(self) -> dict[str, list[int]]:
        """Rows of bindings by the variable's name."""
        found: dict[str, list[int]] = {}
        names = self.facts.names
        for row, name in enumerate(self.facts.bindings.name):
            found.setdefault(names[name], []).append(row)
        return found

    def bindings_in(self, name: str, scope: int) -> list[int]:
        """Rows of bindings of `name` whose scope is definition `scope`."""
        scopes = self.facts.bindings.symbol
        return [row for row in self.bindings.get(name, ()) if scopes[row] == scope]

    def binding_reference(self, row: int) -> int:
        """The use of the type or factory that binding `row` names, NOWHERE without one."""
        bindings, references = self.facts.bindings, self.facts.references
        line, wanted = bindings.line[row], bindings.type[row]
        at = bisect_left(references.line, line)
        while at < len(references) and references.line[at] <= line + self.rules.binding_lines:
            if references.name[at] == wanted and references.kind[at] != ReferenceKind.IMPORT:
                return at
            at += 1
        return NOWHERE

    def called_on(self, row: int) -> int:
        """The member used on what binding `row` names, when that is a local variable (`x = local.member()`)."""
        bindings, references = self.facts.bindings, self.facts.references
        line, wanted = bindings.line[row], bindings.type[row]
        at = bisect_left(references.line, line)
        while at < len(references) and references.line[at] <= line + self.rules.binding_lines:
            if references.receiver[at] == wanted:
                return at
            at += 1
        return NOWHERE

    def names_type(self, row: int) -> bool:
        """True when binding `row` comes from a written type, not from a call."""
        at = self.binding_reference(row)
        return at != NOWHERE and self.facts.references.kind[at] == ReferenceKind.TYPE

    def wrapped_reference(self, row: int) -> int:
        """The first type named behind the written type of binding `row` (`Foo` of `Optional[Foo]`)."""
        references = self.facts.references
        at = self.binding_reference(row)
        if at == NOWHERE:
            return NOWHERE
        line = references.line[at]
        size = len(self.facts.names[references.name[at]].encode("utf-8", "replace"))
        for after in range(at + 1, len(references)):
            if references.line[after] != line:
                break
            if after == at + 1 and references.column[after] != references.column[at] + size + 1:
                break
            if references.kind[after] == ReferenceKind.TYPE:
                return after
        return NOWHERE

    # Receivers

    def chain(self, reference: int) -> list[Part] | None:
        """The names before a use, first to last (`a`, `b` of `a.b.c`); None when an expression is among them."""
        references, names = self.facts.references, self.facts.names
        parts: list[Part] = []
        at = reference
        while (receiver := references.receiver[at]) != 0:
            if receiver < 0 and self._on_super(at):
                parts.append(Part("super", NOWHERE))
                break
            if receiver == COMPLEX_RECEIVER or len(parts) == MAX_CHAIN:
                return None
            if receiver < 0:
                called = references.called(at)
                parts.append(Part(names[references.name[called]], called, called=True))
                break
            before = at - 1
            if before >= 0 and references.name[before] == receiver and self._adjacent(before, at):
                parts.append(Part(names[receiver], before))
                at = before
            else:
                parts.append(Part(names[receiver], NOWHERE))
                break
        parts.reverse()
        return parts

    def chain_end(self, reference: int) -> int:
        """The last use of the chain that goes on from a use (`c` of `a.b.c`, from `a` or `b`)."""
        references = self.facts.references
        after = reference + 1
        while (
            after < len(references)
            and references.receiver[after] == references.name[after - 1]
            and self._adjacent(after - 1, after)
        ):
            after += 1
        return after - 1

    def _on_super(self, at: int) -> bool:
        """True for `super().name` and `super(Type, self).name`."""
        references, names = self.facts.references, self.facts.names
        for before, between in ((at - 1, len("super().")), (at - 2, 0)):
            if before < 0 or names[references.name[before]] != "super":
                continue
            if references.line[before] != references.line[at] or references.receiver[before]:
                continue
            column = references.column[before]
            if between:
                return references.column[at] == column + between
            inner = at - 1
            size = len(names[references.name[inner]].encode("utf-8", "replace"))
            return (
                references.column[inner] == column + len("super(")
                and 0 < references.column[at] - (references.column[inner] + size) <= len(", self).") + 2
            )
        return False

    def _adjacent(self, before: int, after: int) -> bool:
        references = self.facts.references
        if references.line[before] != references.line[after]:
            return references.line[before] < references.line[after]
        end = references.column[before] + len(self.facts.names[references.name[before]].encode("utf-8", "replace"))
        return 0 < references.column[after] - end <= 4
