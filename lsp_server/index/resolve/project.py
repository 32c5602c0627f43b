"""Project files seen from a source file: the nearest one up the folders, and what it says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..snapshot import Snapshot
from .paths import folder


class Projects:
    """Look-ups of project files over one snapshot, remembered."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._nearest: dict[tuple[str, str], str | None] = {}
        self._pairs: dict[str, dict[str, list[str]]] = {}

    def follow(self, snapshot: Snapshot) -> None:
        """Go on with a snapshot of the same files that say the same of their projects."""
        self._snapshot = snapshot

    def nearest(self, path: str, *basenames: str) -> str | None:
        """The project file of one of these names in the folder of `path` or nearest above it."""
        return self._from(folder(path), basenames)

    def _from(self, start: str, basenames: Sequence[str]) -> str | None:
        key = (start, basenames[0])
        if key not in self._nearest:
            found = next((each for name in basenames if self._snapshot.has(each := _inside(start, name))), None)
            if found is None and start:
                found = self._from(folder(start), basenames)
            self._nearest[key] = found
        return self._nearest[key]

    def pairs(self, path: str) -> dict[str, list[str]]:
        """What the project file at `path` says, by key, in its order of preference."""
        known = self._pairs.get(path)
        if known is None:
            known = self._pairs[path] = dict[str, list[str]]()
            view = self._snapshot.file(path)
            for key, value in view.facts.project if view else ():
                known.setdefault(key, []).append(value)
        return known

    def prefixed(self, path: str, prefix: str) -> Iterator[tuple[str, list[str]]]:
        """The rest of each key that starts with `prefix:`, and its values."""
        start = f"{prefix}:"
        for key, values in self.pairs(path).items():
            if key.startswith(start):
                yield key[len(start) :], values

    def named(self, name: str, basename: str) -> list[str]:
        """Project files of this base name that call their project `name`."""
        return [
            path for path in self._snapshot.files_in_package(name) if path == basename or path.endswith("/" + basename)
        ]


def _inside(base: str, name: str) -> str:
    return f"{base}/{name}" if base else name
