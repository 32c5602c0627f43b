"""Freshness: which files the disk changed since they were last indexed, told by size and time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from ..model.values import Value
from .store import ManifestRow

RACY_NS = 2_000_000_000
"""A file modified this shortly before it was noted may change again without a new time: read it again.

Git's rule for "racily clean" entries, widened to the coarsest file time in use (FAT: 2 s).
"""


class FileStamp(Protocol):
    """A file as discovery finds it: canonical path, size in bytes, modification time in nanoseconds."""

    @property
    def path(self) -> str: ...
    @property
    def size(self) -> int: ...
    @property
    def mtime_ns(self) -> int: ...


class Comparison(Value):
    """`unchanged` may be taken from the store; `changed` (new ones too) must be read; `removed` are gone."""

    unchanged: tuple[ManifestRow, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]


def compare(found: Iterable[FileStamp], known: Mapping[str, ManifestRow]) -> Comparison:
    """What to do for the files that are there now, given those noted before. Order of `found` is kept."""
    unchanged: list[ManifestRow] = []
    changed: list[str] = []
    seen: set[str] = set()
    for file in found:
        seen.add(file.path)
        row = known.get(file.path)
        if row is not None and is_current(row, file):
            unchanged.append(row)
        else:
            changed.append(file.path)
    return Comparison(tuple(unchanged), tuple(changed), tuple(sorted(known.keys() - seen)))


def is_current(row: ManifestRow, file: FileStamp) -> bool:
    """True when size and time say that `file` still holds what `row` noted."""
    same = (row.size, row.mtime_ns) == (file.size, file.mtime_ns)
    return same and row.mtime_ns + RACY_NS <= row.noted_ns
