"""FileEntry: what the index keeps of one file beside the inverted columns, and the cache of decoded facts."""

from __future__ import annotations

from functools import lru_cache

from ..model.candidate import Origin
from ..model.facts import FileFacts
from ..model.values import Record
from ..workspace.classify import PathFlag
from .encoding import decode_facts
from .packed import PackedFacts

__all__ = ["FactsCache", "FactsSlice", "FileEntry", "PathFlag"]


class FactsSlice(Record):
    """Encoded facts inside a larger run of bytes, taken out when they are looked at."""

    source: memoryview
    start: int
    end: int

    def encoded(self) -> bytes:
        """The facts' own bytes."""
        return bytes(self.source[self.start : self.end])


class FileEntry(Record):
    """One file. `facts` are the facts themselves (buffers being edited), their encoded bytes, or where those are."""

    path: str
    flags: PathFlag
    origin: Origin
    version: int | None
    mtime_ns: int
    content_hash: str
    language: str
    size: int
    facts: FileFacts | bytes | FactsSlice

    @property
    def encoded(self) -> bytes | None:
        """The encoded facts, None for a buffer that is being edited."""
        if isinstance(self.facts, FactsSlice):
            return self.facts.encoded()
        return self.facts if isinstance(self.facts, bytes) else None

    def holds(self, packed: PackedFacts) -> bool:
        """True when `packed` are facts of the text this entry is of."""
        return (self.content_hash, self.language) == (packed.content_hash, packed.language)


CACHED_FILES = 512
"""Decoded at a time. A failure in Django looks at some 270 files: with 256 a fifth of a build was decoding what the one
before had decoded; 1,024 cost 20 MB more and gained 3 %."""


class FactsCache:
    """The last decoded facts, by their bytes; files of equal content share. Safe for several readers."""

    __slots__ = ("_decode",)

    def __init__(self, capacity: int = CACHED_FILES) -> None:
        self._decode = lru_cache(maxsize=capacity)(_decoded)

    def facts(self, entry: FileEntry) -> FileFacts:
        """The facts of `entry`."""
        facts = entry.facts
        return facts if isinstance(facts, FileFacts) else self._decode(facts)


def _decoded(facts: bytes | FactsSlice) -> FileFacts:
    return decode_facts(facts if isinstance(facts, bytes) else facts.encoded())
