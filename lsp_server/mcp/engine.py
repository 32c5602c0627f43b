"""Who answers the tools: the editor's running server when there is one, else an index of our own."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..session.session import Session
from ..session.sharing import NobodyShares, ask_shared
from ..session.tools import ask

FRESH_SECONDS = 30.0
"""How long the first question waits for our own index; after that it is answered from what there is."""


class Engine:
    """Asks the session that shares the workspace; without one it opens its own, once, and keeps it."""

    def __init__(self, folders: Sequence[Path], assignments: Sequence[str] = ()) -> None:
        self._folders = tuple(folders)
        self._assignments = tuple(assignments)
        self._own: Session | None = None
        self._opening = asyncio.Lock()

    async def ask(self, tool: str, params: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
        """The answer, and whether it came from a running server. Raises RequestError or EditError."""
        given = {name: value for name, value in params.items() if value is not None}
        try:
            return await asyncio.to_thread(ask_shared, self._folders, tool, given), True
        except NobodyShares:
            session = await self._own_session()
        job = session.submit(lambda checkpoint: ask(session, tool, given, checkpoint))
        try:
            return await asyncio.wrap_future(job.future), False
        except asyncio.CancelledError:
            job.cancel()
            raise

    async def _own_session(self) -> Session:
        async with self._opening:
            if self._own is None:
                self._own = await asyncio.to_thread(Session.open, self._folders, self._assignments)
                await asyncio.to_thread(self._own.wait_fresh, FRESH_SECONDS)
            return self._own

    def close(self) -> None:
        """End our own session, if there is one."""
        if self._own is not None:
            self._own.close()
