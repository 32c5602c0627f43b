"""The last gate before ranking: nothing of a denied file competes, not even when it is the failing file."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..model.candidate import Candidate, Cause, Rejected
from ..model.lines import LineRange

PLACEHOLDER = LineRange(1, 1)
"""Stands for the range of a denied file's candidate."""


def everything_allowed(_path: str) -> bool:
    """The gate of callers whose candidates are not from a workspace."""
    return True


def withhold(
    candidates: Iterable[Candidate], allowed: Callable[[str], bool]
) -> tuple[tuple[Candidate, ...], tuple[Rejected, ...]]:
    """Candidates whose file may be shown, and a placeholder without text, range or score for each other one."""
    kept: list[Candidate] = []
    denied: list[Rejected] = []
    for candidate in candidates:
        if allowed(candidate.path):
            kept.append(candidate)
        else:
            denied.append(_placeholder(candidate))
    return tuple(kept), tuple(denied)


def _placeholder(candidate: Candidate) -> Rejected:
    return Rejected(
        id=candidate.id,
        path=candidate.path,
        range=PLACEHOLDER,
        reason=candidate.reason,
        source=candidate.source,
        score=0.0,
        cause=Cause.POLICY,
        detail="the privacy policy forbids showing this file",
        group=candidate.group,
        required=candidate.required,
    )
