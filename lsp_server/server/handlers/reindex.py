"""`context/reindex`: compare the whole index with the disk, now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...model.source import Checkpoint
from ..params import fields_of
from ..running import run_with_progress

if TYPE_CHECKING:
    from ..app import ContextServer


async def handle(ls: ContextServer, params: Any) -> Any:
    """The revision reached and how many files there are; waits unless `wait` is false."""
    fields = fields_of(params)
    wait = fields.flag("wait") if fields.has("wait") else True

    def work(checkpoint: Checkpoint) -> dict[str, object]:
        ls.session.reindex()
        fresh = ls.session.wait_fresh(None, checkpoint) if wait else False
        snapshot = ls.session.snapshot(checkpoint)
        return {"revision": snapshot.revision, "files": len(snapshot.paths()), "fresh": fresh}

    return await run_with_progress(ls, params, "Reindexing", work)
