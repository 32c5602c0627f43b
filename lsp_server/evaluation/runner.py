"""Runs arms over cases: one index a case, one answer an arm and budget."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

from ..context.build import Means, build_context
from ..model.pack import ContextPack
from ..model.request import Budget, BuildRequest, RenderFormat, RenderOptions, Stop
from ..model.values import Value, replace
from ..workspace.privacy import PrivacyPolicy
from .arms import Arm
from .cases import Case, Span
from .counting import BenchmarkCounter, BenchmarkTemplate
from .indexing import FactsByContent, Indexed
from .metrics import Answer, Score, score
from .workspaces import Workspace

Locate = Callable[[Case], Workspace]


class Result(Value):
    """What one arm answered to one case under one budget, and how good that was. Baselines make no pack."""

    case: Case
    arm: str
    budget: int
    answer: Answer
    score: Score
    pack: ContextPack | None = None


def run(
    cases: Sequence[Case], arms: Sequence[Arm], budgets: Sequence[int], locate: Locate, stop: Stop
) -> Iterator[Result]:
    """All results, case by case, in the order given."""
    facts = FactsByContent()
    for case in cases:
        indexed = facts.index(locate(case))
        for arm in arms:
            for budget in budgets:
                yield answer_case(case, arm, budget, indexed, stop)


def answer_case(case: Case, arm: Arm, budget: int, indexed: Indexed, stop: Stop) -> Result:
    """One arm's answer to one case under one budget, by the benchmark's own counting."""
    if arm.baseline is not None:
        begin = time.perf_counter()
        answer = arm.baseline(case, indexed, budget)
        answer = replace(answer, milliseconds=(time.perf_counter() - begin) * 1_000)
        return Result(case, arm.name, budget, answer, score(case, answer, indexed.lines_of))
    begin = time.perf_counter()
    pack = build_context(indexed.snapshot, request_of(case, arm, budget, stop), means_of(arm, indexed))
    milliseconds = (time.perf_counter() - begin) * 1_000
    answer = Answer(
        spans=tuple(Span(item.path, item.range) for item in pack.selection.items),
        file_rank=file_rank(pack),
        tokens=pack.selection.used,
        milliseconds=milliseconds,
    )
    return Result(case, arm.name, budget, answer, score(case, answer, indexed.lines_of), pack)


def request_of(case: Case, arm: Arm, budget: int, stop: Stop) -> BuildRequest:
    """The case's request under the arm's policy, with parts and trails kept for the analysis."""
    return replace(
        case.request,
        budget=Budget(limit=budget, stop=stop),
        render=RenderOptions(RenderFormat.NONE),
        policy=arm.policy,
        explain=True,
    )


def means_of(arm: Arm, indexed: Indexed) -> Means:
    """The arm's sources over an indexed workspace, counted as the benchmark counts."""
    return Means(
        reader=indexed.reader,
        privacy=PrivacyPolicy(),
        counter=BenchmarkCounter(),
        sources=arm.sources,
        followers=arm.followers,
        without=arm.without,
        template=BenchmarkTemplate(),
        changes=indexed.changes,
    )


def file_rank(pack: ContextPack) -> tuple[str, ...]:
    """Files by their best candidate, those of omitted candidates included."""
    ranked = [(item.rank, item.path) for item in pack.selection.items]
    ranked += [(one.rank, one.path) for one in pack.selection.omitted if one.rank is not None]
    return tuple(dict.fromkeys(path for _, path in sorted(ranked)))
