"""JavaScript and TypeScript: relative modules, `.js` written for `.ts`, index files, workspaces."""

from __future__ import annotations

from ...model.facts import Import
from ..snapshot import FileView, Snapshot
from .paths import folder, joined

SUFFIXES = (".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".vue", ".svelte")
WRITTEN_FOR = {".js": (".ts", ".tsx"), ".jsx": (".tsx",), ".mjs": (".mts",), ".cjs": (".cts",)}


def import_files(snapshot: Snapshot, view: FileView, entry: Import) -> tuple[str, ...]:
    """The file that a relative specifier names."""
    if not entry.module.startswith("."):
        return ()
    stem = joined(folder(view.path), entry.module)
    return () if stem is None else module_files(snapshot, stem)


def module_files(snapshot: Snapshot, stem: str) -> tuple[str, ...]:
    """Files that a module path may mean: itself, with a suffix, or its index file."""
    tries = [stem]
    for written, meant in WRITTEN_FOR.items():
        if stem.endswith(written):
            tries = [*(stem[: -len(written)] + suffix for suffix in meant), stem]
    tries += [stem + suffix for suffix in SUFFIXES]
    tries += [f"{stem}/index{suffix}" if stem else f"index{suffix}" for suffix in SUFFIXES]
    return tuple(path for path in dict.fromkeys(tries) if snapshot.has(path))
