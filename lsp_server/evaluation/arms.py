"""The arms of one run: systems that answer the same cases under the same budget."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from ..retrieval import (
    bm25,
    caller,
    change,
    definition,
    diagnostic,
    head,
    second_hop,
    test_link,
)
from ..retrieval.gather import FOLLOWERS, SOURCES, Follower, Source

F = TypeVar("F", bound=Callable[..., object])

SEARCH: tuple[Source, ...] = (diagnostic.candidates, bm25.candidates)
REFERENCES: tuple[Source, ...] = (definition.candidates, caller.candidates, test_link.candidates)


@dataclass(frozen=True, slots=True)
class Arm:
    """One system: a policy over some sources."""

    name: str
    policy: str | None = None
    sources: tuple[Source, ...] = SOURCES
    followers: tuple[Follower, ...] = FOLLOWERS


LEFT_OUT: Mapping[str, tuple[Callable[..., object], ...]] = {
    "assertion-call+definition": (definition.candidates,),
    "test-link": (test_link.candidates,),
    "caller": (caller.candidates,),
    "change": (change.candidates,),
    "bm25": (bm25.candidates,),
    "hop2": (second_hop.candidates,),
    "type+head": (head.candidates,),
}
"""What is left out in turn to see what it is worth."""


def standard_arms() -> tuple[Arm, ...]:
    """The default policy, the other policies, and partial systems to compare with."""
    return (
        Arm("default"),
        Arm("tiered", policy="tiered"),
        Arm("fused", policy="fused"),
        Arm("search", policy="fused", sources=SEARCH, followers=()),
        Arm("search+references", policy="fused", sources=SEARCH + REFERENCES, followers=()),
    )


def leave_one_out_arms() -> tuple[Arm, ...]:
    """The default policy without one source each."""
    return tuple(
        Arm(f"without {name}", sources=_without(SOURCES, gone), followers=_without(FOLLOWERS, gone))
        for name, gone in LEFT_OUT.items()
    )


def _without(functions: Iterable[F], gone: tuple[Callable[..., object], ...]) -> tuple[F, ...]:
    return tuple(function for function in functions if function not in gone)
