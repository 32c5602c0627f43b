"""Two plain functions over the selection core, for callers without a server.

In characters (Unicode code points), without floors, overhead or a pass for failing lines. Inputs are
never changed; results are fresh values. Bad input raises the typed errors of `model.errors`, all of them
`ValueError`s too, with the path of the culprit (`candidates[3].score`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

from ..model.candidate import Candidate, Reason
from ..model.errors import PathError, RequestError, ResourceLimitError
from ..model.lines import LineRange
from ..model.request import Budget, Unit, whole_amount
from .evidence import NO_EVIDENCE, Evidence
from .order import Priced, rank
from .passes import pack
from .policies import Comparator, Policy, SortKey, tier_key
from .validate import (
    DEFAULT_LIMITS,
    checked_id,
    checked_range,
    checked_reason,
    checked_score,
    checked_size,
    folded_path,
)


@dataclass(frozen=True, slots=True)
class Snippet:
    """A whole text with a score."""

    id: str
    content: str
    score: float


@dataclass(frozen=True, slots=True)
class PackResult:
    """Chosen snippets, best first; `truncated` says that at least one was left out, never that a text was cut."""

    selected: tuple[Snippet, ...]
    used_chars: int
    truncated: bool


@dataclass(frozen=True, slots=True)
class PlainCandidate:
    """A whole text of lines `start..end` (1-based, closed) of a workspace-relative file."""

    path: str
    start: int
    end: int
    content: str
    reason: Reason
    score: float


@dataclass(frozen=True, slots=True)
class BuildResult:
    """Chosen candidates, best first; `truncated` says that at least one was left out."""

    items: tuple[PlainCandidate, ...]
    used_chars: int
    truncated: bool


def pack_context(snippets: Sequence[Snippet | Mapping[str, object]], max_chars: int) -> PackResult:
    """The best snippets that fit into `max_chars`, by score descending, ties in input order.

    What does not fit is skipped and the rest is still tried; nothing is cut. A snippet is a `Snippet` or a
    mapping with `id`, `content`, `score`. Raises RequestError subclasses.
    """
    whole_amount(max_chars, "max_chars")
    checked = _checked_snippets(snippets)
    candidates = [
        _candidate(str(index), str(index), LineRange(1, 1), one.content, Reason.SEARCH, one.score)
        for index, one in enumerate(checked)
    ]
    chosen, used = _packed(candidates, max_chars, NO_EVIDENCE, _BY_SCORE)
    selected = tuple(checked[index] for index in chosen)
    return PackResult(selected, used, len(selected) < len(checked))


class RepoContextBuilder:
    """Builds a context from candidates: failing file first, no overlapping ranges, whole snippets only."""

    def build(
        self,
        candidates: Sequence[PlainCandidate | Mapping[str, object]],
        max_chars: int,
        failure_file: str | Sequence[str] | None = None,
    ) -> BuildResult:
        """The best candidates that fit into `max_chars`.

        Order: failing files (in their order; inside one failure, reference, search, then score), then
        reference, failure, search, then score, then input order. A candidate is a `PlainCandidate` or a
        mapping with `path`, `start`, `end`, `content`, `reason`, `score`. Raises RequestError subclasses.
        """
        whole_amount(max_chars, "max_chars")
        checked = _checked_candidates(candidates)
        evidence = Evidence(_failing_files(failure_file))
        core = [
            _candidate(str(index), one.path, LineRange(one.start, one.end), one.content, one.reason, one.score)
            for index, one in enumerate(checked)
        ]
        chosen, used = _packed(core, max_chars, evidence, _BY_TIER)
        items = tuple(checked[index] for index in chosen)
        return BuildResult(items, used, len(items) < len(checked))


def _by_score(_evidence: Evidence) -> Comparator:
    def key(candidate: Candidate, _cost: int) -> SortKey:
        return (-candidate.score,)

    return key


def _by_tier(evidence: Evidence) -> Comparator:
    tiers = tier_key(evidence)

    def key(candidate: Candidate, cost: int) -> SortKey:
        return (*tiers(candidate, cost), -candidate.score)

    return key


_BY_SCORE = Policy("score", 1, _by_score)
_BY_TIER = Policy("tier", 1, _by_tier)


def _packed(
    candidates: Sequence[Candidate], max_chars: int, evidence: Evidence, policy: Policy
) -> tuple[list[int], int]:
    """Input positions of what was admitted, in rank order, and the characters used."""
    priced = [Priced(candidate, len(candidate.content)) for candidate in candidates]
    budget = Budget(max_chars, Unit.CHARS, floors={})
    packed = pack(rank(priced, evidence, policy), budget, evidence, policy)
    return [int(unit.members[0].candidate.id) for unit in packed.units], packed.used


def _candidate(id: str, path: str, range: LineRange, content: str, reason: Reason, score: float) -> Candidate:
    return Candidate(id, path, range, content, reason, score, source="plain", content_hash="")


def _checked_snippets(snippets: Sequence[Snippet | Mapping[str, object]]) -> list[Snippet]:
    seen: set[str] = set()
    total = _Total("snippets")
    checked: list[Snippet] = []
    for index, given in enumerate(snippets):
        at = f"snippets[{index}]"
        raw = _mapping(given, at)
        total.add_item(index)
        snippet_id = checked_id(raw.get("id"), f"{at}.id", seen)
        content = total.checked(raw.get("content"), f"{at}.content")
        checked.append(Snippet(snippet_id, content, checked_score(raw.get("score"), f"{at}.score")))
    return checked


def _checked_candidates(candidates: Sequence[PlainCandidate | Mapping[str, object]]) -> list[PlainCandidate]:
    total = _Total("candidates")
    checked: list[PlainCandidate] = []
    for index, given in enumerate(candidates):
        at = f"candidates[{index}]"
        raw = _mapping(given, at)
        total.add_item(index)
        path = folded_path(raw.get("path"), f"{at}.path")
        lines = checked_range(raw.get("start"), raw.get("end"), at)
        content = total.checked(raw.get("content"), f"{at}.content")
        reason = checked_reason(raw.get("reason"), f"{at}.reason")
        score = checked_score(raw.get("score"), f"{at}.score")
        checked.append(PlainCandidate(path, lines.start, lines.end, content, reason, score))
    return checked


class _Total:
    """Counts items and bytes against the ceilings."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._bytes = 0

    def add_item(self, index: int) -> None:
        """Raises ResourceLimitError when there are too many."""
        if index >= DEFAULT_LIMITS.max_candidates:
            problem = f"more than {DEFAULT_LIMITS.max_candidates} {self._name}"
            raise ResourceLimitError(f"{self._name}[{index}]", problem, "max_candidates")

    def checked(self, content: object, at: str) -> str:
        """The content, counted. Raises ContentError or ResourceLimitError."""
        self._bytes += checked_size(content, at, DEFAULT_LIMITS)
        if self._bytes > DEFAULT_LIMITS.max_total_bytes:
            problem = f"all {self._name} together are over {DEFAULT_LIMITS.max_total_bytes} bytes"
            raise ResourceLimitError(at, problem, "max_total_bytes")
        return str(content)


def _mapping(given: object, at: str) -> Mapping[str, object]:
    if isinstance(given, Snippet | PlainCandidate):
        return {field.name: getattr(given, field.name) for field in fields(given)}
    if isinstance(given, Mapping):
        return {str(key): value for key, value in given.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    raise RequestError(at, f"must be a mapping, got {type(given).__name__}")


def _failing_files(given: object) -> tuple[str, ...]:
    if given is None:
        return ()
    if isinstance(given, str):
        return (folded_path(given, "failure_file"),)
    if not isinstance(given, Sequence) or isinstance(given, bytes | bytearray):
        raise PathError("failure_file", f"must be a path or a list of paths, got {given!r}")
    paths = [folded_path(path, f"failure_file[{index}]") for index, path in enumerate(given)]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return tuple(dict.fromkeys(paths))
