"""Work off the loop: the request's thread does it, the loop waits, a cancelled request ends it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from ..model.source import Checkpoint
from .progress import with_progress

if TYPE_CHECKING:
    from .app import ContextServer

T = TypeVar("T")


async def run(ls: ContextServer, work: Callable[[Checkpoint], T], key: str | None = None) -> T:
    """The result of `work`, done by the session; cancelling the wait withdraws the work."""
    job = ls.session.submit(work, key)
    try:
        return await asyncio.wrap_future(job.future)
    except asyncio.CancelledError:
        job.cancel()
        raise


async def run_with_progress(
    ls: ContextServer, params: Any, title: str, work: Callable[[Checkpoint], T], key: str | None = None
) -> T:
    """The same, with a progress bar once it takes longer than a moment."""
    job = ls.session.submit(work, key)
    try:
        return await with_progress(ls, params, title, asyncio.wrap_future(job.future), job.cancel)
    except asyncio.CancelledError:
        job.cancel()
        raise
