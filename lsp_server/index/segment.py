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
from functools import lru_cache
from posixpath import basename

import numpy as np
import numpy.typing as npt

from ..model.values import Record, replace
from .fuzzy import FoldedNames
from .inverted import InvertedLists, Values, invert
from .packed import PackedFacts
from .vocabulary import Vocabulary

Ints = npt.NDArray[np.int32]


class ChunkTable(Record):
    """Per chunk: first and last line (1-based, closed), symbol index inside its file, length in terms."""

    start: Ints
    end: Ints
    symbol: Ints
    length: Ints


class Segment(Record):
    """The columns of some files. All lists are keyed by vocabulary number.

    `definitions` and `references` hold symbol and reference numbers, `terms` chunk numbers with
    counts, `basenames`, `packages`, `imports` and `renamed` (names that an import gives another name) file
    numbers. `reference_kinds` says by number what kind of use it is.
    """

    paths: tuple[str, ...]
    first_symbol: Values
    first_reference: Values
    first_chunk: Values
    chunks: ChunkTable
    reference_kinds: npt.NDArray[np.uint8]
    definitions: InvertedLists
    references: InvertedLists
    terms: InvertedLists
    basenames: InvertedLists
    packages: InvertedLists
    imports: InvertedLists
    renamed: InvertedLists
    _folded: list[FoldedNames] = field(default_factory=list[FoldedNames], repr=False)

    def folded(self, vocabulary: Vocabulary) -> FoldedNames:
        """The folded definition names; made when first asked."""
        if not self._folded:
            self._folded.append(FoldedNames.of(self.definitions.keys, vocabulary))
        return self._folded[0]

    def chunks_of(self, files: npt.NDArray[np.int64]) -> Values:
        """Numbers of the chunks of `files`, file after file."""
        lengths = self.first_chunk[files + 1] - self.first_chunk[files]
        starts = np.repeat(self.first_chunk[files] - firsts(lengths)[:-1], lengths)
        return starts + np.arange(len(starts), dtype=np.uint32)

    def documents_of(self, files: Sequence[int]) -> tuple[Ints, npt.NDArray[np.int64]]:
        """Terms of `files` with the negative number of their chunks that hold each. Goes through all postings."""
        chosen = np.zeros(len(self.chunks.length), dtype=np.bool_)
        chosen[self.chunks_of(np.array(files, dtype=np.int64))] = True
        before = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(chosen[self.terms.values])))
        documents = np.diff(before[self.terms.starts])
        held = documents > 0
        return self.terms.keys[held], -documents[held]

    def lists(self) -> tuple[InvertedLists, ...]:
        """All lists keyed by vocabulary number."""
        files = self.basenames, self.packages, self.imports, self.renamed
        return self.definitions, self.references, self.terms, *files

    def renumbered(self, target: Ints) -> Segment:
        """The same segment over a vocabulary in which number n has become `target[n]`, in the same order."""

        def moved(lists: InvertedLists) -> InvertedLists:
            return InvertedLists(target[lists.keys], lists.starts, lists.values, lists.counts)

        return replace(
            self,
            definitions=moved(self.definitions),
            references=moved(self.references),
            terms=moved(self.terms),
            basenames=moved(self.basenames),
            packages=moved(self.packages),
            imports=moved(self.imports),
            renamed=moved(self.renamed),
            _folded=[],
        )

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
            self.reference_kinds,
        )
        return sum(column.nbytes for column in plain) + sum(entry.nbytes for entry in self.lists())


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
        return self.segment.chunks_of(np.flatnonzero(~self.live))

    def live_values(self, values: Values, first: Values) -> tuple[npt.NDArray[np.intp], Values]:
        """File numbers and per-file indices of `values` (numbers counted from `first`), dead files left out."""
        files = np.searchsorted(first, values, side="right") - 1
        if self.live is not None:
            alive = self.live[files]
            files, values = files[alive], values[alive]
        return files, values - first[files]


@lru_cache(maxsize=4096)
def import_keys(specifier: str, name: str) -> tuple[str, ...]:
    """The words under which an import of `name` from `specifier` is listed in `Snapshot.files_importing`.

    The last part of the module specifier (after `/`, `\\`, `::`) without a file ending, the word after
    its last dot, and the imported name; for a specifier without words (`.`, `..`) the specifier itself.
    A superset: resolution verifies.
    """
    module = specifier.strip("\"'<>`").replace("\\", "/").replace("::", "/")
    last = module.rstrip("/").rpartition("/")[2].strip(".")
    head, _, tail = last.rpartition(".")
    if head and tail.lower() in _FILE_ENDINGS:
        last, tail = head, head.rpartition(".")[2]
    keys = [last or specifier, tail or specifier]
    if name and name != "*":
        keys.append(name)
    return tuple(dict.fromkeys(keys))


