"""The loop: test → failures → context → model → edits → test, until green, stuck, or out of rounds.

The model is any command that reads a prompt on stdin and writes SEARCH/REPLACE blocks to stdout. Nothing is
written unless the pack shows the failing code, and nothing stays written unless the tests end green.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from ..edits.errors import BlockError
from ..model.errors import ModelCommandError
from ..model.failure import FailureReport
from ..model.pack import ContextPack
from ..model.request import Budget, BuildRequest, FailureOutput
from ..session.editing import plan, write
from ..session.session import Session
from .arms import Arm, builder_of
from .commands import Finished, run_joined, run_piped
from .prompt import prompt_of
from .safety import Originals
from .trace import SOLVED, LeftOut, Outcome, Round, ShownItem, TestRun, Trace

MAX_STALLED = 2
"""Rounds without progress in a row that end the loop."""

KEPT_OUTPUT = 20_000
"""Characters of test output kept in the trace: its end."""

MAX_LISTED = 200


@dataclass(frozen=True, slots=True)
class FixOptions:
    """What a fix runs with. Times in seconds, the budget in tokens; `goal` is the user's own words."""

    test: tuple[str, ...]
    model: tuple[str, ...]
    rounds: int = 5
    budget: int = 8_000
    goal: str = ""
    test_seconds: float = 600.0
    model_seconds: float = 600.0
    arm: Arm = Arm.FULL


@dataclass(slots=True)
class _State:
    """What a fix knows between two rounds."""

    test: TestRun
    failing: frozenset[str]
    output: bytes
    feedback: list[str] = field(default_factory=list[str])
    rounds: list[Round] = field(default_factory=list[Round])
    stalled: int = 0


Progress = Callable[[str], None]


def quiet(_: str) -> None:
    """For callers who want no progress."""


def fix(session: Session, folder: Path, options: FixOptions, safety: str = "", progress: Progress = quiet) -> Trace:
    """Run the loop in `folder`, which is the session's root. Raises ModelCommandError for a command that cannot run."""
    originals = Originals(folder)
    progress(f"running {' '.join(options.test)}")
    state = _State(*_tested(session, folder, options))
    first = state.test
    outcome = Outcome.ALREADY_GREEN if first.code == 0 and not first.timed_out else None
    try:
        while outcome is None:
            outcome = _round(session, folder, options, state, originals, progress)
    except BaseException:
        session.files_changed(originals.restore())
        raise
    patch = originals.patch()
    restored = () if outcome in SOLVED else originals.restore()
    session.files_changed(restored)
    return Trace(
        outcome, options.test, options.model, str(options.arm), first, tuple(state.rounds), restored, safety, patch
    )


def _round(
    session: Session, folder: Path, options: FixOptions, state: _State, originals: Originals, progress: Progress
) -> Outcome | None:
    """One round; how the fix ends with it, None to go on."""
    number = len(state.rounds) + 1
    progress(f"round {number}: {len(state.failing)} failures; building context")
    pack = builder_of(session, options.arm)(_request(options, state.output))
    prompt = prompt_of(options.test, options.goal, pack.rendered or "", state.feedback)
    begun = _begun(number, pack, prompt)
    if pack.selection.missing_critical:
        state.rounds.append(replace(begun, refused="the pack does not show the failing code; raise the budget"))
        return Outcome.BLOCKED
    progress(f"round {number}: asking the model ({pack.selection.used} tokens of code)")
    asked = run_piped(options.model, folder, options.model_seconds, prompt.encode("utf-8", "replace"))
    answer = asked.output.decode("utf-8", "replace")
    begun = replace(begun, answer=answer, model_seconds=asked.seconds)
    if asked.code != 0 or asked.timed_out:
        state.rounds.append(replace(begun, refused=_model_failure(asked)))
        return Outcome.MODEL_FAILED
    try:
        edits = plan(session, answer)
        originals.note(file.path for file in edits.files)
        written = write(session, edits)
    except BlockError as error:
        state.rounds.append(replace(begun, refused=str(error)))
        state.feedback.append(f"round {number}: nothing was changed, the answer was refused: {error}")
        return _stalled(options, state)
    progress(f"round {number}: {len(written)} files changed; testing")
    before = state.failing
    state.test, state.failing, state.output = _tested(session, folder, options)
    state.rounds.append(replace(begun, edited=written, diff=edits.diff, test=state.test))
    if state.test.code == 0 and not state.test.timed_out:
        return Outcome.GREEN
    same = state.failing >= before and bool(before)
    state.feedback.append(
        f"round {number}: changed {', '.join(written)}; "
        + ("the same failures are left" if same else "the failures are others now, see below")
        + f". The change:\n{edits.diff}"
    )
    if same:
        return _stalled(options, state)
    state.stalled = 0
    return _after(options, state)


