"""What differs between languages when a name is looked up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...model.facts import Import
from ..snapshot import FileView, Snapshot

ImportFiles = Callable[[Snapshot, FileView, Import], tuple[str, ...]]
"""Workspace files in which an import's module may be found, best first; empty for libraries."""

Neighbours = Callable[[Snapshot, FileView], Callable[[str], bool]]
"""For a file, a test that tells whether another path shares its package, so that names need no import."""


def nothing_imported(snapshot: Snapshot, view: FileView, entry: Import) -> tuple[str, ...]:
    """Rule of a language whose imports are not understood."""
    del snapshot, view, entry
    return ()


def alone(snapshot: Snapshot, view: FileView) -> Callable[[str], bool]:
    """Rule of a language in which other files' names always need an import."""
    del snapshot, view
    return lambda _path: False


@dataclass(frozen=True, slots=True)
class Rules:
    """One language's rules.

    `family` groups languages whose files may use each other's names. `implicit_members`: a bare name
    may mean a member of the enclosing class. `self_names` mean the enclosing class, `super_names`
    its bases. `members_by_import`: what follows an imported module's name is looked up in its files.
    """

    family: str
    import_files: ImportFiles = nothing_imported
    neighbours: Neighbours = alone
    implicit_members: bool = False
    self_names: frozenset[str] = frozenset({"self", "this"})
    super_names: frozenset[str] = frozenset({"super"})
