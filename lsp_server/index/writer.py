"""IndexWriter: the single writer. Applies changes and publishes whole new snapshots.

Not thread-safe: one owner calls it. The snapshots it returns are for everybody.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from ..model.candidate import Origin
from ..model.facts import FileFacts
from .compaction import Merged, choose, merge_parts
from .encoding import decode_facts
from .entry import FactsCache, FileEntry, PathFlag
from .path_list import PathList
from .path_map import PathMap
from .segment import FileTerms, Part, Segment, SegmentBuilder, term_documents
from .snapshot import Snapshot, Totals
from .vocabulary import Vocabulary

MAX_PARTS = 48
"""With more parts than this, `apply` merges the smallest itself, so that queries stay quick without `compact`."""


@dataclass(frozen=True, slots=True)
class Put:
    """A file is new or changed. `facts` may be given encoded, as workers and the store deliver them.

    Encoded facts are trusted (checked where they come in); they raise FactsCorrupt when damaged.
    """

    path: str
    facts: FileFacts | bytes
    flags: PathFlag = PathFlag.NONE
    origin: Origin = Origin.DISK
    version: int | None = None
    mtime_ns: int = 0


@dataclass(frozen=True, slots=True)
class Remove:
    """A file is gone. Removing an unknown path changes nothing."""

    path: str


Change = Put | Remove


@dataclass(frozen=True, slots=True, eq=False)
class Compaction:
    """Parts chosen for a merge. `run` is pure and may take long: call it on any thread, then `install`."""

    parts: tuple[Part, ...]

    def run(self) -> Merged:
        """The merged segment."""
        return merge_parts(self.parts)


@dataclass(slots=True)
class _Place:
    """Where a file's columns lie: the segment and the file's number in it."""

    segment: Segment
    file: int


class IndexWriter:
    """Owns the index's mutable books; everything published is immutable."""

    def __init__(self, cache_capacity: int = 256) -> None:
        self._vocabulary = Vocabulary()
        self._places: dict[str, _Place] = {}
        self._documents: npt.NDArray[np.int64] = np.zeros(1024, dtype=np.int64)
        self._snapshot = Snapshot(
            revision=0,
            head=None,
            pending_files=0,
            parts=(),
            vocabulary=self._vocabulary,
            entries=PathMap[FileEntry](),
            path_list=PathList(()),
            totals=Totals(),
            cache=FactsCache(cache_capacity),
        )

    @property
    def snapshot(self) -> Snapshot:
        """The last published snapshot."""
        return self._snapshot

    def mark(self, head: str | None, pending_files: int) -> Snapshot:
        """Publish how fresh the index is: the disk's revision and the number of files not indexed yet."""
        before = self._snapshot
        if (before.head, before.pending_files) != (head, pending_files):
            self._publish(replace(before, head=head, pending_files=pending_files))
        return self._snapshot

    def apply(self, changes: Sequence[Change]) -> Snapshot:
        """Apply `changes` (the last one of a path wins) and publish.

        Costs what the changed files cost. Nothing is published when nothing changed; when encoded facts
        are damaged FactsCorrupt is raised and nothing is changed.
        """
        latest = {change.path: change for change in changes}
        entries, same_text = self._new_entries(latest)
        gone = [path for path, change in latest.items() if isinstance(change, Remove) and path in self._places]
        if not entries and not gone:
            return self._snapshot
        before = self._snapshot
        changed = [path for path in entries if path not in same_text]
        added = [path for path in changed if path not in self._places]
        books = _Books(before.totals)
        parts = self._retire([path for path in changed if path in self._places] + gone, books)
        if changed:
            parts.append(Part.whole(self._build([entries[path] for path in changed], books)))
        histogram = self._count_documents(books)
        snapshot = replace(
            before,
            parts=tuple(parts),
            entries=before.entries.updated(entries, gone),
            path_list=before.path_list.changed(added, gone),
            totals=books.totals(histogram),
        )
        self._publish(snapshot)
        if len(parts) > MAX_PARTS:
            self._merge_smallest()
        return self._snapshot

    def plan_compaction(self) -> Compaction | None:
        """The next useful merge, None when there is none. Quick."""
        parts = choose(self._snapshot.parts)
        return Compaction(parts) if parts else None

    def install(self, merged: Merged) -> Snapshot:
        """Publish a merge; files that died while it ran are dead in it, too."""
        current = {part.segment: part for part in self._snapshot.parts}
        dead: list[int] = []
        for source, moved in zip(merged.sources, merged.moved, strict=True):
            now = current.pop(source.segment, None)
            stays = moved >= 0
            if now is None:
                dead += moved[stays].tolist()
            elif now.live is not None:
                dead += moved[stays & ~now.live].tolist()
        parts = [part for part in self._snapshot.parts if part.segment in current]
        if merged.segment is not None:
            part = Part.whole(merged.segment)
            if dead:
                part = part.without(dead)
            if part.live_files:
                parts.insert(0, part)
            for file, path in enumerate(merged.segment.paths):
                if part.live is None or part.live[file]:
                    self._places[path] = _Place(merged.segment, file)
        self._publish(replace(self._snapshot, parts=tuple(parts)))
        return self._snapshot

    def compact(self) -> bool:
        """One whole compaction step; False when there was nothing to do."""
        plan = self.plan_compaction()
        if plan is None:
            return False
        self.install(plan.run())
        return True

    def _publish(self, snapshot: Snapshot) -> None:
        self._snapshot = replace(snapshot, revision=self._snapshot.revision + 1)

    def _merge_smallest(self) -> None:
        smallest = sorted(self._snapshot.parts, key=lambda part: part.segment.weight)[: MAX_PARTS * 3 // 4]
        self.install(merge_parts(smallest))

    def _new_entries(self, latest: dict[str, Change]) -> tuple[dict[str, FileEntry], set[str]]:
        """Entries of all puts that change something, and which of them hold the text already indexed."""
        entries: dict[str, FileEntry] = {}
        same_text: set[str] = set()
        for path, change in latest.items():
            if isinstance(change, Remove):
                continue
            facts = decode_facts(change.facts) if isinstance(change.facts, bytes) else change.facts
            kept: FileFacts | bytes = change.facts
            known = self._snapshot.entries.get(path)
            if known is not None and (known.content_hash, known.language) == (facts.content_hash, facts.language):
                same_text.add(path)
                kept = known.facts if isinstance(known.facts, bytes) else kept
                if (known.flags, known.origin, known.version, known.mtime_ns) == _metadata(change):
                    continue
            entries[path] = FileEntry(
                path=path,
                flags=change.flags,
                origin=change.origin,
                version=change.version,
                mtime_ns=change.mtime_ns,
                content_hash=facts.content_hash,
                language=facts.language,
                size=facts.size,
                facts=kept,
            )
        return entries, same_text

    def _build(self, entries: Iterable[FileEntry], books: _Books) -> Segment:
        builder = SegmentBuilder(self._vocabulary)
        added: list[tuple[FileEntry, FileFacts]] = []
        for entry in entries:
            facts = self._snapshot.cache.facts(entry)
            builder.add(entry.path, facts)
            added.append((entry, facts))
        segment = builder.build()
        for file, ((entry, facts), terms) in enumerate(zip(added, builder.file_terms, strict=True)):
            self._places[entry.path] = _Place(segment, file)
            books.count(entry, facts, terms, 1)
        return segment

    def _retire(self, paths: Sequence[str], books: _Books) -> list[Part]:
        """Mask the old copies of `paths` dead; parts without a live file are dropped."""
        cache, entries = self._snapshot.cache, self._snapshot.entries
        dying: dict[Segment, list[int]] = {}
        for path in paths:
            place = self._places.pop(path)
            dying.setdefault(place.segment, []).append(place.file)
            entry = entries.get(path)
            if entry is None:
                raise AssertionError(f"{path} has a place but no entry")
            facts = cache.facts(entry)
            books.count(entry, facts, term_documents(facts, self._vocabulary), -1)
        parts = [part.without(dying[part.segment]) if part.segment in dying else part for part in self._snapshot.parts]
        return [part for part in parts if part.live_files]

    def _count_documents(self, books: _Books) -> dict[int, int]:
        """Bring the document frequencies up to date; returns the new histogram."""
        histogram = dict(books.histogram)
        if not books.terms:
            return histogram
        needed = len(self._vocabulary)
        if needed > len(self._documents):
            grown = np.zeros(max(needed, 2 * len(self._documents)), dtype=np.int64)
            grown[: len(self._documents)] = self._documents
            self._documents = grown
        numbers = np.concatenate([terms.numbers for terms, _ in books.terms])
        steps = np.concatenate([terms.documents * sign for terms, sign in books.terms])
        unique, inverse = np.unique(numbers, return_inverse=True)
        change = np.zeros(len(unique), dtype=np.int64)
        np.add.at(change, inverse, steps)
        unique, change = unique[change != 0], change[change != 0]
        before = self._documents[unique]
        after = before + change
        self._documents[unique] = after
        for frequencies, sign in ((before, -1), (after, 1)):
            values, counts = np.unique(frequencies[frequencies > 0], return_counts=True)
            for value, count in zip(values.tolist(), counts.tolist(), strict=True):
                left = histogram.get(value, 0) + sign * count
                if left:
                    histogram[value] = left
                else:
                    del histogram[value]
        return histogram


def _metadata(put: Put) -> tuple[PathFlag, Origin, int | None, int]:
    return put.flags, put.origin, put.version, put.mtime_ns


class _Books:
    """Running totals of one `apply`."""

    def __init__(self, totals: Totals) -> None:
        self.histogram = totals.histogram
        self.terms: list[tuple[FileTerms, int]] = []
        self._languages = dict(totals.languages)
        self._symbols = totals.symbols
        self._references = totals.references
        self._chunks = totals.chunks
        self._chunk_length = totals.chunk_length
        self._source_bytes = totals.source_bytes

    def count(self, entry: FileEntry, facts: FileFacts, terms: FileTerms, sign: int) -> None:
        """Add (`sign` 1) or take away (-1) one file."""
        self.terms.append((terms, sign))
        left = self._languages.get(entry.language, 0) + sign
        if left:
            self._languages[entry.language] = left
        else:
            del self._languages[entry.language]
        self._symbols += sign * len(facts.symbols)
        self._references += sign * len(facts.references)
        self._chunks += sign * len(facts.chunks)
        self._chunk_length += sign * sum(facts.chunks.length)
        self._source_bytes += sign * facts.size

    def totals(self, histogram: dict[int, int]) -> Totals:
        """The totals as a value."""
        return Totals(
            symbols=self._symbols,
            references=self._references,
            chunks=self._chunks,
            chunk_length=self._chunk_length,
            source_bytes=self._source_bytes,
            languages=dict(sorted(self._languages.items())),
            histogram=histogram,
        )
