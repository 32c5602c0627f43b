"""The last gate before ranking: nothing of a denied file competes, not even when it is the failing file."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..model.candidate import Candidate, Cause, Reason, Rejected
from ..model.lines import LineRange
from ..model.request import BuildRequest

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


def denied_names(
    request: BuildRequest, denied: Callable[[str], bool], told: Iterable[Rejected] = ()
) -> tuple[Rejected, ...]:
    """A placeholder for each denied file that the request names and `told` does not tell of yet.

    Such a file is not in the index, so no source proposes it; without this it would be missing in silence.
    """
    known = {one.path for one in told}
    named: dict[str, tuple[Reason, str, bool]] = {}
    for mention in request.mentions:
        if mention.path is not None:
            named.setdefault(mention.path, (Reason.MENTION, "mention", True))
    for diagnostic in request.diagnostics:
        named.setdefault(diagnostic.path, (Reason.FAILURE, "failure", False))
        for related in diagnostic.related:
            named.setdefault(related.path, (Reason.REFERENCE, "related", False))
    return tuple(
        Rejected(
            id=f"{path}:denied",
            path=path,
            range=PLACEHOLDER,
            reason=reason,
            source=source,
            score=0.0,
            cause=Cause.POLICY,
            detail="the privacy policy forbids showing this file",
            required=required,
        )
        for path, (reason, source, required) in named.items()
        if path not in known and denied(path)
    )


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