def _stalled(options: FixOptions, state: _State) -> Outcome | None:
    state.stalled += 1
    return Outcome.NO_PROGRESS if state.stalled >= MAX_STALLED else _after(options, state)


def _after(options: FixOptions, state: _State) -> Outcome | None:
    return Outcome.ROUNDS if len(state.rounds) >= options.rounds else None


def _request(options: FixOptions, output: bytes) -> BuildRequest:
    return BuildRequest(
        failure_output=(FailureOutput(output),), task=options.goal, budget=Budget(limit=options.budget), explain=True
    )


def _tested(session: Session, folder: Path, options: FixOptions) -> tuple[TestRun, frozenset[str], bytes]:
    """Run the tests; the run, its failures by identity, and its raw output."""
    done = run_joined(options.test, folder, options.test_seconds)
    session.reindex()
    session.wait_fresh(60.0)
    report = session.parse_failures(FailureOutput(done.output))
    failing = frozenset(_identities(report, done))
    mask = session.policy.mask
    text = mask(done.output.decode("utf-8", "replace")).text[-KEPT_OUTPUT:]
    shown = tuple(mask(one).text for one in sorted(failing))
    return TestRun(done.code, done.seconds, done.timed_out, shown, text), failing, done.output


def _identities(report: FailureReport, done: Finished) -> list[str]:
    """What makes a failure the same in two runs: test, file and message, never a line number."""
    found: list[str] = []
    for failure in report.failures:
        primary = failure.primary
        place = primary.path if primary is not None else ""
        message = failure.message.strip().partition("\n")[0]
        found.append(f"{failure.test or place}: {message}" if failure.test or place else message)
    if not found and (done.code != 0 or done.timed_out):
        found.append("the command took too long" if done.timed_out else f"exit code {done.code}")
    return found


def _begun(number: int, pack: ContextPack, prompt: str) -> Round:
    selection = pack.selection
    return Round(
        number=number,
        shown=tuple(ShownItem(item.id, str(item.reason), item.why, item.cost) for item in selection.items),
        left_out=tuple(LeftOut(one.id, str(one.cause), one.cost) for one in selection.omitted[:MAX_LISTED]),
        sources={
            name: {"found": count.found, "admitted": count.admitted, "omitted": count.omitted, "cut": count.cut}
            for name, count in selection.sources.items()
        },
        used=selection.used,
        budget=selection.budget,
        fingerprint=selection.fingerprint,
        missing_critical=selection.missing_critical,
        prompt=prompt,
        answer="",
        model_seconds=0.0,
        refused="",
        edited=(),
        diff="",
        test=None,
    )


def _model_failure(asked: Finished) -> str:
    errors = asked.errors.decode("utf-8", "replace").strip()[-500:]
    what = "took too long" if asked.timed_out else f"ended with code {asked.code}"
    return f"the model command {what}{f': {errors}' if errors else ''}"


def solved(session: Session, folder: Path, options: FixOptions) -> bool:
    """Task success of one case, for evaluations: True when the loop ends green. The folder is put back if not."""
    try:
        return fix(session, folder, options).solved
    except ModelCommandError:
        return False
