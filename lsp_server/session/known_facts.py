"""Facts that are known from an earlier run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..index.snapshot import Snapshot
from ..index.writer import Change
from ..workspace.discovery import FoundFile
from ..workspace.roots import Roots

if TYPE_CHECKING:
    from .settings import Settings


class KnownFacts:
    """TEMPORARY until the store lands."""

    def __init__(self, settings: Settings) -> None:
        self.degraded: tuple[str, ...] = ()

    def facts_of(self, roots: Roots, files: Sequence[FoundFile]) -> Mapping[str, bytes]:
        return {}

    def keep(self, roots: Roots | None, changes: Sequence[Change], indexed: Mapping[str, FoundFile]) -> None:
        return None

    def save_manifest(self, roots: Roots | None, indexed: Mapping[str, FoundFile], snapshot: Snapshot) -> None:
        return None

    def close(self) -> None:
        return None
