"""Short ways to write candidates, and strategies for random tasks, shared by the selection tests."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from hypothesis import strategies as st

from lsp_server.context.evidence import NO_EVIDENCE, Evidence
from lsp_server.context.order import Priced, rank
from lsp_server.context.passes import NO_BROKEN_GROUPS, Packed, pack
from lsp_server.context.policies import TIERED, Policy
from lsp_server.model.candidate import Candidate, Cause, Reason, Rejected
from lsp_server.model.lines import LineRange
from lsp_server.model.request import Budget, Quota, Unit
from lsp_server.model.values import Value
from lsp_server.text.hashing import content_hash


def candidate(
    id: str,
    path: str = "src/a.py",
    lines: tuple[int, int] = (1, 1),
    reason: str = "search",
    score: float = 1.0,
    content: str | None = None,
    *,
    source: str = "bm25",
    required: bool = False,
    group: str | None = None,
    why: str = "",
) -> Candidate:
    """A candidate whose content names it, unless `content` is given."""
    text = f"text of {id}\n" if content is None else content
    return Candidate(
        id=id,
        path=path,
        range=LineRange(*lines),
        content=text,
        reason=Reason(reason),
        score=score,
        source=source,
        content_hash=content_hash(text),
        why=why,
        required=required,
        group=group,
    )


def failing(*places: tuple[str, int | None]) -> Evidence:
    """Evidence of failing files in order, each with a failing line if it has one."""
    lines: dict[str, tuple[LineRange, ...]] = {}
    for path, line in places:
        if line is not None:
            lines[path] = (*lines.get(path, ()), LineRange(line, line))
    return Evidence(tuple(dict.fromkeys(path for path, _ in places)), lines)


class Case(Value):
    """One random selection task."""

    candidates: tuple[Candidate, ...]
    rejected: tuple[Rejected, ...]
    evidence: Evidence
    budget: Budget


PATHS = ("src/a.py", "src/b.py", "tests/test_a.py")
SOURCES = ("traceback", "definition", "bm25")
GROUPS = (None, None, None, None, "g1", "g2")

FLOORS = ({}, {"reference": 0.25}, {"failing": 0.3, "reference": 0.3, "search": 0.3}, {"search": 1.0})
SCORES = (-2.0, 0.0, 0.0, 1, 1, 0.5, 3.25, 1e9)
REJECTIONS = (Cause.POLICY, Cause.MISSING, Cause.UNREADABLE, Cause.STALE)


def cases() -> st.SearchStrategy[Case]:
    """Tasks with and without required items, floors, groups, caps, rejected candidates and failing lines.

    Made from a size and a seed: a hundred times quicker than drawing every field, and it still shrinks to
    few candidates.
    """
    return st.builds(_case, st.integers(0, 12), st.integers(0, 1 << 32))


def _case(size: int, seed: int) -> Case:
    dice = random.Random(seed)
    required = dice.random() < 0.5
    places = [(dice.choice(PATHS), dice.choice([None, *range(1, 39, 3)])) for _ in range(dice.randrange(4))]
    return Case(_candidates(dice, size, required), _rejected(dice), failing(*places), _budget(dice, required))


def _candidates(dice: random.Random, size: int, required: bool) -> tuple[Candidate, ...]:
    made: list[Candidate] = []
    for index in range(size):
        start = dice.randint(1, 30)
        one = candidate(
            f"c{index}",
            dice.choice(PATHS),
            (start, start + dice.randint(0, 8)),
            dice.choice(list(Reason)),
            dice.choice(SCORES),
            "x" * dice.choice([1, 2, 10, 30, dice.randint(1, 120)]),
            source=dice.choice(SOURCES),
            required=required and dice.random() < 0.25,
            group=dice.choice(GROUPS),
        )
        if not _overlaps_own_group(one, made):
            made.append(one)
    return tuple(made)


def _overlaps_own_group(one: Candidate, others: Sequence[Candidate]) -> bool:
    return one.group is not None and any(
        other.group == one.group and other.path == one.path and other.range.overlaps(one.range) for other in others
    )


def _rejected(dice: random.Random) -> tuple[Rejected, ...]:
    return tuple(
        Rejected(
            id=f"r{index}",
            path=dice.choice(PATHS),
            range=LineRange(1, 1),
            reason=Reason.SEARCH,
            source="bm25",
            score=0.0,
            cause=dice.choice(REJECTIONS),
            group=dice.choice(GROUPS),
        )
        for index in range(dice.choice([0, 0, 1, 2]))
    )


def _budget(dice: random.Random, required: bool) -> Budget:
    """Small enough to matter; with a ceiling only when something may be required."""
    limit = dice.choice([0, dice.randint(1, 150), dice.randint(100, 900), dice.randint(100, 900)])
    return Budget(
        limit=limit,
        unit=Unit.CHARS,
        ceiling=limit + dice.randint(0, 300) if required and dice.random() < 0.5 else None,
        max_items=dice.choice([None, None, dice.randint(0, 8)]),
        per_file=dice.choice([None, None, dice.randint(0, 4)]),
        per_source={
            source: Quota(dice.choice([None, dice.randint(0, 4)]), dice.choice([None, dice.randint(0, 200)]))
            for source in SOURCES
            if dice.random() < 0.25
        },
        floors=dice.choice(FLOORS),
    )


def packed(
    candidates: Sequence[Candidate],
    budget: Budget,
    evidence: Evidence = NO_EVIDENCE,
    policy: Policy = TIERED,
    broken_groups: Mapping[str, str] = NO_BROKEN_GROUPS,
) -> Packed:
    """The packing run alone: costs are characters of content, no overhead."""
    priced = [Priced(one, len(one.content)) for one in candidates]
    return pack(rank(priced, evidence, policy), budget, evidence, policy, broken_groups=broken_groups)


def chosen(run: Packed) -> list[str]:
    """Ids of what a run admitted, in rank order."""
    return [member.candidate.id for unit in run.units for member in unit.members]


def chars(limit: int, **options: object) -> Budget:
    """A budget in characters without floors, unless told otherwise."""
    return Budget(**({"limit": limit, "unit": Unit.CHARS, "floors": {}} | options))  # type: ignore[arg-type]
