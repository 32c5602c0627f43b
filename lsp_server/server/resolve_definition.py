"""`context/resolveDefinition`: the editor asks the language servers it already runs, for clients that offer it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, cast

from ..session.exact import AskedName, Definition
from .locations import Locations

if TYPE_CHECKING:
    from .app import ContextServer

METHOD = "context/resolveDefinition"


class ClientDefinitions:
    """A `DefinitionAsker` over one connection; called from request threads, asks on the loop."""

    def __init__(self, ls: ContextServer, loop: asyncio.AbstractEventLoop) -> None:
        self._ls = ls
        self._loop = loop

    def __call__(self, asked: Sequence[AskedName], seconds: float) -> Future[Sequence[Definition]]:
        locations = Locations(self._ls)
        positions: list[dict[str, Any]] = []
        for name in asked:
            start = locations.name_range(name.site).start
            position = {"line": start.line, "character": start.character}
            positions.append({"uri": locations.uri(name.site.path), "position": position})
        params = {"positions": positions, "deadlineMs": int(seconds * 1000)}
        return asyncio.run_coroutine_threadsafe(self._ask(params), self._loop)

    async def _ask(self, params: dict[str, Any]) -> Sequence[Definition]:
        answer = await self._ls.ask_client(METHOD, params)
        if not isinstance(answer, Mapping):
            return ()
        entries = cast(Mapping[str, Any], answer).get("definitions")
        if not isinstance(entries, list):
            return ()
        return [self._definition(entry) for entry in cast(list[Any], entries)]

    def _definition(self, entry: Any) -> Definition:
        """An entry that is not as agreed counts as empty: what a client sends is not trusted to be whole."""
        if not isinstance(entry, Mapping):
            return Definition("", ())
        raw = cast(Mapping[str, Any], entry)
        provider = raw.get("provider")
        locations = raw.get("locations")
        places: list[tuple[str, int]] = []
        for location in cast(list[Any], locations) if isinstance(locations, list) else ():
            try:
                uri, line = location["uri"], location["range"]["start"]["line"]
                places.append((self._ls.session.key_of(str(uri)), int(line) + 1))
            except (KeyError, TypeError, ValueError):
                continue
        return Definition(provider if isinstance(provider, str) else "", tuple(places))
