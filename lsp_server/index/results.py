"""What a snapshot answers with: small immutable rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..model.candidate import Origin
from ..model.facts import FileFacts
from ..model.lines import LineRange
from ..model.values import Value
from .entry import FactsCache, FileEntry, PathFlag


class SymbolId(NamedTuple):
    """A definition: its file and its row in the file's `FileFacts.symbols`. Orders by path, then position."""

    path: str
    index: int  # pyright: ignore[reportIncompatibleMethodOverride] - nobody searches in a row


class ReferenceSite(NamedTuple):
    """A use of a name: its file and its row in the file's `FileFacts.references`."""

    path: str
    index: int  # pyright: ignore[reportIncompatibleMethodOverride] - nobody searches in a row


class ChunkHit(NamedTuple):
    """A chunk found by search. `symbol` is the definition it shows (NOWHERE for none)."""

    path: str
    chunk: int
    range: LineRange
    symbol: int
    score: float


class SymbolMatch(NamedTuple):
    """A definition whose name matches a fuzzy query; `rank` orders matches, smaller is better."""

    id: SymbolId
    name: str
    rank: tuple[int, int, int]


class NamePairs(NamedTuple):
    """Name uses or definitions of a whole index as columns: `names[i]` occurs in file `files[i]`.

    `names` are vocabulary numbers, `files` places in `Snapshot.file_table()`; one row an occurrence.
    """

    names: npt.NDArray[np.int32]
    files: npt.NDArray[np.int64]


class FileView(Value):
    """One file of a snapshot. `version` is the editor's for open buffers, else None."""

    path: str
    flags: PathFlag
    origin: Origin
    version: int | None
    mtime_ns: int
    content_hash: str
    language: str
    _entry: FileEntry = field(repr=False, compare=False)
    _cache: FactsCache = field(repr=False, compare=False)

    @property
    def facts(self) -> FileFacts:
        """The file's facts, decoded when asked and kept for a while; search terms only of buffers being edited."""
        return self._cache.facts(self._entry)


class Totals(Value):
    """Counts over all live files. `chunk_length` is in terms with repeats."""

    symbols: int = 0
    references: int = 0
    chunks: int = 0
    chunk_length: int = 0
    source_bytes: int = 0
    languages: Mapping[str, int] = field(default_factory=dict[str, int])
