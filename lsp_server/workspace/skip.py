"""Why a file of the workspace is not indexed, as a closed list."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from lsp_server.model.errors import SourceUnreadable
from lsp_server.model.values import Value


class SkipReason(StrEnum):
    """Why a file of the workspace is not indexed."""

    DENIED = "denied"
    IGNORED = "ignored"
    EXCLUDED = "excluded"
    SYMLINK = "symlink"
    OUTSIDE = "outside"
    SPECIAL = "special"
    UNREADABLE = "unreadable"
    MISSING = "missing"
    TOO_LARGE = "too-large"
    BINARY = "binary"
    MINIFIED = "minified"
    DEPENDENCIES = "dependencies"
    WORKTREE = "worktree"
    CAPPED = "capped"


SKIP_TEXT: Mapping[SkipReason, str] = MappingProxyType(
    {
        SkipReason.DENIED: "the privacy rules forbid it",
        SkipReason.IGNORED: "an ignore rule matches it",
        SkipReason.EXCLUDED: "the index.include and index.exclude settings leave it out",
        SkipReason.SYMLINK: "it is a link; its target is indexed under its own name if it lies in the workspace",
        SkipReason.OUTSIDE: "it lies outside the workspace",
        SkipReason.SPECIAL: "it is not a regular file",
        SkipReason.UNREADABLE: "it cannot be read",
        SkipReason.MISSING: "it does not exist",
        SkipReason.TOO_LARGE: "it is larger than index.maxFileBytes",
        SkipReason.BINARY: "it is not text",
        SkipReason.MINIFIED: "it is minified",
        SkipReason.DEPENDENCIES: "it lies in a folder of installed dependencies or caches",
        SkipReason.WORKTREE: "it lies in another working tree of the same repository",
        SkipReason.CAPPED: "the workspace has more files than index.maxFiles",
    }
)
"""One plain sentence a reason, without the final stop."""


class SourceRefused(SourceUnreadable):
    """The file exists but is no text to work with; `reason` says which way."""

    def __init__(self, path: str, reason: SkipReason) -> None:
        super().__init__(path, reason.value)
        self.reason = reason


class Skipped(Value):
    """A file or folder (its path then ends in a slash) that is not indexed. `detail` names the rule, if one did it."""

    path: str
    reason: SkipReason
    detail: str = ""

    def __str__(self) -> str:
        because = f" ({self.detail})" if self.detail else ""
        return f"{self.path} is not indexed: {SKIP_TEXT[self.reason]}{because}"
