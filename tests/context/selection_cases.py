"""Short ways to write candidates, and strategies for random tasks, shared by the selection tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

from lsp_server.context.evidence import NO_EVIDENCE, Evidence
from lsp_server.context.order import Priced, rank
from lsp_server.context.passes import NO_BROKEN_GROUPS, Packed, pack
from lsp_server.context.policies import TIERED, Policy
from lsp_server.model.candidate import Candidate, Cause, Reason, Rejected
from lsp_server.model.lines import LineRange
from lsp_server.model.request import Budget, Quota, Unit
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


@dataclass(frozen=True)
class Case:
    """One random selection task."""

    candidates: tuple[Candidate, ...]
    rejected: tuple[Rejected, ...]
    evidence: Evidence
    budget: Budget


PATHS = ("src/a.py", "src/b.py", "tests/test_a.py")
SOURCES = ("traceback", "definition", "bm25")
GROUPS = (None, None, None, None, "g1", "g2")

_floors = st.sampled_from([{}, {"reference": 0.25}, {"failing": 0.3, "reference": 0.3, "search": 0.3}, {"search": 1.0}])
_quota = st.builds(Quota, st.none() | st.integers(0, 4), st.none() | st.integers(0, 200))


@st.composite
def _candidates(draw: st.DrawFn, required: bool) -> tuple[Candidate, ...]:
    made: list[Candidate] = []
    for index in range(draw(st.integers(0, 12))):
        start = draw(st.integers(1, 30))
        one = candidate(
            f"c{index}",
            draw(st.sampled_from(PATHS)),
            (start, start + draw(st.integers(0, 8))),
            draw(st.sampled_from(list(Reason))),
            draw(st.floats(-5, 5, allow_nan=False) | st.integers(-2, 2)),
            "x" * draw(st.integers(1, 60)),
            source=draw(st.sampled_from(SOURCES)),
            required=required and draw(st.integers(0, 4)) == 0,
            group=draw(st.sampled_from(GROUPS)),
        )
        if not _overlaps_own_group(one, made):
            made.append(one)
    return tuple(made)


def _overlaps_own_group(one: Candidate, others: Sequence[Candidate]) -> bool:
    return one.group is not None and any(
        other.group == one.group and other.path == one.path and other.range.overlaps(one.range) for other in others
    )


@st.composite
def _rejected(draw: st.DrawFn) -> tuple[Rejected, ...]:
    causes = [Cause.POLICY, Cause.MISSING, Cause.UNREADABLE, Cause.STALE]
    return tuple(
        Rejected(
            id=f"r{index}",
            path=draw(st.sampled_from(PATHS)),
            range=LineRange(1, 1),
            reason=Reason.SEARCH,
            source="bm25",
            score=0.0,
            cause=draw(st.sampled_from(causes)),
            group=draw(st.sampled_from(GROUPS)),
        )
        for index in range(draw(st.integers(0, 2)))
    )


@st.composite
def budgets(draw: st.DrawFn, required: bool) -> Budget:
    """Budgets in characters, small enough to matter; ceilings only when something may be required."""
    limit = draw(st.integers(0, 900))
    ceiling = limit + draw(st.integers(0, 300)) if required and draw(st.booleans()) else None
    per_source: Mapping[str, Quota] = draw(st.dictionaries(st.sampled_from(SOURCES), _quota, max_size=2))
    return Budget(
        limit=limit,
        unit=Unit.CHARS,
        ceiling=ceiling,
        max_items=draw(st.none() | st.integers(0, 8)),
        per_file=draw(st.none() | st.integers(0, 4)),
        per_source=per_source,
        floors=draw(_floors),
    )


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Tasks with and without required items, floors, groups, caps, rejected candidates and failing lines."""
    required = draw(st.booleans())
    places = draw(st.lists(st.tuples(st.sampled_from(PATHS), st.none() | st.integers(1, 38)), max_size=3))
    return Case(
        candidates=draw(_candidates(required)),
        rejected=draw(_rejected()),
        evidence=failing(*places),
        budget=draw(budgets(required)),
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
