"""Indexes a case's workspace in this process; facts are shared between cases by content."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..index.snapshot import Snapshot
from ..index.writer import IndexWriter, Put
from ..model.errors import SourceError
from ..model.facts import FileFacts
from ..model.values import Value
from ..syntax.extract import extract
from ..syntax.languages import language_for
from ..workspace.classify import classify
from ..workspace.discovery import DiscoveryOptions, discover
from ..workspace.reader import DiskReader
from ..workspace.roots import Roots
from ..workspace.touched import Touched
from .workspaces import Workspace


class Indexed(Value):
    """A workspace's snapshot, a reader for it, each file's number of lines, and what its last commits touched."""

    snapshot: Snapshot
    reader: DiskReader
    lines_of: dict[str, int]
    changes: tuple[Touched, ...] = ()


@dataclass(slots=True)
class FactsByContent:
    """Facts of texts seen before, by language and content hash: neighbouring commits share nearly all."""

    known: dict[tuple[str, str], FileFacts] = field(default_factory=dict[tuple[str, str], FileFacts])

    def index(self, workspace: Workspace) -> Indexed:
        """Discover, read and index everything in the workspace."""
        roots = Roots.of([workspace.folder])
        reader = DiskReader(roots)
        puts: list[Put] = []
        lines_of: dict[str, int] = {}
        for found in discover(roots, DiscoveryOptions()).files:
            try:
                source = reader.read_for_index(found.path)
            except SourceError:
                continue
            language = language_for(found.path, source.lines[0] if source.lines else "")
            key = (language.id if language else "", source.content_hash)
            facts = self.known.get(key)
            if facts is None:
                facts = self.known[key] = extract(language, source.text)
            puts.append(Put(found.path, facts, classify(found.path)))
            lines_of[found.path] = len(source.lines)
        snapshot = IndexWriter().apply(puts)
        changes = tuple(change for change in workspace.changes if snapshot.has(change.path))
        return Indexed(snapshot, reader, lines_of, changes)
