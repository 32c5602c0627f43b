"""Python: relative and absolute modules, `src/` layouts, packages, namespace packages."""

from __future__ import annotations

from ...model.facts import Import
from ..snapshot import FileView, Snapshot
from .paths import ending_with, folder, joined

SUFFIXES = (".py", ".pyi")


def import_files(snapshot: Snapshot, view: FileView, entry: Import) -> tuple[str, ...]:
    """The module's file, the package's `__init__`, and the submodule that the imported name may be."""
    dots = len(entry.module) - len(entry.module.lstrip("."))
    parts = [part for part in entry.module[dots:].split(".") if part]
    named = entry.name not in ("", "*")
    deeper = _files(snapshot, view.path, dots, [*parts, entry.name]) if named else ()
    return tuple(dict.fromkeys((*_files(snapshot, view.path, dots, parts), *deeper)))


def _files(snapshot: Snapshot, path: str, dots: int, parts: list[str]) -> tuple[str, ...]:
    if dots:
        base = joined(folder(path), "/".join([".."] * (dots - 1))) if dots > 1 else folder(path)
        if base is None:
            return ()
        stem = "/".join([base, *parts] if base else parts)
        return tuple(name for name in _module_files(stem) if snapshot.has(name))
    if not parts:
        return ()
    found: list[str] = []
    for name in _module_files("/".join(parts)):
        found += ending_with(snapshot, name, path)
    return tuple(found[:4])


def _module_files(stem: str) -> list[str]:
    files = [stem + suffix for suffix in SUFFIXES] if stem else []
    inside = f"{stem}/__init__" if stem else "__init__"
    return files + [inside + suffix for suffix in SUFFIXES]
