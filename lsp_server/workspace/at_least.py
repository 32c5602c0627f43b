"""Whether a workspace is large, found out long before all its files are listed."""

from __future__ import annotations

import os
from collections import deque

from .discovery import DEPENDENCY_FOLDERS
from .roots import Roots

MAX_FOLDERS = 200
"""So many folders are looked into at most: some milliseconds."""

_PASSED_OVER = DEPENDENCY_FOLDERS | {"build", "dist", "target"}


def holds_at_least(roots: Roots, files: int) -> bool:
    """True when `files` files are met soon. Folders that are mostly ignored, and hidden ones, are passed over."""
    folders = deque(str(root.path) for root in roots.roots)
    found = 0
    for _ in range(MAX_FOLDERS):
        if found >= files or not folders:
            break
        try:
            with os.scandir(folders.popleft()) as entries:
                for entry in entries:
                    if not entry.is_dir(follow_symlinks=False):
                        found += 1
                    elif not entry.name.startswith(".") and entry.name not in _PASSED_OVER:
                        folders.append(entry.path)
        except OSError:
            continue
    return found >= files
