"""Snapshot: the whole index at one moment. Immutable; take it once per request and never lock.

Every answer is the one a freshly built index over the same files would give: order never depends on
how the files came to lie in segments.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ..model.facts import ReferenceKind, Symbol
from ..model.lines import LineRange
from .base_names import BaseNames
from .bm25 import Corpus, PostingsBM25
from .entry import FactsCache, FileEntry, PathFlag
from .frequencies import Frequencies
from .fuzzy import NameMatch, fold, holds_letters
from .glob import glob_pattern
from .inverted import InvertedLists
from .path_list import PathList
from .path_map import PathMap
from .results import ChunkHit, FileView, NamePairs, ReferenceSite, SymbolId, SymbolMatch, Totals
from .segment import Part, Segment
from .vocabulary import Vocabulary

__all__ = [
    "ChunkHit",
    "FileView",
    "NamePairs",
    "ReferenceSite",
    "Snapshot",
    "SymbolId",
    "SymbolMatch",
    "Totals",
]


@dataclass(frozen=True, eq=False)
class Snapshot:
    """All files' facts as of `revision`.

    `head` is the version control revision the disk files belong to, `pending_files` how many known
    files are not indexed yet (0: complete).
    """

    revision: int
    head: str | None
    pending_files: int
    parts: tuple[Part, ...]
    vocabulary: Vocabulary
    entries: PathMap[FileEntry]
    path_list: PathList
    totals: Totals
    frequencies: Frequencies
    cache: FactsCache

    # Files

    def paths(self) -> Sequence[str]:
        """All paths, sorted."""
        return self.path_list.paths(self.entries)

    def has(self, path: str) -> bool:
        """True when `path` is indexed."""
        return self.entries.get(path) is not None

    def file(self, path: str) -> FileView | None:
        """The file at `path`, None when it is not indexed."""
        entry = self.entries.get(path)
        if entry is None:
            return None
        return FileView(  # by place: thousands are made in a request
            path,
            entry.flags,
            entry.origin,
            entry.version,
            entry.mtime_ns,
            entry.content_hash,
            entry.language,
            entry,
            self.cache,
        )

    def flags(self, path: str) -> PathFlag:
        """The path's flags, NONE when it is not indexed. Cheap."""
        entry = self.entries.get(path)
        return PathFlag(0) if entry is None else entry.flags

    def language(self, path: str) -> str:
        """The registry id of the file's language, "" when it has none or is not indexed. Cheap."""
        entry = self.entries.get(path)
        return "" if entry is None else entry.language

    def paths_named(self, basename: str) -> Sequence[str]:
        """Paths whose last part is `basename`, sorted."""
        return self._files_listed(basename, lambda segment: segment.basenames)

    def base_names(self) -> BaseNames:
        """What the files are called, to search by a part of the name."""
        return self.path_list.names(self.entries)

    def paths_under(self, folder: str) -> Sequence[str]:
        """Paths below `folder` at any depth ("" is everything), sorted."""
        return self.path_list.under(self.entries, folder)

    def files_matching(self, pattern: str) -> Sequence[str]:
        """Paths that match a glob: `*` inside a part, `**` across parts, without `/` the base name. Sorted."""
        match = glob_pattern(pattern).fullmatch
        return [path for path in self.paths() if match(path)]

    def files_in_package(self, package: str) -> Sequence[str]:
        """Paths of the files that declare exactly this package or namespace, sorted."""
        return self._files_listed(package, lambda segment: segment.packages)

    def files_importing(self, word: str) -> Sequence[str]:
        """Paths with an import listed under `word` (see `import_keys`), sorted. Verify by resolution."""
        return self._files_listed(word, lambda segment: segment.imports)

    def languages(self) -> Mapping[str, int]:
        """Number of files a language id."""
        return self.totals.languages

    # Names

    @property
    def symbol_count(self) -> int:
        """Number of definitions."""
        return self.totals.symbols

    def symbol(self, id: SymbolId) -> Symbol:
        """The definition as a row; KeyError when its file is not indexed, IndexError when it has no such row."""
        entry = self.entries.get(id.path)
        if entry is None:
            raise KeyError(id.path)
        return self.cache.facts(entry).symbol(id.index)

    def definitions(self, name: str) -> Sequence[SymbolId]:
        """Definitions of exactly `name`, by path and position."""
        number = self.vocabulary.number(name)
        if number is None:
            return ()
        found = self._located(number, lambda segment: (segment.definitions, segment.first_symbol))
        return [SymbolId(path, index) for path, index in sorted(found)]

    def definition_count(self, name: str) -> int:
        """Number of definitions of `name`. Ask this first: a name may be defined thousands of times."""
        return self._count(name, lambda segment: (segment.definitions, segment.first_symbol))

    def reference_count(self, name: str) -> int:
        """Number of uses of `name`."""
        return self._count(name, lambda segment: (segment.references, segment.first_reference))

    def files_using_count(self, name: str) -> int:
        """Number of files that use `name`."""
        number = self.vocabulary.number(name)
        if number is None:
            return 0
        return sum(len(files) for _, files in self._users(number))

    def definitions_folded(self, name: str) -> Sequence[SymbolId]:
        """Definitions whose name equals `name` without regard to case, by path and position."""
        wanted = fold(name)
        numbers = {number for part in self.parts for number in part.segment.folded(self.vocabulary).equal(wanted)}
        found = [each for number in numbers for each in self.definitions(self.vocabulary.string(number))]
        found.sort()
        return found

    def fuzzy_symbols(self, query: str, limit: int) -> list[SymbolMatch]:
        """At most `limit` definitions whose name holds the letters of `query` in order, best first.

        Unbroken prefixes first, then unbroken anywhere, then by how far the letters are spread; shorter
        names before longer; then by name, path, position. An empty query matches nothing.
        """
        if not query or limit <= 0:
            return []
        size = limit
        while True:
            matches, complete_to = self._matching_names(query, size)
            taken: list[SymbolMatch] = []
            for match in matches:
                if complete_to is not None and match.rank > complete_to:
                    break
                taken += [SymbolMatch(each, match.name, match.rank) for each in self.definitions(match.name)]
                if len(taken) >= limit:
                    return taken[:limit]
            if complete_to is None:
                return taken
            # Too many of the best names have no live definition left: look further down.
            size *= 4

    def references(self, name: str) -> Sequence[ReferenceSite]:
        """All uses of `name`, by path and position."""
        number = self.vocabulary.number(name)
        if number is None:
            return ()
        found = self._located(number, lambda segment: (segment.references, segment.first_reference))
        return [ReferenceSite(path, index) for path, index in sorted(found)]

    def references_of_kind(self, name: str, kind: ReferenceKind, limit: int) -> Sequence[ReferenceSite]:
        """At most `limit` uses of `name` of one kind, by path and position. Reads no facts."""
        number = self.vocabulary.number(name)
        found: list[tuple[str, int]] = []
        for part in self.parts if number is not None else ():
            segment = part.segment
            values = segment.references.get(number or 0)
            values = values[segment.reference_kinds[values] == kind]
            if len(values):
                files, indices = part.live_values(values, segment.first_reference)
                paths = segment.paths
                found += [(paths[file], index) for file, index in zip(files.tolist(), indices.tolist(), strict=True)]
        found.sort()
        return [ReferenceSite(path, index) for path, index in found[:limit]]

    def files_renaming(self, name: str) -> Sequence[str]:
        """Paths of the files in which an import gives `name` another name, sorted."""
        return self._files_listed(name, lambda segment: segment.renamed)

    def files_using(self, name: str) -> Sequence[str]:
        """Paths of the files that use `name`, sorted."""
        number = self.vocabulary.number(name)
        if number is None:
            return ()
        found: list[str] = []
        for part, files in self._users(number):
            found += [part.segment.paths[file] for file in files.tolist()]
        found.sort()
        return found

    # Search

    def search(
        self,
        query_terms: Sequence[str] | Mapping[str, float],
        limit: int,
        where: Callable[[str], bool] | None = None,
    ) -> list[ChunkHit]:
        """The `limit` best chunks that hold a query term, by score (highest first), path, start line.

        BM25 with the numbers of `rank_bm25.BM25Okapi`; a term given twice counts twice, a mapping gives
        each term its weight. `where` keeps only chunks of the paths it accepts.
        """
        if limit <= 0 or not self.totals.chunks:
            return []
        weights = query_terms if isinstance(query_terms, Mapping) else Counter(query_terms)
        wanted = limit
        while True:
            scored = self.bm25.top(weights, wanted)
            hits = self._hits(scored.chunks, scored.scores, where)
            if where is None or len(hits) >= limit or len(scored.chunks) < wanted:
                return hits[:limit]
            wanted = 4 * max(wanted, len(scored.chunks))

    @cached_property
    def bm25(self) -> PostingsBM25:
        """The scorer over this snapshot's live chunks."""
        totals = self.totals
        corpus = Corpus(self.parts, self.vocabulary, self.frequencies, totals.chunks, totals.chunk_length)
        return PostingsBM25(corpus)

    def chunk_frequency(self, term: str) -> int:
        """Number of chunks that hold `term`."""
        number = self.vocabulary.number(term)
        return 0 if number is None else self.frequencies.of(number)

    def chunk_terms(self, path: str) -> Sequence[Mapping[str, int]]:
        """The search terms of each chunk of a file with their counts; none when it is not indexed."""
        entry = self.entries.get(path)
        if entry is None:
            return ()
        facts = self.cache.whole(entry)
        terms, term, count, first = facts.terms, facts.term, facts.term_count, facts.chunks.first
        return [
            {terms[term[row]]: count[row] for row in range(first[chunk], first[chunk + 1])}
            for chunk in range(len(facts.chunks))
        ]

    # Whole columns, for graphs

    def file_table(self) -> Sequence[str]:
        """Paths by file place, as `definition_pairs` and `reference_pairs` number them ("" for dead places)."""
        table: list[str] = []
        for part in self.parts:
            if part.live is None:
                table += part.segment.paths
            else:
                table += [
                    path if alive else "" for path, alive in zip(part.segment.paths, part.live.tolist(), strict=True)
                ]
        return table

    def definition_pairs(self) -> NamePairs:
        """(name, file) of every definition."""
        return self._pairs(lambda segment: (segment.definitions, segment.first_symbol))

    def reference_pairs(self) -> NamePairs:
        """(name, file) of every use."""
        return self._pairs(lambda segment: (segment.references, segment.first_reference))

    # Inside

    def _located(
        self, number: int, pick: Callable[[Segment], tuple[InvertedLists, npt.NDArray[np.uint32]]]
    ) -> Iterator[tuple[str, int]]:
        for part in self.parts:
            lists, first = pick(part.segment)
            values = lists.get(number)
            if len(values):
                files, indices = part.live_values(values, first)
                paths = part.segment.paths
                for file, index in zip(files.tolist(), indices.tolist(), strict=True):
                    yield paths[file], index

    def _count(self, name: str, pick: Callable[[Segment], tuple[InvertedLists, npt.NDArray[np.uint32]]]) -> int:
        number = self.vocabulary.number(name)
        count = 0
        for part in self.parts if number is not None else ():
            lists, first = pick(part.segment)
            values = lists.get(number or 0)
            count += len(values) if part.live is None else len(part.live_values(values, first)[0])
        return count

    def _users(self, number: int) -> Iterator[tuple[Part, npt.NDArray[np.intp]]]:
        """Numbers of the live files that use a name, part by part."""
        for part in self.parts:
            values = part.segment.references.get(number)
            if len(values):
                files, _ = part.live_values(values, part.segment.first_reference)
                # Files ascend, so that each one's first place tells; `np.unique` would load masked arrays for this.
                first = np.ones(len(files), dtype=np.bool_)
                np.not_equal(files[1:], files[:-1], out=first[1:])
                yield part, files[first]

    def _files_listed(self, word: str, pick: Callable[[Segment], InvertedLists]) -> Sequence[str]:
        number = self.vocabulary.number(word)
        if number is None:
            return ()
        found: list[str] = []
        for part in self.parts:
            files = pick(part.segment).get(number)
            if len(files):
                alive = files if part.live is None else files[part.live[files]]
                found += [part.segment.paths[file] for file in alive.tolist()]
        found.sort()
        return found

    def _pairs(self, pick: Callable[[Segment], tuple[InvertedLists, npt.NDArray[np.uint32]]]) -> NamePairs:
        names: list[npt.NDArray[np.int32]] = [np.empty(0, dtype=np.int32)]
        files: list[npt.NDArray[np.int64]] = [np.empty(0, dtype=np.int64)]
        base = 0
        for part in self.parts:
            lists, first = pick(part.segment)
            owner = np.searchsorted(first, lists.values, side="right") - 1
            keys = np.repeat(lists.keys, lists.lengths)
            if part.live is not None:
                alive = part.live[owner]
                owner, keys = owner[alive], keys[alive]
            names.append(keys)
            files.append(owner + base)
            base += len(part.segment.paths)
        return NamePairs(np.concatenate(names), np.concatenate(files))

    def _matching_names(self, query: str, size: int) -> tuple[list[NameMatch], tuple[int, int, int] | None]:
        """The best `size` names of every part, best first; complete down to the given rank (None: all there are)."""
        wanted = fold(query)
        # Inside letters of several bytes a byte match may be no letter match: verify those, uncut.
        by_bytes = wanted.isascii()
        ask = size if by_bytes else len(self.vocabulary) + 1
        found: dict[str, NameMatch] = {}
        complete_to: tuple[int, int, int] | None = None
        for part in self.parts:
            names = part.segment.folded(self.vocabulary).matches(wanted, ask, self.vocabulary)
            if len(names) >= ask:
                worst = max(match.rank for match in names)
                complete_to = worst if complete_to is None else min(complete_to, worst)
            found.update((match.name, match) for match in names)
        letters = query.casefold()
        matches = [match for match in found.values() if by_bytes or holds_letters(match.name.casefold(), letters)]
        return sorted(matches, key=lambda match: (match.rank, match.name)), complete_to

    def _hits(
        self, chunks: npt.NDArray[np.int64], scores: npt.NDArray[np.float64], where: Callable[[str], bool] | None
    ) -> list[ChunkHit]:
        hits: list[ChunkHit] = []
        bases = self.bm25.bases
        places = np.searchsorted(bases, chunks, side="right") - 1
        accepted: dict[str, bool] = {}
        for place, part in enumerate(self.parts):
            picked = places == place
            if not picked.any():
                continue
            rows = _chunk_rows(part.segment, chunks[picked] - int(bases[place]))
            for (file, chunk, start, end, symbol), score in zip(rows, scores[picked].tolist(), strict=True):
                path = part.segment.paths[file]
                if where is not None:
                    if path not in accepted:
                        accepted[path] = where(path)
                    if not accepted[path]:
                        continue
                hits.append(ChunkHit(path, chunk, LineRange(start, end), symbol, score))
        hits.sort(key=lambda hit: (-hit.score, hit.path, hit.range.start, hit.chunk))
        return hits


def _chunk_rows(segment: Segment, chunks: npt.NDArray[np.int64]) -> Iterator[tuple[int, int, int, int, int]]:
    """File number, chunk row in its file, first line, last line and symbol row of chunks of one segment."""
    files: npt.NDArray[np.intp] = np.searchsorted(segment.first_chunk, chunks, side="right") - 1
    table = segment.chunks
    return zip(
        files.tolist(),
        (chunks - segment.first_chunk[files].astype(np.int64)).tolist(),
        table.start[chunks].tolist(),
        table.end[chunks].tolist(),
        table.symbol[chunks].tolist(),
        strict=True,
    )
