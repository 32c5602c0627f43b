"""Path arithmetic that import rules share. Paths are workspace-relative with `/`."""

from __future__ import annotations

from posixpath import basename, join, normpath

from .reads import Reads


def folder(path: str) -> str:
    """The folder of `path`, "" at the top."""
    return path.rpartition("/")[0]


def inside(base: str, name: str) -> str:
    """`name` in folder `base`, which may be ""."""
    return f"{base}/{name}" if base and name else base or name


def joined(base: str, relative: str) -> str | None:
    """`relative` seen from folder `base`; None when it leaves the workspace."""
    path = normpath(join(base, relative)) if base or relative else ""
    if path == ".":
        return ""
    return None if path.startswith(("..", "/")) else path


def shared_depth(one: str, other: str) -> int:
    """How many leading folders two paths share."""
    depth = 0
    for left, right in zip(one.split("/")[:-1], other.split("/")[:-1], strict=False):
        if left != right:
            break
        depth += 1
    return depth


def ending_with(snapshot: Reads, suffix: str, near: str) -> list[str]:
    """Files whose path is `suffix` or ends with `/suffix`; those nearest to the file `near` first."""
    name = basename(suffix)
    found = [path for path in snapshot.paths_named(name) if path == suffix or path.endswith("/" + suffix)]
    return sorted(found, key=lambda path: (-shared_depth(path, near), path.count("/"), path))
