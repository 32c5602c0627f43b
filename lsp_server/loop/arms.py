"""What retrieval may use in a fix, to compare what it is worth: all of it, search alone, search and references."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from types import MappingProxyType

from ..context.build import Means, build_context
from ..model.pack import ContextPack
from ..model.request import BuildRequest
from ..retrieval import bm25, caller, definition, diagnostic, test_link
from ..retrieval.gather import Source
from ..session.session import Session
from ..text.tokens import counter_for

Builder = Callable[[BuildRequest], ContextPack]


class Arm(StrEnum):
    """`full` is what everybody gets; the others are for comparison."""

    FULL = "full"
    SEARCH = "search"
    SEARCH_AND_REFERENCES = "search+references"


_SEARCH: tuple[Source, ...] = (diagnostic.candidates, bm25.candidates)
_SOURCES: Mapping[Arm, tuple[Source, ...]] = MappingProxyType(
    {
        Arm.SEARCH: _SEARCH,
        Arm.SEARCH_AND_REFERENCES: (*_SEARCH, definition.candidates, caller.candidates, test_link.candidates),
    }
)


def builder_of(session: Session, arm: Arm) -> Builder:
    """How packs are built in this arm."""
    sources = _SOURCES.get(arm)
    if sources is None:
        return session.build

    def build(request: BuildRequest) -> ContextPack:
        means = Means(
            session.reader(), session.policy, counter_for(session.settings.counter), sources=sources, followers=()
        )
        return build_context(session.snapshot(), request, means)

    return build
