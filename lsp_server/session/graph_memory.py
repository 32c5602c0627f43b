"""The reference graph of the newest snapshot, kept until the index changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..index.snapshot import Snapshot
    from ..repomap.graph import ReferenceGraph


class GraphMemory:
    """Remembers one graph. Threads that ask at once may make it twice; both are equal."""

    def __init__(self) -> None:
        self._held: tuple[Snapshot, ReferenceGraph] | None = None

    def graph(self, snapshot: Snapshot) -> ReferenceGraph:
        """The graph of `snapshot`."""
        held = self._held
        if held is None or held[0] is not snapshot:
            from ..repomap.graph import reference_graph

            held = self._held = (snapshot, reference_graph(snapshot))
        return held[1]
