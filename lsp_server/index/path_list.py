"""PathList: the sorted paths of a snapshot, made when first asked and carried over to the next one."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence
from typing import Any

from .base_names import BaseNames
from .path_map import PathMap


class PathList:
    """Sorted paths. Filled in once, by whoever asks first (all would fill in the same)."""

    __slots__ = ("_names", "_paths")

    def __init__(self, paths: Sequence[str] | None = None) -> None:
        self._paths = paths
        self._names: BaseNames | None = None

    def paths(self, entries: PathMap[Any]) -> Sequence[str]:
        """All paths of `entries`, sorted."""
        if self._paths is None:
            self._paths = tuple(sorted(entries))
        return self._paths

    def names(self, entries: PathMap[Any]) -> BaseNames:
        """What the files of `entries` are called."""
        if self._names is None:
            self._names = BaseNames(self.paths(entries))
        return self._names

    def under(self, entries: PathMap[Any], folder: str) -> Sequence[str]:
        """The sorted paths that start with `folder/`."""
        paths = self.paths(entries)
        if not folder:
            return paths
        prefix = folder.rstrip("/") + "/"
        # "0" follows "/": everything that starts with the prefix lies between the two.
        return paths[bisect_left(paths, prefix) : bisect_left(paths, prefix[:-1] + "0")]

    def changed(self, added: Collection[str], removed: Collection[str]) -> PathList:
        """The list after a change; unmade lists stay unmade, made ones are adjusted if that is cheap."""
        if not added and not removed:
            return self
        if self._paths is None or len(added) + len(removed) > _FEW:
            return PathList()
        paths = list(self._paths)
        for path in removed:
            del paths[bisect_left(paths, path)]
        for path in added:
            paths.insert(bisect_left(paths, path), path)
        return PathList(tuple(paths))


_FEW = 16
"""Above this many changes sorting again is as quick as adjusting."""
