"""What resolving a name gives: definitions, how sure, and by which rule."""

from __future__ import annotations

from typing import NamedTuple

from ..snapshot import SymbolId

CONFIDENT = 0.5
"""From here on an edge counts as known; below it is a guess by name, and is counted as unresolved."""


class Resolution(NamedTuple):
    """Definitions that a use of a name may mean, best first.

    `confidence` in [0, 1]; `via` names the rule: `scope`, `member`, `import`, `package`, `type`,
    `include`, `extension`, `unique`, `name` or "" when nothing was found.
    """

    targets: tuple[SymbolId, ...] = ()
    confidence: float = 0.0
    via: str = ""

    @property
    def confident(self) -> bool:
        """True when the edge may be relied on."""
        return bool(self.targets) and self.confidence >= CONFIDENT


UNRESOLVED = Resolution()
