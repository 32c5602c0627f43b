"""`verify`: is what was shown earlier still what the code says?"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from ..model.errors import SourceDenied, SourceError, SourceMissing
from ..model.lines import LineRange
from ..model.source import SourceText
from ..model.values import Value
from ..text.hashing import content_hash
from .json import lines_to_dict
from .looking import Looking

MAX_SEARCHED_LINES = 50_000
"""A moved snippet is looked for in files of at most so many lines."""


class State(StrEnum):
    """What became of a snippet."""

    SAME = "same"
    MOVED = "moved"
    CHANGED = "changed"
    MISSING = "missing"
    DENIED = "denied"


class Claim(Value):
    """What was shown: lines of a path, with the hash of the text as shown."""

    id: str
    path: str
    range: LineRange
    content_hash: str


class Verdict(Value):
    """A claim and what became of it; `now` are the lines where the same text stands, if it stands anywhere."""

    claim: Claim
    state: State
    now: LineRange | None = None


def verify(looking: Looking, claims: Iterable[Claim]) -> tuple[Verdict, ...]:
    """A verdict for each claim, in order."""
    verdicts: list[Verdict] = []
    for claim in claims:
        looking.checkpoint()
        verdicts.append(_verdict(looking, claim))
    return tuple(verdicts)


def _verdict(looking: Looking, claim: Claim) -> Verdict:
    if not looking.allowed(claim.path):
        return Verdict(claim, State.DENIED)
    try:
        text = looking.shown(claim.path)
    except SourceDenied:
        return Verdict(claim, State.DENIED)
    except SourceMissing:
        return Verdict(claim, State.MISSING)
    except SourceError:
        return Verdict(claim, State.CHANGED)
    if claim.range.end <= len(text.lines) and content_hash(text.slice(claim.range)) == claim.content_hash:
        return Verdict(claim, State.SAME, claim.range)
    moved = _find(text, len(claim.range), claim)
    return Verdict(claim, State.CHANGED) if moved is None else Verdict(claim, State.MOVED, moved)


def _find(text: SourceText, size: int, claim: Claim) -> LineRange | None:
    """The same text elsewhere in the file, nearest first."""
    if len(text.lines) > MAX_SEARCHED_LINES:
        return None
    starts = sorted(range(1, len(text.lines) - size + 2), key=lambda start: abs(start - claim.range.start))
    for start in starts:
        span = LineRange(start, start + size - 1)
        if content_hash(text.slice(span)) == claim.content_hash:
            return span
    return None


def verdicts_to_dict(verdicts: Iterable[Verdict]) -> dict[str, object]:
    """The plain form; `valid` when every snippet still stands where it stood."""
    listed = list(verdicts)
    return {
        "valid": all(verdict.state is State.SAME for verdict in listed),
        "items": [
            {
                "id": verdict.claim.id,
                "path": verdict.claim.path,
                "lines": lines_to_dict(verdict.claim.range),
                "state": str(verdict.state),
                "now": None if verdict.now is None else lines_to_dict(verdict.now),
            }
            for verdict in listed
        ],
    }
