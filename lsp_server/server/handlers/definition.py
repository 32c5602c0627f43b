"""`textDocument/definition`: where a name is defined, by scopes, imports and packages. Syntactic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from ...context.navigation import definitions_at
from ..features import Asked, answer

if TYPE_CHECKING:
    from ..app import ContextServer


async def handle(ls: ContextServer, params: types.DefinitionParams) -> list[types.Location]:
    """The definitions, best first; empty when the name's meaning is not known."""
    found = await answer(ls, params.text_document.uri, params.position, _locations)
    return ls.partial(params.partial_result_token, found or [])


def _locations(asked: Asked) -> list[types.Location]:
    targets = definitions_at(asked.resolver, asked.path, asked.line, asked.column)
    return asked.locations.of_symbols(asked.snapshot, targets)
