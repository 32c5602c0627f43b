"""The index as a resolver looks at it: every look at what an edit may change is noted as a ground of the answer.

What only the set of files, their languages, packages and projects decide is not noted: when one of these changes, no
answer holds (`changes.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...model.facts import ReferenceKind, Symbol
from ..snapshot import FileView, ReferenceSite, Snapshot, SymbolId

DEFINED = "defined"
"""Where a name is defined."""

USED = "used"
"""Which files use a name."""

SITES = "sites"
"""Where a name is used."""

INHERITED = "inherited"
"""Where a name is used as a base."""

RENAMED = "renamed"
"""Which files import a name under another."""

IMPORTING = "importing"
"""Which files have an import under a word."""

Ground = str | tuple[str, str]
"""On what an answer may rest: all facts of the file at a path, or one of the above with a name."""


class Reads:
    """Looks at one snapshot; `note` is told each ground."""

    def __init__(self, snapshot: Snapshot, note: Callable[[Ground], None]) -> None:
        self._snapshot = snapshot
        self._note = note

    # Decided by the set of files, their languages, packages and projects

    def has(self, path: str) -> bool:
        """True when `path` is indexed."""
        return self._snapshot.has(path)

    def language(self, path: str) -> str:
        """The registry id of the file's language, "" without one."""
        return self._snapshot.language(path)

    def paths_named(self, basename: str) -> Sequence[str]:
        """Paths whose last part is `basename`, sorted."""
        return self._snapshot.paths_named(basename)

    def paths_under(self, folder: str) -> Sequence[str]:
        """Paths below `folder` at any depth ("" is everything), sorted."""
        return self._snapshot.paths_under(folder)

    def files_in_package(self, package: str) -> Sequence[str]:
        """Paths of the files that declare exactly this package, sorted."""
        return self._snapshot.files_in_package(package)

    # Decided by what files hold

    def file(self, path: str) -> FileView | None:
        """The file at `path`, None when it is not indexed."""
        self._note(path)
        return self._snapshot.file(path)

    def symbol(self, id: SymbolId) -> Symbol:
        """The definition as a row; errors as in `Snapshot.symbol`."""
        self._note(id.path)
        return self._snapshot.symbol(id)

    def definitions(self, name: str) -> Sequence[SymbolId]:
        """Definitions of exactly `name`, by path and position."""
        self._note((DEFINED, name))
        return self._snapshot.definitions(name)

    def references(self, name: str) -> Sequence[ReferenceSite]:
        """All uses of `name`, by path and position."""
        self._note((SITES, name))
        return self._snapshot.references(name)

    def bases(self, name: str, limit: int) -> Sequence[ReferenceSite]:
        """At most `limit` uses of `name` as a base, by path and position."""
        self._note((INHERITED, name))
        return self._snapshot.references_of_kind(name, ReferenceKind.INHERIT, limit)

    def files_using(self, name: str) -> Sequence[str]:
        """Paths of the files that use `name`, sorted."""
        self._note((USED, name))
        return self._snapshot.files_using(name)

    def files_using_count(self, name: str) -> int:
        """Number of files that use `name`."""
        self._note((USED, name))
        return self._snapshot.files_using_count(name)

    def files_renaming(self, name: str) -> Sequence[str]:
        """Paths of the files in which an import gives `name` another name, sorted."""
        self._note((RENAMED, name))
        return self._snapshot.files_renaming(name)

    def files_importing(self, word: str) -> Sequence[str]:
        """Paths with an import listed under `word`, sorted. Verify by resolution."""
        self._note((IMPORTING, word))
        return self._snapshot.files_importing(word)