_FILE_ENDINGS = frozenset(
    """js jsx ts tsx mjs cjs mts cts vue svelte json css h hh hpp hxx inc ipp c cc cpp cxx rb php
    py sh bash""".split()  # noqa: SIM905 - a table of words
)


def build_segment(files: Sequence[tuple[str, PackedFacts]], vocabulary: Vocabulary) -> Segment:
    """The segment of `files` (path, facts), in their order; the vocabulary grows by what is new in them."""
    packed = [facts for _, facts in files]
    strings: list[str] = []
    for facts in packed:
        strings += facts.names_and_terms
    numbers = vocabulary.intern(strings)
    bases = firsts([facts.counts.names + facts.counts.terms for facts in packed])[:-1]
    # Name 0 is "": an unnamed definition or use is listed nowhere.
    numbers[bases[[facts.counts.names > 0 for facts in packed]]] = _UNNAMED
    chunks = [facts.chunk_rows for facts in packed]
    postings = [facts.postings for facts in packed]
    per_chunk = np.concatenate([rows.postings for rows in chunks])
    term_bases = bases + np.array([facts.counts.names for facts in packed], dtype=np.uint32)
    return Segment(
        paths=tuple(path for path, _ in files),
        first_symbol=firsts([facts.counts.symbols for facts in packed]),
        first_reference=firsts([facts.counts.references for facts in packed]),
        first_chunk=firsts([facts.counts.chunks for facts in packed]),
        chunks=ChunkTable(
            start=np.concatenate([rows.start for rows in chunks]),
            end=np.concatenate([rows.end for rows in chunks]),
            symbol=np.concatenate([rows.symbol for rows in chunks]),
            length=np.concatenate([rows.length for rows in chunks]),
        ),
        reference_kinds=np.concatenate([facts.reference_kinds for facts in packed]).astype(np.uint8),
        definitions=_named_list([facts.symbol_names for facts in packed], bases, numbers),
        references=_named_list([facts.reference_names for facts in packed], bases, numbers),
        terms=invert(
            _keys([term for term, _ in postings], term_bases, numbers),
            np.repeat(np.arange(len(per_chunk), dtype=np.uint32), per_chunk),
            np.concatenate([count for _, count in postings]),
        ),
        basenames=_file_list([(basename(path),) for path, _ in files], vocabulary),
        packages=_file_list([(facts.package,) if facts.package else () for facts in packed], vocabulary),
        imports=_file_list([_file_import_keys(facts) for facts in packed], vocabulary),
        renamed=_file_list([_renamed(facts) for facts in packed], vocabulary),
    )


_UNNAMED = -1


def firsts(counts: Sequence[int] | npt.NDArray[np.integer]) -> Values:
    """Running starts of `counts`, one entry more than counts."""
    starts = np.zeros(len(counts) + 1, dtype=np.uint32)
    np.cumsum(counts, out=starts[1:])
    return starts


def _keys(columns: list[Ints], bases: Values, numbers: Ints) -> Ints:
    """Vocabulary numbers of per-file string indices; `bases` is where each file's strings begin."""
    places = np.concatenate(columns)
    places += np.repeat(bases, [len(column) for column in columns]).astype(np.int32)
    return numbers[places]


def _named_list(columns: list[Ints], bases: Values, numbers: Ints) -> InvertedLists:
    keys = _keys(columns, bases, numbers)
    named = np.flatnonzero(keys != _UNNAMED).astype(np.uint32)
    return invert(keys[named], named)


def _file_list(words: Sequence[Sequence[str]], vocabulary: Vocabulary) -> InvertedLists:
    keys = vocabulary.intern([word for each in words for word in each])
    return invert(keys, np.repeat(np.arange(len(words), dtype=np.uint32), [len(each) for each in words]))


def _file_import_keys(facts: PackedFacts) -> Sequence[str]:
    return list(dict.fromkeys(key for module, name, _ in facts.imported for key in import_keys(module, name)))


def _renamed(facts: PackedFacts) -> Sequence[str]:
    """Imported names that are called otherwise in the file."""
    return list(dict.fromkeys(name for _, name, alias in facts.imported if name and alias not in ("", name)))
