"""FileEntry: what the index keeps of one file beside the inverted columns, and the cache of decoded facts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from ..model.candidate import Origin
from ..model.facts import FileFacts
from ..workspace.classify import PathFlag
from .encoding import decode_facts
from .packed import PackedFacts

__all__ = ["FactsCache", "FileEntry", "PathFlag"]


@dataclass(frozen=True, slots=True, eq=False)
class FileEntry:
    """One file. `facts` are the facts themselves (buffers being edited) or their encoded bytes."""

    path: str
    flags: PathFlag
    origin: Origin
    version: int | None
    mtime_ns: int
    content_hash: str
    language: str
    size: int
    facts: FileFacts | bytes

    def holds(self, packed: PackedFacts) -> bool:
        """True when `packed` are facts of the text this entry is of."""
        return (self.content_hash, self.language) == (packed.content_hash, packed.language)


class FactsCache:
    """The last decoded facts, by their bytes; files of equal content share. Safe for several readers."""

    __slots__ = ("_decode",)

    def __init__(self, capacity: int = 256) -> None:
        self._decode = lru_cache(maxsize=capacity)(decode_facts)

    def facts(self, entry: FileEntry) -> FileFacts:
        """The facts of `entry`."""
        return self._decode(entry.facts) if isinstance(entry.facts, bytes) else entry.facts
