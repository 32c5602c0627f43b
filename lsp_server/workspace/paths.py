"""Lexical folding of workspace-relative paths: `./b.ts`, `b.ts`, `a//../b.ts` are one path.

Never touches the disk; links are followed by `Roots.canonical` alone.
"""

from __future__ import annotations

import os
import re

from lsp_server.model.errors import PathError

_DRIVE = re.compile(r"^[A-Za-z]:[/\\]")


def fold_path(path: str, field: str = "path") -> str:
    """`path` without `.`, doubled slashes and inner `..`; POSIX separators.

    Raises PathError naming `field` when it is empty, absolute, leaves the workspace or holds U+0000.
    """
    if os.sep == "\\":
        path = path.replace("\\", "/")
    if not path:
        raise PathError(field, "must not be empty")
    if "\0" in path:
        raise PathError(field, "must not hold U+0000")
    if not is_encodable(path):
        raise PathError(field, "holds a character that no file name can have")
    if path.startswith("/") or (os.sep == "\\" and _DRIVE.match(path)):
        raise PathError(field, f"must be relative to the workspace, got {path!r}")
    parts: list[str] = []
    for part in path.split("/"):
        if part in ("", "."):
            continue
        if part != "..":
            parts.append(part)
        elif parts:
            parts.pop()
        else:
            raise PathError(field, f"leaves the workspace: {path!r}")
    if not parts:
        raise PathError(field, f"names the workspace folder itself: {path!r}")
    return "/".join(parts)


def is_encodable(path: str) -> bool:
    """False for a string with a lone surrogate, which no file name can hold (JSON can)."""
    if path.isascii():
        return True
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        return False
    return True


def is_git_internal(path: str) -> bool:
    """True for anything in a `.git` folder, in any spelling that a case-blind file system would accept."""
    lowered = path.casefold()
    if ".git" not in lowered and "git~1" not in lowered:
        return False
    return any(part.rstrip(". ").casefold() in (".git", "git~1") for part in path.split("/"))
