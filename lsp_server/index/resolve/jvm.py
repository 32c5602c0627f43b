"""Java, Kotlin, Scala: packages, and imports of their types."""

from __future__ import annotations

from collections.abc import Callable

from ...model.facts import Import
from ..snapshot import FileView, Snapshot
from .paths import ending_with

SUFFIXES = (".java", ".kt", ".scala")


def import_files(snapshot: Snapshot, view: FileView, entry: Import) -> tuple[str, ...]:
    """The file named like the imported type, or like the type a member is imported from."""
    parts = [*entry.module.split("."), *([entry.name] if entry.name not in ("", "*") else [])]
    for length in (len(parts), len(parts) - 1):
        stem = "/".join(parts[:length])
        found = [path for suffix in SUFFIXES for path in ending_with(snapshot, stem + suffix, view.path)]
        if found:
            return tuple(found[:4])
    return ()


def same_package(snapshot: Snapshot, view: FileView) -> Callable[[str], bool]:
    """Files that declare the same package."""

    def near(path: str) -> bool:
        other = snapshot.file(path)
        return other is not None and other.facts.package == view.facts.package

    return near
