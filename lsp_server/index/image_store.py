"""Where index images lie: one file a workspace in the cache folder, written whole and put in place at once.

Several processes share them: whoever is ready last wins, and everybody has read its own copy whole.
Nothing here raises for a fault of the disk; without an image the index is made from the facts store.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from .image import IMAGE_VERSION, ImageCorrupt, IndexImage, decode_image
from .image_files import ENDING, workspace_digest


class ImageStore:
    """Images in `folder`, of facts by `extractor_version`, together at most `max_bytes`."""

    def __init__(self, folder: Path, extractor_version: int, max_bytes: int) -> None:
        self._folder = folder
        self._prefix = f"index-{IMAGE_VERSION}-{extractor_version}-"
        self._max_bytes = max_bytes

    def path(self, workspace: str) -> Path:
        """The file of `workspace`, whether it exists or not."""
        return self._folder / f"{self._prefix}{workspace_digest(workspace)}{ENDING}"

    def load(self, workspace: str) -> IndexImage | None:
        """The image of `workspace`; None when there is none, or none that can be used (which is then deleted)."""
        path = self.path(workspace)
        try:
            data = path.read_bytes()
        except OSError:
            return None
        try:
            image = decode_image(data)
        except ImageCorrupt:
            with suppress(OSError):
                path.unlink()
            return None
        with suppress(OSError):
            os.utime(path)  # the longest unused goes first
        return image

    def save(self, workspace: str, pieces: Sequence[bytes | memoryview]) -> bool:
        """Put the image of `workspace` in place; False when that cannot be done."""
        if sum(map(len, pieces)) > self._max_bytes:
            return False
        try:
            # mkstemp makes files of mode 0600; a reader sees the old file or the new one, never half of it.
            descriptor, name = tempfile.mkstemp(prefix=self._prefix, suffix=".part", dir=self._folder)
        except OSError:
            return False
        try:
            with os.fdopen(descriptor, "wb") as file:
                for piece in pieces:
                    file.write(piece)
            os.replace(name, self.path(workspace))
        except OSError:
            with suppress(OSError):
                os.unlink(name)
            return False
        self._trim()
        return True

    def _trim(self) -> None:
        """Over the cap, delete images of other versions, then the longest unused, until the rest is within it."""
        found: list[tuple[float, int, Path]] = []
        try:
            for path in self._folder.glob("index-*"):
                status = path.stat()
                ours = path.name.startswith(self._prefix) and path.suffix == ENDING
                found.append((status.st_mtime if ours else 0.0, status.st_size, path))
        except OSError:
            return
        total = 0
        for _, size, path in sorted(found, reverse=True):
            total += size
            if total > self._max_bytes:
                with suppress(OSError):
                    path.unlink()
