"""What the files of index images are called; apart from what reads them, as asking for one takes no time."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path

ENDING = ".image"


def workspace_digest(workspace: str) -> str:
    """What stands for `workspace` in a file name."""
    return blake2b(workspace.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def has_image(folder: Path, workspace: str) -> bool:
    """True when `folder` has an image of `workspace`, of whatever version; none in one that cannot be read."""
    try:
        return any(folder.glob(f"index-*-{workspace_digest(workspace)}{ENDING}"))
    except OSError:
        return False
