"""Where the facts store lies."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def cache_folder(chosen: str = "") -> Path:
    """`chosen` (the setting `cache.folder`), else `repo-context` in the user's cache folder."""
    if chosen:
        return Path(chosen).expanduser()
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "repo-context"
