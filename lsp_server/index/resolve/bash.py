"""Shell: sourced files, and functions of the whole workspace when only one has the name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model.facts import Import, SymbolKind
from .meaning import NOTHING, Meaning
from .paths import ending_with, folder, joined
from .rules import UNIQUE, Rules

if TYPE_CHECKING:
    from .resolver import Resolver
    from .tables import FileTable


class BashRules(Rules):
    """The shell's rules."""

    family = "bash"
    self_names = frozenset[str]()
    unique = UNIQUE
    unique_kinds = frozenset({SymbolKind.FUNCTION})

    def module(self, resolver: Resolver, table: FileTable, entry: Import) -> Meaning:
        written = entry.module
        for base in (folder(table.path), ""):
            found = joined(base, written)
            if found is not None and resolver.snapshot.has(found):
                return Meaning((), (found,))
        near = ending_with(resolver.snapshot, written.lstrip("./"), table.path)
        return Meaning((), tuple(near[:1])) if near else NOTHING
