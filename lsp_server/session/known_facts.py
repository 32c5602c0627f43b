"""Facts that are known already: from an earlier run, another branch, or another server of this user.

A thin layer over the facts store, used by the indexer's thread alone. Only what was read from disk gets
there, never an open buffer's text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..index.freshness import is_current
from ..index.snapshot import Snapshot
from ..index.store import FactsKey, FactsStore, Manifest, ManifestRow
from ..index.writer import Change, Put, Remove
from ..model.candidate import Origin
from ..model.errors import SourceUnreadable
from ..syntax.version import EXTRACTOR_VERSION
from ..text.hashing import content_hash
from ..workspace.decode import decode
from ..workspace.discovery import FoundFile
from ..workspace.roots import Roots
from ..workspace.shape import is_minified
from .cache_folder import cache_folder
from .new_workspace import workspace_name
from .settings import Settings
from .worker import read_limited

REFUSED = "refused"
"""Stands for the content hash in the row of a file that has no facts; its language is then the reason."""


class KnownFacts:
    """`degraded` tells what is wrong with the store; everything works without it, only slower."""

    def __init__(self, settings: Settings) -> None:
        self._store = (
            FactsStore(cache_folder(settings.cache_folder), EXTRACTOR_VERSION, settings.cache_max_bytes)
            if settings.cache
            else None
        )
        self._max_bytes = settings.index_max_file_bytes
        self._workspace = ""
        self._read_manifest: dict[str, ManifestRow] | None = {}

    @property
    def degraded(self) -> tuple[str, ...]:
        """Why the store works less than whole."""
        return () if self._store is None else self._store.degraded

    def open_workspace(self, roots: Roots) -> None:
        """From now on it is about these folders."""
        self._workspace = workspace_name(roots)
        self._read_manifest = None

    @property
    def _manifest(self) -> dict[str, ManifestRow]:
        """What is known of the folders' files; read when it is first asked for."""
        if self._read_manifest is None:
            manifest = Manifest({}) if self._store is None else self._store.manifest(self._workspace)
            self._read_manifest = dict(manifest.files)
        return self._read_manifest

    @property
    def is_empty(self) -> bool:
        """True when nothing is known of the folders' files."""
        return not self._manifest

    def facts_of(self, roots: Roots, files: Sequence[FoundFile]) -> Mapping[str, bytes]:
        """Encoded facts of those files that are known: by size and time, else by content."""
        if self._store is None or not files or not self._manifest:
            return {}
        keys = {
            file.path: row.key
            for file in files
            if (row := self._row_of(file)) is not None and row.content_hash != REFUSED
        }
        for file in files:
            if file.path not in keys and (key := self._content_key(roots, file)) is not None:
                keys[file.path] = key
        known = self._store.get(keys.values())
        return {path: known[key] for path, key in keys.items() if key in known}

    def refusals(self, files: Sequence[FoundFile]) -> Mapping[str, str]:
        """Why files that did not change since have no facts, by path."""
        rows = [row for file in files if (row := self._row_of(file)) is not None]
        return {row.path: row.language for row in rows if row.content_hash == REFUSED}

    def _row_of(self, file: FoundFile) -> ManifestRow | None:
        row = self._manifest.get(file.path)
        return row if row is not None and is_current(row, file) else None

    def _content_key(self, roots: Roots, file: FoundFile) -> FactsKey | None:
        """Reading and hashing is a tenth of the work of extracting, and a checkout often brings back old text."""
        try:
            data, _, _ = read_limited(str(roots.absolute(file.path)), self._max_bytes)
        except OSError:
            return None
        return key_of_bytes(file.path, data)

    def keep(
        self, changes: Iterable[Change], snapshot: Snapshot, indexed: Mapping[str, FoundFile], noted: Mapping[str, int]
    ) -> None:
        """Write down what was extracted from disk, and what is gone. `noted` are the times of reading."""
        if self._store is None:
            return
        facts: dict[FactsKey, bytes] = {}
        rows: list[ManifestRow] = []
        removed: list[str] = []
        for change in changes:
            if isinstance(change, Remove):
                removed.append(change.path)
                continue
            row = self._new_row(change, snapshot, indexed, noted)
            if row is not None and isinstance(change.facts, bytes):
                facts[row.key] = change.facts
                rows.append(row)
        self._store.put(facts)
        self.note(rows, removed, snapshot.head)

    def note(self, rows: Sequence[ManifestRow], removed: Sequence[str], head: str | None) -> None:
        """Bring the manifest up to date."""
        if self._store is None or not (rows or removed):
            return
        for row in rows:
            self._manifest[row.path] = row
        for path in removed:
            self._manifest.pop(path, None)
        self._store.save_manifest(self._workspace, rows, removed, head)

    def _new_row(
        self, change: Put, snapshot: Snapshot, indexed: Mapping[str, FoundFile], noted: Mapping[str, int]
    ) -> ManifestRow | None:
        view, file = snapshot.file(change.path), indexed.get(change.path)
        if view is None or file is None or change.origin is not Origin.DISK:
            return None
        return ManifestRow(
            change.path, file.size, file.mtime_ns, view.content_hash, view.language, noted.get(change.path, 0)
        )

    def close(self) -> None:
        """Close the database."""
        if self._store is not None:
            self._store.close()


def key_of_bytes(path: str, data: bytes) -> FactsKey | None:
    """What the facts of these bytes would be stored under; None when they would have none."""
    try:
        text = decode(data, path).text
    except SourceUnreadable:
        return None
    if is_minified(text):
        return None
    from .extraction import language_of

    language = language_of(path, text)
    return FactsKey(content_hash(text), "" if language is None else language.id)
