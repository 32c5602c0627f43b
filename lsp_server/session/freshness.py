"""How current and how whole an answer is, in the one JSON form that every answer carries."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..index.snapshot import Snapshot


def with_freshness(plain: dict[str, object], snapshot: Snapshot, degraded: tuple[str, ...] = ()) -> dict[str, object]:
    """An answer that says how current the index was that it came from, and what does not work, if anything."""
    freshness: dict[str, object] = {
        "revision": snapshot.revision,
        "pendingFiles": snapshot.pending_files,
        "head": snapshot.head,
    }
    return plain | {"freshness": freshness | ({"degraded": list(degraded)} if degraded else {})}
