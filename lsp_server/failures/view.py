"""What failure parsing needs to know of the workspace: a small part of the index's snapshot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from lsp_server.model.facts import FileFacts, Symbol


class Definition(Protocol):
    """The identity of one definition; the index's `SymbolId` is one."""

    @property
    def path(self) -> str:
        """Canonical path of the file that holds it."""
        ...


class IndexedFile(Protocol):
    """One file as the index knows it."""

    @property
    def facts(self) -> FileFacts:
        """What its text says."""
        ...


D = TypeVar("D", bound=Definition)


class WorkspaceView(Protocol[D]):
    """Paths and definitions of the workspace. All paths are canonical."""

    def paths(self) -> Sequence[str]:
        """Every path, sorted."""
        ...

    def has(self, path: str, /) -> bool:
        """True when `path` is a file of the workspace."""
        ...

    def paths_named(self, basename: str, /) -> Sequence[str]:
        """Paths whose last part is `basename`, case-sensitive."""
        ...

    def definitions(self, name: str, /) -> Sequence[D]:
        """Definitions with this exact name."""
        ...

    def symbol(self, id: D, /) -> Symbol:
        """The definition as a row."""
        ...

    def file(self, path: str, /) -> IndexedFile | None:
        """The file's facts, or None when it is not indexed (yet)."""
        ...
