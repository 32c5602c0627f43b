"""The trace of a fix: what was seen, shown, asked, edited and found in every round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

TRACE_SCHEMA = 1


class Outcome(StrEnum):
    """How a fix ended."""

    GREEN = "green"
    """The test command succeeds."""
    ALREADY_GREEN = "already-green"
    """It did so before anything was done."""
    NO_PROGRESS = "no-progress"
    """Rounds went by without fewer or other failures."""
    ROUNDS = "rounds"
    """The rounds are used up."""
    BLOCKED = "missing-critical"
    """The failing code did not fit the pack: nothing may be written without it."""
    MODEL_FAILED = "model-failed"
    """The model command failed or took too long."""


SOLVED = frozenset({Outcome.GREEN, Outcome.ALREADY_GREEN})


@dataclass(frozen=True, slots=True)
class TestRun:
    """One run of the test command. `failures` are first lines of messages with their place."""

    __test__ = False

    code: int
    seconds: float
    timed_out: bool
    failures: tuple[str, ...]
    output: str


@dataclass(frozen=True, slots=True)
class ShownItem:
    """An item of the pack."""

    id: str
    reason: str
    why: str
    cost: int


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A candidate that was not shown, and why."""

    id: str
    cause: str
    cost: int | None


@dataclass(frozen=True, slots=True)
class Round:
    """One round: the pack, the prompt, the answer, the edits or their refusal, the tests after them.

    `sources` counts what each source found, got in and lost. `test` is None when nothing was written.
    """

    number: int
    shown: tuple[ShownItem, ...]
    left_out: tuple[LeftOut, ...]
    sources: Mapping[str, Mapping[str, int]]
    used: int
    budget: int
    fingerprint: str
    missing_critical: bool
    prompt: str
    answer: str
    model_seconds: float
    refused: str
    edited: tuple[str, ...]
    diff: str
    test: TestRun | None


@dataclass(frozen=True, slots=True)
class Trace:
    """A whole fix. `restored`: files were put back as they were, because it did not end green.

    `patch` is the whole change against the files as they were, in Git's form and unmasked.
    """

    outcome: Outcome
    test_command: tuple[str, ...]
    model_command: tuple[str, ...]
    arm: str
    first: TestRun
    rounds: tuple[Round, ...]
    restored: tuple[str, ...]
    safety: str
    patch: str = ""
    commit: str | None = None

    @property
    def solved(self) -> bool:
        """True when the test command succeeds in the end."""
        return self.outcome in SOLVED


def trace_to_dict(trace: Trace) -> dict[str, Any]:
    """The plain JSON form, camelCase; without the patch, which alone is unmasked."""
    plain: dict[str, Any] = _camel(asdict(trace))
    del plain["patch"]
    return {"schema": TRACE_SCHEMA, "solved": trace.solved, **plain}


def _camel(value: Any) -> Any:
    if isinstance(value, dict):
        return {_camel_name(str(key)): _camel(entry) for key, entry in value.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(value, list | tuple):
        return [_camel(entry) for entry in value]  # pyright: ignore[reportUnknownVariableType]
    return str(value) if isinstance(value, Outcome) else value


def _camel_name(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)
