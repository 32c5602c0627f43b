"""The arms of one run: systems that answer the same cases under the same budget."""

from __future__ import annotations

from ..model.errors import RequestError
from ..model.values import Value
from ..retrieval import bm25, caller, definition, diagnostic, spectrum, test_link, unknown_name, walk
from ..retrieval.gather import FOLLOWERS, SOURCES, Follower, Source
from . import baselines
from .baselines import Baseline

SEARCH: tuple[Source, ...] = (diagnostic.candidates, bm25.candidates)
REFERENCES: tuple[Source, ...] = (
    definition.candidates,
    walk.candidates,
    caller.candidates,
    spectrum.candidates,
    test_link.candidates,
    unknown_name.candidates,
)
FILES = ("file:words", "file:test", "file:near")


class Arm(Value):
    """One system: a policy over some sources, or a `baseline` that shares nothing with the pipeline.

    `without` are parts (or prefixes of parts, ended by `:`) that are taken out of every place's score.
    """

    name: str
    policy: str | None = None
    sources: tuple[Source, ...] = SOURCES
    followers: tuple[Follower, ...] = FOLLOWERS
    without: frozenset[str] = frozenset()
    baseline: Baseline | None = None


DEFAULT_ARM = Arm("default")

LEFT_OUT: dict[str, tuple[str, ...]] = {
    "failing units": ("traceback", "diagnostic"),
    "assertion-call+definition": ("assertion-call", "definition"),
    "hop2": ("hop2",),
    "all links": ("assertion-call", "definition", "hop2"),
    "spectrum": ("spectrum",),
    "test-link": ("test-link",),
    "import": ("import",),
    "caller": ("caller",),
    "change": ("change",),
    "cochange": ("cochange",),
    "bm25": ("bm25",),
    "bm25:message": ("bm25:message",),
    "name": ("name",),
    "all words": ("bm25", "bm25:message", "name"),
    "type+head": ("type", "head"),
    "file:words": ("file:words",),
    "file:test": ("file:test",),
    "file:near": ("file:near",),
}
"""What is left out in turn to see what it is worth."""


def standard_arms() -> tuple[Arm, ...]:
    """The default policy, the other policies, partial systems, and systems that share nothing with it."""
    return (
        DEFAULT_ARM,
        Arm("tiered", policy="tiered"),
        Arm("fused", policy="fused"),
        Arm("search", policy="fused", sources=SEARCH, followers=(), without=frozenset(FILES)),
        Arm("search+references", policy="fused", sources=SEARCH + REFERENCES, followers=()),
        Arm("bm25-functions", baseline=baselines.functions),
        Arm("bm25-functions-tests-demoted", baseline=baselines.functions_tests_demoted),
        Arm("failing-lines+bm25-functions-tests-demoted", baseline=baselines.failing_lines_and_functions),
        Arm("bm25-files", baseline=baselines.files),
        Arm("full-context", baseline=baselines.everything),
    )


def leave_one_out_arms() -> tuple[Arm, ...]:
    """The default policy without one source each."""
    return tuple(Arm(f"without {name}", without=frozenset(parts)) for name, parts in LEFT_OUT.items())


def arms_named(names: str) -> tuple[Arm, ...]:
    """The arms of a comma-separated list; RequestError for one that is not known."""
    known = {arm.name: arm for arm in (*standard_arms(), *leave_one_out_arms())}
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    for name in wanted:
        if name not in known:
            raise RequestError("--arms", f"unknown arm {name!r}; known: {', '.join(known)}")
    return tuple(known[name] for name in wanted)
