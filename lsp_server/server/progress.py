"""`workDoneProgress`: the index's bar, and a bar for requests that take longer than 300 ms."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast

from lsprotocol import types
from pygls.exceptions import JsonRpcException

if TYPE_CHECKING:
    from ..session.progress import IndexProgress
    from .app import ContextServer

T = TypeVar("T")

QUIET_SECONDS = 0.3
"""Work that is done within this time shows no bar."""

_numbers = itertools.count(1)


def notify(ls: ContextServer, token: Any, value: Any) -> None:
    """One `$/progress` notification."""
    ls.protocol.notify(types.PROGRESS, types.ProgressParams(token, value))


async def create(ls: ContextServer) -> str | None:
    """A token of our own, when the client takes one. Shielded: a cancelled wait would break the reply."""
    if not ls.capability("window.work_done_progress"):
        return None
    token = f"repo-context-{next(_numbers)}"
    params = types.WorkDoneProgressCreateParams(token)
    try:
        await asyncio.shield(ls.protocol.send_request_async(types.WINDOW_WORK_DONE_PROGRESS_CREATE, params))
    except JsonRpcException:
        return None
    return token


async def with_progress(
    ls: ContextServer, params: object, title: str, work: Awaitable[T], cancel: Callable[[], object]
) -> T:
    """Await `work`; after 300 ms show a cancellable bar, under the request's `workDoneToken` if it gave one."""
    given: Any = cast(dict[str, Any], params).get("workDoneToken") if isinstance(params, dict) else None
    bar = asyncio.ensure_future(_bar(ls, given if isinstance(given, (str, int)) else None, title, cancel))
    try:
        return await work
    finally:
        await _end(ls, bar)


async def _bar(ls: ContextServer, given: str | int | None, title: str, cancel: Callable[[], object]) -> Any:
    await asyncio.sleep(QUIET_SECONDS)
    token = await create(ls) if given is None else given
    if token is not None:
        ls.running_progress[token] = cancel
        notify(ls, token, {"kind": "begin", "title": title, "cancellable": True})
    return token


async def _end(ls: ContextServer, bar: asyncio.Future[Any]) -> None:
    if bar.done() and not bar.cancelled() and bar.exception() is None and bar.result() is not None:
        token = bar.result()
        ls.running_progress.pop(token, None)
        notify(ls, token, {"kind": "end"})
        return
    bar.cancel()


class IndexProgressReporter:
    """Shows the index's progress as one bar; called from the session's threads."""

    def __init__(self, ls: ContextServer) -> None:
        self._ls = ls
        self._loop: asyncio.AbstractEventLoop | None = None
        self._latest: IndexProgress | None = None
        self._token: str | None = None
        self._shown = -1
        self._busy = False
        self._told: dict[str, object] | None = None

    def attach(self, loop: asyncio.AbstractEventLoop) -> None:
        """From now on there is a client to show things to."""
        self._loop = loop
        if self._latest is not None:
            self(self._latest)

    def __call__(self, progress: IndexProgress) -> None:
        """Take the latest state; any thread."""
        self._latest = progress
        loop = self._loop
        if loop is not None:
            try:
                loop.call_soon_threadsafe(self._wake)
            except RuntimeError:  # the loop is closed
                self._loop = None

    def _wake(self) -> None:
        if not self._busy:
            self._busy = True
            task = asyncio.ensure_future(self._show())
            task.add_done_callback(lambda _: setattr(self, "_busy", False))

    async def _show(self) -> None:
        progress = self._latest
        if progress is None:
            return
        self._tell_status(progress)
        if progress.finished:
            self._finish(progress)
        elif self._token is None:
            self._token = await create(self._ls)
            if self._token is not None:
                self._shown = 0
                begin = {"kind": "begin", "title": "Indexing", "percentage": 0, "cancellable": False}
                notify(self._ls, self._token, begin)
            now = self._latest or progress
            if now.finished:  # it ended while the client was asked
                self._finish(now)
        elif progress.percentage > self._shown:
            self._shown = progress.percentage
            message = f"{progress.done}/{progress.total} files"
            notify(
                self._ls, self._token, {"kind": "report", "percentage": progress.percentage, "message": message}
            )  # fmt: skip

    def _tell_status(self, progress: IndexProgress) -> None:
        if "statusChanged" in self._ls.opted_in:
            state: dict[str, object] = {
                "state": progress.phase,
                "files": progress.done,
                "pendingFiles": progress.total - progress.done,
                "revision": progress.revision,
            }
            if state != self._told:
                self._told = state
                self._ls.protocol.notify("context/statusChanged", state)

    def _finish(self, progress: IndexProgress) -> None:
        if self._token is not None:
            notify(self._ls, self._token, {"kind": "end", "message": f"{progress.total} files"})
            self._token = None
