"""Links of the newest snapshot that outlive a request: the next one need not resolve the same uses again.

Answers are those of fresh links (see `Links.settle`). A save of what is known, another HEAD or another count of pending
files leave them all; an edit takes those away that it may change (see `Links.follow`); where files come or go, all.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..index.snapshot import Snapshot
    from ..retrieval.links import Links


class LinkMemory:
    """Holds links that no request uses at the moment. Any thread; two requests at once have one each."""

    def __init__(self) -> None:
        self._idle: list[tuple[Snapshot, Links]] = []

    @contextmanager
    def links(self, snapshot: Snapshot) -> Generator[Links]:
        """Links of `snapshot`, for this request alone while it runs."""
        from ..index.resolve import Resolver
        from ..retrieval.links import Links

        links = self._taken(snapshot) or Links(Resolver(snapshot))
        yield links
        # What an error or a withdrawal left half done is not kept.
        if links.settle():
            self._idle[:] = [(snapshot, links)]

    def _taken(self, snapshot: Snapshot) -> Links | None:
        try:
            held, links = self._idle.pop()
        except IndexError:
            return None
        return links if held is snapshot or links.follow(snapshot) else None
