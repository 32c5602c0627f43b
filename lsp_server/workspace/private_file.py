"""A text for the user's eyes alone, outside the workspace."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

PRIVATE_FOLDER = 0o700


def write_private(path: Path, text: str) -> None:
    """Writes `path` whole by one rename, readable by its owner only; its folder is made. Raises OSError."""
    path.parent.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem}-")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
