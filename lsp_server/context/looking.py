"""What search, grep, related, expand and verify share: what may be looked at, and text as it may be shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from ..index.snapshot import Snapshot
from ..model.errors import SourceError
from ..model.source import Checkpoint, SourceReader, SourceText, no_checkpoint
from ..model.values import Value
from ..workspace.patterns import path_matches, patterns_of
from ..workspace.privacy import PrivacyPolicy
from .read import ShownText, read_shown


class Looking(Value):
    """One question's means: the index, the reader, the privacy rules, and its own memory of shown texts."""

    snapshot: Snapshot
    reader: SourceReader
    privacy: PrivacyPolicy
    checkpoint: Checkpoint = no_checkpoint
    _shown: dict[str, ShownText | SourceError] = field(default_factory=dict[str, ShownText | SourceError])

    def allowed(self, path: str) -> bool:
        """False when nothing of `path` may be shown."""
        return not self.privacy.denied(path) and self.reader.allowed(path)

    def shown(self, path: str) -> SourceText:
        """The text of `path` with secrets masked; raises SourceError."""
        found = self._shown.get(path)
        if found is None:
            found = self._shown[path] = read_shown(path, self.reader, self.privacy)
        if isinstance(found, SourceError):
            raise found
        return found.source


class Scope(Value):
    """Globs in gitignore syntax; without `include` everything is included."""

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    def test(self) -> Callable[[str], bool]:
        """Whether a path lies in the scope."""
        included, excluded = patterns_of(self.include), patterns_of(self.exclude)

        def inside(path: str) -> bool:
            return (not self.include or path_matches(included, path)) and not path_matches(excluded, path)

        return inside
