"""The whole index as it was last time: adopted at the start, written down when much has changed since.

Used by the indexer's thread alone. What editors show is never written (see `index.image`).
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import NamedTuple

from ..index.freshness import RACY_NS
from ..index.image import IndexImage, Refusal, Stamp, decode_image, encode_image
from ..index.image_store import ImageStore
from ..index.snapshot import Snapshot
from ..index.writer import IndexWriter
from ..model.source import Checkpoint
from ..syntax.version import EXTRACTOR_VERSION
from ..workspace.discovery import FoundFile
from ..workspace.roots import Roots
from .cache_folder import cache_folder
from .new_workspace import workspace_name
from .settings import Settings

FEW_CHANGES, CHANGED_SHARE = 100, 50
"""An image is written again when more files than this, and more than one in so many, are not as it says."""

Refused = Mapping[str, tuple[str, FoundFile | None]]


class Adopted(NamedTuple):
    """What the disk held when the adopted files were read: unchanged ones need not be read again."""

    indexed: dict[str, FoundFile]
    refused: dict[str, tuple[str, FoundFile | None]]


class IndexImages:
    """The image of one workspace after the other; does nothing when the cache is off."""

    def __init__(self, settings: Settings) -> None:
        folder = cache_folder(settings.cache_folder)
        self._store = ImageStore(folder, EXTRACTOR_VERSION, settings.cache_max_bytes) if settings.cache else None
        self._workspace = ""
        self._changed = 0
        self._begun_ns = time.time_ns()

    def adopt(self, roots: Roots, writer: IndexWriter) -> Adopted:
        """Fill an empty index with the image of these folders, if there is one."""
        self._workspace = workspace_name(roots)
        self._changed = 0
        image = None if self._store is None or writer.snapshot.parts else self._store.load(self._workspace)
        if image is None:
            return Adopted({}, {})
        writer.adopt(image)
        files = {
            path: FoundFile(path, stamp.size, stamp.mtime_ns)
            for path, stamp in zip(image.segment.paths, image.stamps, strict=True)
            if stamp.mtime_ns + RACY_NS <= stamp.noted_ns
        }
        refused: dict[str, tuple[str, FoundFile | None]] = {
            each.path: (each.reason, FoundFile(each.path, each.stamp.size, each.stamp.mtime_ns))
            for each in image.refusals
        }
        return Adopted(files, refused)

    def changed(self, files: int) -> None:
        """So many files are not as the image says."""
        self._changed += files

    def worth_saving(self, snapshot: Snapshot) -> bool:
        """True when the next start would have much to do again."""
        return self._store is not None and self._changed > max(FEW_CHANGES, len(snapshot.entries) // CHANGED_SHARE)

    def saver(self, snapshot: Snapshot, indexed: Mapping[str, FoundFile], refused: Refused) -> Saver:
        """The work of writing the image, for any thread; counts as done."""
        self._changed = 0
        stamps = {path: _stamp(file) for path, file in indexed.items()}
        refusals = [
            Refusal(path, _stamp(file), reason)
            for path, (reason, file) in refused.items()
            if file is not None and file.mtime_ns + RACY_NS <= self._begun_ns
        ]
        return Saver(self._store, self._workspace, snapshot, stamps, refusals)


class Saver(NamedTuple):
    """An image still to be made and written."""

    store: ImageStore | None
    workspace: str
    snapshot: Snapshot
    stamps: Mapping[str, Stamp]
    refusals: list[Refusal]

    def __call__(self, checkpoint: Checkpoint) -> Saved | None:
        pieces = None if self.store is None else encode_image(self.snapshot, self.stamps, self.refusals, checkpoint)
        checkpoint()
        if self.store is None or pieces is None:
            return None
        self.store.save(self.workspace, pieces)
        checkpoint()
        image = decode_image(b"".join(pieces))
        return Saved(self.snapshot, image) if len(image.entries) == len(self.snapshot.entries) else None


class Saved(NamedTuple):
    """The image of the whole of a snapshot."""

    snapshot: Snapshot
    image: IndexImage


def _stamp(file: FoundFile) -> Stamp:
    # What is in the books of indexed files was read long enough after its last change.
    return Stamp(file.size, file.mtime_ns, file.mtime_ns + RACY_NS)
