"""FileEntry: what the index keeps of one file beside the inverted columns, and the cache of decoded facts."""

from __future__ import annotations

from ..model.candidate import Origin
from ..model.facts import FileFacts
from ..model.values import Record
from ..workspace.classify import PathFlag
from .encoding import decode_code, decode_facts
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
"""Decoded at a time. A failure in Django looks at some 180 files. When it looked at 270, a fifth of a build with 256
was decoding what the one before had decoded, and 1,024 cost 20 MB more and gained 3 %."""

CACHED_BYTES, FEW_FILES = 16_000_000, 16
"""So much source at a time for more than a few files; decoded facts take about twice as much."""


class _Held:
    """Facts of a file as it was last looked at, and whether that was since room was last made."""

    __slots__ = ("facts", "used")

    def __init__(self, facts: FileFacts) -> None:
        self.facts = facts
        self.used = False


class FactsCache:
    """The last decoded facts, of each file one state: a workspace where files change all the time holds no more of
    them than it has files. What was used since its turn to go came last stays for another round (CLOCK: Corbató, "A
    paging experiment with the Multics system", 1968). Safe for several readers: at worst one decodes again.

    Search terms are only with the facts of buffers that are being edited: see `whole`.
    """

    __slots__ = ("_capacity", "_held", "_size")

    def __init__(self, capacity: int = CACHED_FILES) -> None:
        self._capacity = capacity
        self._held: dict[str, _Held] = {}
        self._size = 0  # a guess where several read at once; known again when room is made

    def __len__(self) -> int:
        return len(self._held)

    def facts(self, entry: FileEntry) -> FileFacts:
        """The facts of `entry`."""
        facts = entry.facts
        if isinstance(facts, FileFacts):
            return facts
        held = self._held.get(entry.path)
        if held is not None:
            known = held.facts
            if known.content_hash == entry.content_hash and known.language == entry.language:
                held.used = True
                return known
        decoded = decode_code(_bytes(facts))
        self._held.pop(entry.path, None)
        self._held[entry.path] = _Held(decoded)
        self._size += decoded.size
        if self._is_full(self._size):
            self._make_room()
        return decoded

    def whole(self, entry: FileEntry) -> FileFacts:
        """The same with the search terms, decoded each time."""
        facts = entry.facts
        return facts if isinstance(facts, FileFacts) else decode_facts(_bytes(facts))

    def _make_room(self) -> None:
        held = self._held
        size = sum(each.facts.size for each in list(held.values()))
        while self._is_full(size):
            for path in list(held):  # all at once, as other readers add and take away
                if not self._is_full(size):
                    break
                oldest = held.pop(path, None)
                if oldest is not None and oldest.used:
                    oldest.used = False
                    held[path] = oldest
                elif oldest is not None:
                    size -= oldest.facts.size
        self._size = size

    def _is_full(self, size: int) -> bool:
        count = len(self._held)
        return count > self._capacity or (size > CACHED_BYTES and count > FEW_FILES)


def _bytes(facts: bytes | FactsSlice) -> bytes:
    return facts if isinstance(facts, bytes) else facts.encoded()
