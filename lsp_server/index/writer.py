"""IndexWriter: the single writer. Applies changes and publishes whole new snapshots.

Not thread-safe: one owner calls it. The snapshots it returns are for everybody.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from ..model.candidate import Origin
from ..model.facts import FileFacts
from ..model.source import Checkpoint, no_checkpoint
from ..model.values import Record, Value
from .compaction import Merged, choose, merge_parts
from .encoding import decode_packed
from .entry import CACHED_FILES, FactsCache, FileEntry, PathFlag
from .frequencies import Frequencies
from .image import IndexImage
from .packed import PackedFacts, pack_facts
from .path_list import PathList
from .path_map import PathMap
from .segment import Part, Segment, build_segment
from .snapshot import Snapshot, Totals
from .vocabulary import Vocabulary

MAX_PARTS = 48
"""With more parts than this, `apply` merges the smallest itself, so that queries stay quick without `compact`."""

_WHOLESALE = 20
"""When at least one in so many files of a segment dies, going through its postings beats decoding the files."""

MIN_VOCABULARY_CHECK = 100_000
"""Strings below which the vocabulary is not looked through for unused ones."""


class Put(Value):
    """A file is new or changed. `facts` may be given encoded, as workers and the store deliver them.

    Encoded facts are trusted (checked where they come in); they raise FactsCorrupt when damaged.
    """

    path: str
    facts: FileFacts | bytes
    flags: PathFlag = PathFlag.NONE
    origin: Origin = Origin.DISK
    version: int | None = None
    mtime_ns: int = 0


class Remove(Value):
    """A file is gone. Removing an unknown path changes nothing."""

    path: str


Change = Put | Remove


class Compaction(Record):
    """Parts chosen for a merge. `run` is pure and may take long: call it on any thread, then `install`."""

    parts: tuple[Part, ...]

    def run(self, checkpoint: Checkpoint = no_checkpoint) -> Merged:
        """The merged segment. What the checkpoint raises ends it."""
        return merge_parts(self.parts, checkpoint)


@dataclass(slots=True)
class _Place:
    """Where a file's columns lie: the segment and the file's number in it."""

    segment: Segment
    file: int


class IndexWriter:
    """Owns the index's mutable books; everything published is immutable."""

    def __init__(self, cache_capacity: int = CACHED_FILES) -> None:
        self._vocabulary = Vocabulary()
        self._places: dict[str, _Place] = {}
        self._vocabulary_check = MIN_VOCABULARY_CHECK
        self._unencoded: dict[str, PackedFacts] = {}
        self._snapshot = Snapshot(
            revision=0,
            head=None,
            pending_files=0,
            parts=(),
            vocabulary=self._vocabulary,
            entries=PathMap[FileEntry](),
            path_list=PathList(()),
            totals=Totals(),
            frequencies=Frequencies(),
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
        entries, changed = self._new_entries(latest)
        gone = [path for path, change in latest.items() if isinstance(change, Remove) and path in self._places]
        if not entries and not gone:
            return self._snapshot
        before = self._snapshot
        added = [path for path in changed if path not in self._places]
        books = _Books(before.totals)
        parts = self._retire([path for path in changed if path in self._places] + gone, books)
        if changed:
            parts.append(self._admit(changed, entries, books))
        snapshot = replace(
            before,
            parts=tuple(parts),
            entries=before.entries.updated(entries, gone),
            path_list=before.path_list.changed(added, gone),
            totals=books.totals(),
            frequencies=books.frequencies(before.frequencies),
        )
        self._publish(snapshot)
        if len(parts) > MAX_PARTS:
            self._merge_smallest()
        return self._snapshot

    def adopt(self, image: IndexImage) -> Snapshot:
        """Begin with a whole image, in an index that holds nothing yet. Its files count as pending until `mark`."""
        if self._snapshot.parts:
            raise AssertionError("an image is adopted before anything else")
        return self._begin(image, len(image.segment.paths))

    def exchange(self, image: IndexImage) -> Snapshot:
        """Go on with the image of exactly what is indexed now, which takes less memory than what it was made of."""
        return self._begin(image, self._snapshot.pending_files)

    def _begin(self, image: IndexImage, pending_files: int) -> Snapshot:
        segment = image.segment
        self._vocabulary = image.vocabulary
        self._vocabulary_check = max(MIN_VOCABULARY_CHECK, 2 * len(image.vocabulary))
        self._places = {path: _Place(segment, file) for file, path in enumerate(segment.paths)}
        self._unencoded.clear()
        snapshot = replace(
            self._snapshot,
            pending_files=pending_files,
            parts=(Part.whole(segment),),
            vocabulary=image.vocabulary,
            entries=PathMap[FileEntry]().updated({entry.path: entry for entry in image.entries}, ()),
            path_list=PathList(),
            totals=image.totals,
            frequencies=Frequencies.of_table(image.documents),
        )
        self._publish(snapshot)
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
            return self.forget_unused_strings()
        self.install(plan.run())
        return True

    def forget_unused_strings(self) -> bool:
        """Renumber the vocabulary when more than half of it is in no segment; False when that is not worth it.

        Names that were only typed on the way to others would else stay for ever. Looked into each time
        the vocabulary has doubled.
        """
        size = len(self._vocabulary)
        if size < self._vocabulary_check:
            return False
        used = np.zeros(size, dtype=np.bool_)
        for part in self._snapshot.parts:
            for lists in part.segment.lists():
                used[lists.keys] = True
        count = int(used.sum())
        self._vocabulary_check = max(MIN_VOCABULARY_CHECK, 2 * count)
        if 2 * count > size:
            return False
        self._renumber(used)
        return True

    def _renumber(self, used: npt.NDArray[np.bool_]) -> None:
        before = self._snapshot
        target = (np.cumsum(used) - 1).astype(np.int32)
        moved = {part.segment: part.segment.renumbered(target) for part in before.parts}
        self._vocabulary = before.vocabulary.kept(used)
        for place in self._places.values():
            place.segment = moved[place.segment]
        parts = tuple(Part(moved[part.segment], part.live, part.live_files) for part in before.parts)
        frequencies = before.frequencies.renumbered(used)
        self._publish(replace(before, parts=parts, vocabulary=self._vocabulary, frequencies=frequencies))

    def _publish(self, snapshot: Snapshot) -> None:
        self._snapshot = replace(snapshot, revision=self._snapshot.revision + 1)

    def _merge_smallest(self) -> None:
        smallest = sorted(self._snapshot.parts, key=lambda part: part.segment.weight)[: MAX_PARTS * 3 // 4]
        self.install(merge_parts(smallest))

    def _new_entries(self, latest: Mapping[str, Change]) -> tuple[dict[str, FileEntry], dict[str, PackedFacts]]:
        """Entries of all puts that change something, and the facts of those whose text is not indexed yet."""
        entries: dict[str, FileEntry] = {}
        changed: dict[str, PackedFacts] = {}
        for path, change in latest.items():
            if isinstance(change, Remove):
                continue
            kept = change.facts
            packed = decode_packed(kept) if isinstance(kept, bytes) else pack_facts(kept)
            known = self._snapshot.entries.get(path)
            if known is not None and known.holds(packed):
                kept = kept if isinstance(known.facts, FileFacts) else known.facts
                if (known.flags, known.origin, known.version, known.mtime_ns) == _metadata(change):
                    continue
            else:
                changed[path] = packed
            entries[path] = FileEntry(
                path=path,
                flags=change.flags,
                origin=change.origin,
                version=change.version,
                mtime_ns=change.mtime_ns,
                content_hash=packed.content_hash,
                language=packed.language,
                size=packed.size,
                facts=kept,
            )
        return entries, changed

    def _admit(self, changed: Mapping[str, PackedFacts], entries: Mapping[str, FileEntry], books: _Books) -> Part:
        """A new segment of the changed files."""
        segment = build_segment(list(changed.items()), self._vocabulary)
        for file, (path, packed) in enumerate(changed.items()):
            self._places[path] = _Place(segment, file)
            books.enter(packed)
            if isinstance(entries[path].facts, FileFacts):
                self._unencoded[path] = packed
        books.grow(segment)
        books.documents.append((segment.terms.keys, segment.terms.lengths))
        return Part.whole(segment)

    def _retire(self, paths: Sequence[str], books: _Books) -> list[Part]:
        """Mask the old copies of `paths` dead; parts without a live file are dropped."""
        dying: dict[Segment, list[int]] = {}
        for path in paths:
            place = self._places.pop(path)
            dying.setdefault(place.segment, []).append(place.file)
            books.leave(self._entry(path))
        for segment, files in dying.items():
            books.shrink(segment, np.array(files, dtype=np.int64))
            if len(files) * _WHOLESALE >= len(segment.paths):
                books.documents.append(segment.documents_of(files))
            else:
                books.documents += [self._documents_of(segment.paths[file]) for file in files]
        for path in paths:
            self._unencoded.pop(path, None)
        parts = [part.without(dying[part.segment]) if part.segment in dying else part for part in self._snapshot.parts]
        return [part for part in parts if part.live_files]

    def _documents_of(self, path: str) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
        """Terms of one indexed file with the negative number of its chunks that hold each."""
        encoded = self._entry(path).encoded
        packed = self._unencoded[path] if encoded is None else decode_packed(encoded)
        numbers = self._vocabulary.intern(packed.terms)
        return numbers, -np.bincount(packed.postings[0], minlength=len(numbers))

    def _entry(self, path: str) -> FileEntry:
        entry = self._snapshot.entries.get(path)
        if entry is None:
            raise AssertionError(f"{path} has columns but no entry")
        return entry


def _metadata(put: Put) -> tuple[PathFlag, Origin, int | None, int]:
    return put.flags, put.origin, put.version, put.mtime_ns


class _Books:
    """Running totals of one `apply`."""

    def __init__(self, totals: Totals) -> None:
        self.documents: list[tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]] = []
        self._languages = dict(totals.languages)
        self._symbols = totals.symbols
        self._references = totals.references
        self._chunks = totals.chunks
        self._chunk_length = totals.chunk_length
        self._source_bytes = totals.source_bytes

    def enter(self, packed: PackedFacts) -> None:
        """Count a file that is new; its document frequencies apart."""
        self._languages[packed.language] = self._languages.get(packed.language, 0) + 1
        self._source_bytes += packed.size

    def leave(self, entry: FileEntry) -> None:
        """Count a file that goes."""
        self._source_bytes -= entry.size
        self._languages[entry.language] -= 1
        if not self._languages[entry.language]:
            del self._languages[entry.language]

    def grow(self, segment: Segment) -> None:
        """Count the columns of a new segment."""
        self._symbols += int(segment.first_symbol[-1])
        self._references += int(segment.first_reference[-1])
        self._chunks += int(segment.first_chunk[-1])
        self._chunk_length += int(segment.chunks.length.sum())

    def shrink(self, segment: Segment, files: npt.NDArray[np.int64]) -> None:
        """Take away the columns of some files of a segment."""

        def sizes(first: npt.NDArray[np.uint32]) -> npt.NDArray[np.int64]:
            return first[files + 1].astype(np.int64) - first[files]

        self._symbols -= int(sizes(segment.first_symbol).sum())
        self._references -= int(sizes(segment.first_reference).sum())
        self._chunks -= int(sizes(segment.first_chunk).sum())
        self._chunk_length -= int(segment.chunks.length[segment.chunks_of(files)].sum())

    def totals(self) -> Totals:
        """The totals as a value."""
        return Totals(
            symbols=self._symbols,
            references=self._references,
            chunks=self._chunks,
            chunk_length=self._chunk_length,
            source_bytes=self._source_bytes,
            languages=dict(sorted(self._languages.items())),
        )

    def frequencies(self, before: Frequencies) -> Frequencies:
        """The document frequencies after all that was counted."""
        if not self.documents:
            return before
        numbers = np.concatenate([numbers for numbers, _ in self.documents])
        return before.changed(numbers, np.concatenate([steps for _, steps in self.documents]))
