"""A folder as failure parsing sees a workspace: paths, texts, and definitions extracted when asked for."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lsp_server.model.errors import SourceMissing, SourceUnreadable
from lsp_server.model.facts import FileFacts, Symbol
from lsp_server.model.source import SourceText
from lsp_server.syntax.extract import extract
from lsp_server.syntax.languages import language_for


@dataclass(frozen=True)
class Id:
    """A definition of a Folder."""

    path: str
    index: int


@dataclass(frozen=True)
class File:
    """An indexed file of a Folder."""

    path: str
    facts: FileFacts


class Folder:
    """Both the view and the reader over `files` (canonical path → text, bytes or where it lies)."""

    def __init__(self, files: Mapping[str, str | bytes | Path]) -> None:
        self._files = dict(files)
        self._paths = sorted(self._files)
        self._names: dict[str, list[str]] = {}
        for path in self._paths:
            self._names.setdefault(path.rsplit("/", 1)[-1], []).append(path)
        self._facts: dict[str, FileFacts] = {}
        self._definitions: dict[str, list[Id]] | None = None

    @classmethod
    def at(cls, root: Path) -> Folder:
        """All files below `root`."""
        return cls({path.relative_to(root).as_posix(): path for path in root.rglob("*") if path.is_file()})

    def paths(self) -> Sequence[str]:
        return self._paths

    def has(self, path: str) -> bool:
        return path in self._files

    def paths_named(self, basename: str) -> Sequence[str]:
        return self._names.get(basename, [])

    def file(self, path: str) -> File | None:
        if path not in self._files:
            return None
        if path not in self._facts:
            text = self._text(path)
            self._facts[path] = extract(language_for(path), text)
        return File(path, self._facts[path])

    def definitions(self, name: str) -> Sequence[Id]:
        if self._definitions is None:
            self._definitions = {}
            for path in self._paths:
                file = self.file(path)
                assert file is not None
                for symbol in file.facts.iter_symbols():
                    self._definitions.setdefault(symbol.name, []).append(Id(path, symbol.index))
        return self._definitions.get(name, [])

    def symbol(self, id: Id) -> Symbol:
        file = self.file(id.path)
        assert file is not None
        return file.facts.symbol(id.index)

    def read(self, path: str) -> SourceText:
        if path not in self._files:
            raise SourceMissing(path)
        text = self._text(path)
        if "\0" in text:
            raise SourceUnreadable(path)
        pairs = [(line.rstrip("\r\n"), line[len(line.rstrip("\r\n")) :]) for line in _split(text)]
        lines, ends = tuple(a for a, _ in pairs), tuple(b for _, b in pairs)
        return SourceText(path, text, lines, ends, hashlib.sha256(text.encode()).hexdigest())

    def allowed(self, _path: str) -> bool:
        return True

    def _text(self, path: str) -> str:
        value = self._files[path]
        data = value.read_bytes() if isinstance(value, Path) else value
        return data.decode("utf-8", "replace") if isinstance(data, bytes) else data


def _split(text: str) -> list[str]:
    lines = text.replace("\r\n", "\n").split("\n")
    return [line + "\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
