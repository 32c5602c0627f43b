"""The workspace's roots, and the one translation between absolute paths and canonical ones.

Canonical: relative to the root, POSIX separators, links resolved. With several roots the path starts
with the root's unique name. File names that are not UTF-8 keep their bytes as lone surrogates
(`os.fsdecode`).
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from lsp_server.model.errors import PathError
from lsp_server.model.values import Value

from .paths import fold_path, is_encodable


class Root(Value):
    """One workspace folder: its unique name and its real, absolute path."""

    name: str
    path: Path


class Roots(Value):
    """All workspace folders, none inside another. Made by `Roots.of`."""

    roots: tuple[Root, ...]

    @classmethod
    def of(cls, paths: Iterable[str | Path]) -> Roots:
        """Roots from folders as the client gave them, in order; a folder inside another one is dropped.

        Names are the folders' own names, told apart by `-2`, `-3`. Nothing needs to exist.
        """
        real = list(dict.fromkeys(os.path.realpath(path) for path in paths))
        outer = [path for path in real if not any(path != other and _below(path, other) for other in real)]
        taken: set[str] = set()
        roots: list[Root] = []
        for path in outer:
            base = os.path.basename(path) or "root"
            name, number = base, 1
            while name in taken:
                number += 1
                name = f"{base}-{number}"
            taken.add(name)
            roots.append(Root(name, Path(path)))
        return cls(tuple(roots))

    @property
    def is_multi(self) -> bool:
        """True when canonical paths start with a root's name."""
        return len(self.roots) > 1

    def canonical(self, path: str | Path) -> str | None:
        """The canonical path of an absolute path; None when it lies, or its link leads, outside every root.

        The file need not exist. None too for a root itself and for a path that is not absolute.
        """
        text = os.fspath(path)
        if "\0" in text or not os.path.isabs(text) or not is_encodable(text):
            return None
        return self.canonical_real(os.path.realpath(text))

    def canonical_real(self, real: str) -> str | None:
        """The same for a path that is known to have no links in it."""
        for root in self.roots:
            if _below(real, str(root.path)) and real != str(root.path):
                inside = os.path.relpath(real, root.path) if os.sep == "\\" else _cut(real, str(root.path))
                return self.join(root, inside.replace(os.sep, "/"))
        return None

    def join(self, root: Root, inside: str) -> str:
        """The canonical path of `inside`, which is relative to `root`."""
        return f"{root.name}/{inside}" if self.is_multi else inside

    def split(self, path: str) -> tuple[Root, str]:
        """The root of a canonical path and the path inside it.

        Raises PathError when the path is empty, absolute or escaping, or names no root.
        """
        folded = fold_path(path)
        if not self.is_multi:
            if not self.roots:
                raise PathError("path", "there is no workspace folder")
            return self.roots[0], folded
        name, _, inside = folded.partition("/")
        for root in self.roots:
            if root.name == name and inside:
                return root, inside
        raise PathError("path", f"must start with the name of a workspace folder: {path!r}")

    def absolute(self, path: str) -> Path:
        """Where a canonical path lies on the disk. Raises PathError as `split` does."""
        root, inside = self.split(path)
        return root.path / inside

    def file_of(self, path: str) -> str:
        """`absolute` as text, for a path that is known to be canonical: thousands of them at once."""
        if self.is_multi:
            return str(self.absolute(path))
        return os.path.join(str(self.roots[0].path), path)

    def resolve(self, path: str) -> str | None:
        """A workspace-relative path, links and all, as canonical; None when a link leads out.

        Raises PathError when the path itself is empty, absolute or escaping.
        """
        return self.canonical(self.absolute(path))


def _cut(real: str, root: str) -> str:
    return real[len(root.rstrip("/")) + 1 :]


def _below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)
