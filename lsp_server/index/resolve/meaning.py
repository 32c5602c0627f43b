"""What an expression may mean: definitions, modules whose names it gives access to, types of its value."""

from __future__ import annotations

from typing import NamedTuple

from ..snapshot import SymbolId


class Meaning(NamedTuple):
    """Definitions, modules and value types that a name or a receiver stands for; false when nothing is known.

    A module is a word that the rules of its language understand: mostly a path, for Go and Python also
    a folder, for Java and its like a package. `confidence` in [0, 1]; `via` as in `Resolution`.
    """

    definitions: tuple[SymbolId, ...] = ()
    modules: tuple[str, ...] = ()
    types: tuple[SymbolId, ...] = ()
    confidence: float = 1.0
    via: str = ""

    def __bool__(self) -> bool:
        return bool(self.definitions or self.modules or self.types)

    def weighed(self, confidence: float, via: str) -> Meaning:
        """The same with at most this confidence, found by `via`."""
        return Meaning(self.definitions, self.modules, self.types, min(self.confidence, confidence), via)


NOTHING = Meaning()
