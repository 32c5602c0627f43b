"""Segment: the inverted columns of a set of files, never changed once built.

A changed file's old copy is masked dead in its segment (see `Part`), the new copy arrives in a small
segment of its own, and small segments are merged later (see `compaction`). So one changed file costs
what that file costs, whatever the size of the repository.

Inside a segment files, symbols, references and chunks are numbered through, file after file;
`first_symbol[f]..first_symbol[f + 1] - 1` are the symbols of file f, and so on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from posixpath import basename

import numpy as np
import numpy.typing as npt

from ..model.facts import FileFacts, Import
from .fuzzy import FoldedNames
from .inverted import InvertedLists, Values, invert
from .vocabulary import Vocabulary

Ints = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class ChunkTable:
    """Per chunk: first and last line (1-based, closed), symbol index inside its file, length in terms."""

    start: Ints
    end: Ints
    symbol: Ints
    length: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """The columns of some files. All lists are keyed by vocabulary number.

    `definitions` and `references` hold symbol and reference numbers, `terms` chunk numbers with
    counts, `basenames`, `packages` and `imports` file numbers.
    """

    paths: tuple[str, ...]
    first_symbol: Values
    first_reference: Values
    first_chunk: Values
    chunks: ChunkTable
    definitions: InvertedLists
    references: InvertedLists
    terms: InvertedLists
    basenames: InvertedLists
    packages: InvertedLists
    imports: InvertedLists
    _folded: list[FoldedNames] = field(default_factory=list[FoldedNames], repr=False)

    def folded(self, vocabulary: Vocabulary) -> FoldedNames:
        """The folded definition names; made when first asked."""
        if not self._folded:
            self._folded.append(FoldedNames.of(self.definitions.keys, vocabulary))
        return self._folded[0]

    @property
    def weight(self) -> int:
        """Size for merge decisions: the number of stored values."""
        return len(self.paths) + len(self.references.values) + len(self.terms.values) + len(self.definitions.values)

    @property
    def nbytes(self) -> int:
        """Bytes held by the arrays (paths apart)."""
        table = self.chunks
        plain = (
            self.first_symbol,
            self.first_reference,
            self.first_chunk,
            table.start,
            table.end,
            table.symbol,
            table.length,
        )
        lists = (self.definitions, self.references, self.terms, self.basenames, self.packages, self.imports)
        return sum(column.nbytes for column in plain) + sum(entry.nbytes for entry in lists)


@dataclass(slots=True, eq=False)
class Part:
    """A segment as one snapshot sees it: which of its files are still alive.

    `live` is None while all are. Never changed after publication; `dead_chunks` is computed when
    first asked (twice at worst, when two readers ask at once).
    """

    segment: Segment
    live: npt.NDArray[np.bool_] | None = None
    live_files: int = 0
    _dead_chunks: Values | None = field(default=None, repr=False)

    @classmethod
    def whole(cls, segment: Segment) -> Part:
        """A part in which every file is alive."""
        return cls(segment, None, len(segment.paths))

    def without(self, files: Sequence[int]) -> Part:
        """The same segment with `files` (alive until now, each once) dead."""
        live = np.ones(len(self.segment.paths), dtype=np.bool_) if self.live is None else self.live.copy()
        live[np.asarray(files, dtype=np.intp)] = False
        return Part(self.segment, live, self.live_files - len(files))

    @property
    def dead_chunks(self) -> Values:
        """Numbers of the chunks of dead files, ascending."""
        if self._dead_chunks is None:
            self._dead_chunks = self._find_dead_chunks()
        return self._dead_chunks

    def _find_dead_chunks(self) -> Values:
        if self.live is None:
            return np.empty(0, dtype=np.uint32)
        first = self.segment.first_chunk.astype(np.int64)
        return np.flatnonzero(np.repeat(~self.live, np.diff(first))).astype(np.uint32)

    def live_values(self, values: Values, first: Values) -> tuple[npt.NDArray[np.intp], Values]:
        """File numbers and per-file indices of `values` (numbers counted from `first`), dead files left out."""
        files = np.searchsorted(first, values, side="right") - 1
        if self.live is not None:
            alive = self.live[files]
            files, values = files[alive], values[alive]
        return files, values - first[files]


@dataclass(frozen=True, slots=True, eq=False)
class FileTerms:
    """What one file adds to the document frequencies: term numbers and in how many chunks each occurs."""

    numbers: Ints
    documents: npt.NDArray[np.int64]


def term_documents(facts: FileFacts, vocabulary: Vocabulary) -> FileTerms:
    """The document frequencies of one file alone."""
    numbers = vocabulary.intern(facts.terms)
    documents = np.bincount(np.asarray(facts.term, dtype=np.int32), minlength=len(numbers))
    return FileTerms(numbers, documents)


def import_keys(entry: Import) -> tuple[str, ...]:
    """The words under which an import is listed in `Snapshot.files_importing`.

    The last part of the module specifier (after `/`, `\\`, `::`) without a file ending, the word after
    its last dot, and the imported name; for a specifier without words (`.`, `..`) the specifier itself.
    A superset: resolution verifies.
    """
    module = entry.module.strip("\"'<>`").replace("\\", "/").replace("::", "/")
    last = module.rstrip("/").rpartition("/")[2].strip(".")
    head, _, tail = last.rpartition(".")
    if head and tail.lower() in _FILE_ENDINGS:
        last, tail = head, head.rpartition(".")[2]
    keys = [last or entry.module, tail or entry.module]
    if entry.name and entry.name != "*":
        keys.append(entry.name)
    return tuple(dict.fromkeys(keys))


_FILE_ENDINGS = frozenset(
    """js jsx ts tsx mjs cjs mts cts vue svelte json css h hh hpp hxx inc ipp c cc cpp cxx rb php
    py sh bash""".split()  # noqa: SIM905 - a table of words
)


class SegmentBuilder:
    """Collects files and builds one segment; the vocabulary grows by what is new in them."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._paths: list[str] = []
        self._symbol_counts: list[int] = []
        self._reference_counts: list[int] = []
        self._chunk_counts: list[int] = []
        self._chunk_columns: list[Ints] = []
        self._definition_keys: list[Ints] = []
        self._reference_keys: list[Ints] = []
        self._term_keys: list[Ints] = []
        self._term_chunks: list[Ints] = []
        self._term_counts: list[Ints] = []
        self._file_lists: tuple[list[Ints], list[Ints], list[Ints]] = ([], [], [])
        self._chunk_total = 0
        self.file_terms: list[FileTerms] = []

    def add(self, path: str, facts: FileFacts) -> int:
        """Add one file; returns its number in the segment to be."""
        intern = self._vocabulary.intern
        names = intern(facts.names)
        # An unnamed definition or use is listed nowhere; -1 drops it when the lists are built.
        names[0] = -1
        chunks = facts.chunks
        terms = term_documents(facts, self._vocabulary)
        self._definition_keys.append(names[np.asarray(facts.symbols.name)])
        self._reference_keys.append(names[np.asarray(facts.references.name)])
        self._term_keys.append(terms.numbers[np.asarray(facts.term)])
        per_chunk = np.diff(np.asarray(chunks.first, dtype=np.int32))
        self._term_chunks.append(
            np.repeat(np.arange(self._chunk_total, self._chunk_total + len(chunks), dtype=np.int32), per_chunk)
        )
        self._term_counts.append(np.asarray(facts.term_count, dtype=np.int32))
        self._chunk_columns.append(np.array([chunks.start, chunks.end, chunks.symbol, chunks.length], dtype=np.int32))
        words = list(dict.fromkeys(key for entry in facts.imports for key in import_keys(entry)))
        packages = [facts.package] if facts.package else []
        for lists, keys in zip(self._file_lists, ([basename(path)], packages, words), strict=True):
            lists.append(intern(keys))
        self._symbol_counts.append(len(facts.symbols))
        self._reference_counts.append(len(facts.references))
        self._chunk_counts.append(len(chunks))
        self._chunk_total += len(chunks)
        self._paths.append(path)
        self.file_terms.append(terms)
        return len(self._paths) - 1

    def build(self) -> Segment:
        """The segment of all files added."""
        chunk_rows = np.concatenate(self._chunk_columns, axis=1)
        terms = invert(
            np.concatenate(self._term_keys),
            np.concatenate(self._term_chunks).astype(np.uint32),
            np.concatenate(self._term_counts),
        )
        basenames, packages, imports = (_file_list(lists) for lists in self._file_lists)
        return Segment(
            paths=tuple(self._paths),
            first_symbol=firsts(self._symbol_counts),
            first_reference=firsts(self._reference_counts),
            first_chunk=firsts(self._chunk_counts),
            chunks=ChunkTable(*(np.ascontiguousarray(row) for row in chunk_rows)),
            definitions=_named_list(self._definition_keys),
            references=_named_list(self._reference_keys),
            terms=terms,
            basenames=basenames,
            packages=packages,
            imports=imports,
        )


def firsts(counts: Sequence[int] | npt.NDArray[np.integer]) -> Values:
    """Running starts of `counts`, one entry more than counts."""
    starts = np.zeros(len(counts) + 1, dtype=np.uint32)
    np.cumsum(counts, out=starts[1:])
    return starts


def _named_list(per_file: list[Ints]) -> InvertedLists:
    keys = np.concatenate(per_file)
    numbers = np.flatnonzero(keys >= 0).astype(np.uint32)
    return invert(keys[numbers], numbers)


def _file_list(per_file: list[Ints]) -> InvertedLists:
    lengths = [len(keys) for keys in per_file]
    return invert(np.concatenate(per_file), np.repeat(np.arange(len(per_file), dtype=np.uint32), lengths))
