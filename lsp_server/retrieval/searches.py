"""Searches of one request, remembered: several sources ask for the same words."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..index.snapshot import ChunkHit, Snapshot
from ..workspace.classify import PathFlag


class Searches:
    """Asks a snapshot, each question once; not shared between threads."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._known: dict[tuple[frozenset[tuple[str, float]], int], list[ChunkHit]] = {}
        self._words: dict[str, Mapping[str, float]] = {}
        self._in_tests: dict[str, bool] = {}

    def words(self, kind: str, make: Callable[[], Mapping[str, float]]) -> Mapping[str, float]:
        """The weighted words of one kind that the request asks with, made once."""
        known = self._words.get(kind)
        if known is None:
            known = self._words[kind] = make()
        return known

    def in_tests(self, path: str) -> bool:
        """True when the path says test. Each hit of each question is asked about."""
        known = self._in_tests.get(path)
        if known is None:
            known = self._in_tests[path] = PathFlag.TEST in self._snapshot.flags(path)
        return known

    def hits(self, words: Mapping[str, float], limit: int) -> list[ChunkHit]:
        """The `limit` best chunks for weighted `words`, best first."""
        key = (frozenset(words.items()), limit)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._snapshot.search(words, limit)
        return known
