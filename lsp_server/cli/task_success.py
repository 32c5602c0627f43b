"""Task success for `eval`: the fix loop over every case with a given model command, by what retrieval may use.

A success is a test command that ends green, never a guess. Each attempt works on a copy of the case's
workspace, so that nothing of one attempt is seen by the next.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from ..evaluation.cases import Case
from ..evaluation.workspaces import Workspace
from ..loop.arms import Arm
from ..loop.fix import FixOptions, solved
from ..model.values import Value
from ..session.session import Session


class Attempt(Value):
    """One case tried with one arm; `solved` as the test command said."""

    case: str
    arm: str
    solved: bool


def attempts(
    cases: Sequence[Case],
    locate: Callable[[Case], Workspace],
    test: tuple[str, ...],
    model: tuple[str, ...],
    rounds: int,
) -> Iterator[Attempt]:
    """Every case with every arm, in order. Raises RequestError for a workspace that is not there."""
    for case in cases:
        source = locate(case).folder
        for arm in Arm:
            options = FixOptions(test, model, rounds=rounds, goal=case.request.task, arm=arm)
            yield Attempt(case.id, str(arm), _tried(source, options))


def _tried(source: Path, options: FixOptions) -> bool:
    with tempfile.TemporaryDirectory(prefix="repo-context-") as scratch:
        folder = Path(scratch) / "workspace"
        shutil.copytree(source, folder, symlinks=True)
        with Session.open([folder], ["cache.enabled=false", "share=false"]) as session:
            session.wait_fresh()
            return solved(session, folder, options)


def success_text(tried: Sequence[Attempt]) -> str:
    """One line an arm: solved of tried, and the share."""
    lines = ["", "task success (the test command ended green):"]
    for arm in Arm:
        own = [one for one in tried if one.arm == arm]
        if own:
            won = sum(one.solved for one in own)
            lines.append(f"  {arm:18} {won} of {len(own)}  {won / len(own):.2f}")
    return "\n".join(lines)
