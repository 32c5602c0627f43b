"""How likely each lead holds the fix, beside what its score says. Read by `budget.stop: auto` alone.

The score of the `fused` policy was fitted to bring right places early, anywhere within thousands of tokens; it
does not tell how sure the first one is. What does is fitted apart: a conditional logit over the units of a
filled pack (McFadden 1974), on the same public bug fixes (`python -m lsp_server.evaluation.fit_stop`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..model.errors import SourceError
from ..model.failure import Failure
from ..model.values import Value, replace
from .lead import Lead
from .naming import stems
from .scene import FailingUnit, Scene

MAX_TESTS = 20
RAISES = re.compile(r"\b(?:raise|throw|panic)\b")
"""Code that fails on purpose judges what others gave it."""


class OddsTable(Value):
    """Weights of the log-odds that a unit holds the fix, against the other units of the pack.

    `score` weighs the logarithm of the score as a share of the best, `rank` that of the place in the pack,
    `size` that of the bytes (a larger unit holds more that may be wrong). `words` weighs the sum of the parts
    `bm25` and `bm25:message`, `named` the share of its name's words that a failing test's name has, `breaks`
    that a test calls it and it fails by itself.
    """

    score: float
    rank: float
    size: float
    words: float
    named: float
    breaks: float


ODDS = OddsTable(score=1.28, rank=-0.53, size=0.55, words=0.97, named=0.59, breaks=2.27)

TRAITS = ("words", "named", "breaks")
"""The weights that one lead decides alone, in the order of `traits`; the others need the whole pack."""


class Clues(Value):
    """What the failures say to all leads: words of the failing tests' names, and places that break by themselves."""

    names: frozenset[str] = frozenset()
    breaking: frozenset[tuple[str, int]] = frozenset()


NO_CLUES = Clues()


def clues_of(scene: Scene) -> Clues:
    """The clues of a scene; no failure, no clue."""
    by_failure: dict[str, list[FailingUnit]] = {}
    for failing in scene.failing:
        by_failure.setdefault(failing.failure.id, []).append(failing)
    breaking = (_breaking(scene, units) for units in by_failure.values())
    names = {name for failure in scene.report.failures[:MAX_TESTS] for name in _names(failure, by_failure)}
    return Clues(
        frozenset(word for name in names for word in stems(name)), frozenset(place for place in breaking if place)
    )


def _names(failure: Failure, by_failure: dict[str, list[FailingUnit]]) -> list[str]:
    if failure.test:
        return [failure.test]
    return [failing.unit.name for failing in by_failure.get(failure.id, ()) if failing.unit.is_test]


def _breaking(scene: Scene, failing: list[FailingUnit]) -> tuple[str, int] | None:
    """The failing line of the only unit between a test and its failure, unless it fails on purpose."""
    code = {one.unit.id: one for one in failing if not one.unit.is_test}
    if len(code) != 1 or len(code) == len(failing):
        return None
    only = next(iter(code.values()))
    if only.location != only.failure.primary or _raises(scene, only):
        return None
    return (only.location.path, only.location.line)


def _raises(scene: Scene, failing: FailingUnit) -> bool:
    """True when the failing line, or the one above it (a call over several lines), raises on purpose."""
    try:
        lines = scene.reader.read(failing.location.path).lines
    except SourceError:
        return False
    last = failing.location.line
    return any(RAISES.search(line) for line in lines[max(0, last - 2) : last])


def traits(lead: Lead, clues: Clues) -> tuple[float, ...]:
    """The values that TRAITS names."""
    own = stems(lead.name.rsplit(".", 1)[-1])
    named = sum(word in clues.names for word in own) / len(own) if own else 0.0
    breaks = any(path == lead.path and lead.range.contains(line) for path, line in clues.breaking)
    words = lead.parts.get("bm25", 0.0) + lead.parts.get("bm25:message", 0.0)
    return (words, named, float(breaks))


def with_odds(leads: Iterable[Lead], clues: Clues, table: OddsTable = ODDS) -> tuple[Lead, ...]:
    """The same leads with the log-odds that their traits give them."""
    weights = [float(getattr(table, name)) for name in TRAITS]
    return tuple(
        replace(lead, log_odds=sum(w * value for w, value in zip(weights, traits(lead, clues), strict=True)))
        for lead in leads
    )
