"""Validation: one pass over all that selection is handed, before anything is sorted or copied.

The first error in input order is raised as one typed error that names the culprit's JSON path.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence

from ..model.candidate import Candidate, Reason
from ..model.errors import (
    ContentError,
    DuplicateIdError,
    GroupError,
    PathError,
    RangeError,
    ReasonError,
    RequestError,
    ResourceLimitError,
    ScoreError,
)
from ..model.lines import LineRange
from ..model.values import Value, replace
from ..text.tokens import utf8_size
from .evidence import Evidence

KNOWN_SOURCES = frozenset(
    {
        "diagnostic",
        "traceback",
        "assertion-call",
        "definition",
        "lsp:*",
        "caller",
        "callee",
        "import",
        "importer",
        "test-link",
        "type",
        "head",
        "hop2",
        "ppr",
        "spectrum",
        "bm25",
        "bm25:*",
        "change",
        "cochange",
        "mention",
        "rule",
        "open",
        "map",
        "contribution:*",
    }
)
"""Ids of the retrievers; `x:*` registers every id that starts with `x:`."""

_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_OTHER_SCHEME = re.compile(r"(?!file:)[A-Za-z][A-Za-z0-9+.-]+://", re.IGNORECASE)


class Limits(Value):
    """Ceilings on what selection accepts: number of candidates, bytes of one and of all (UTF-8)."""

    max_candidates: int = 20_000
    max_item_bytes: int = 1 << 20
    max_total_bytes: int = 64 << 20


DEFAULT_LIMITS = Limits()


class Valid(Value):
    """Checked input, paths folded. Unchanged values are the caller's own (they are frozen)."""

    candidates: tuple[Candidate, ...]
    evidence: Evidence


def validate(
    candidates: Sequence[Candidate],
    evidence: Evidence,
    *,
    sources: Collection[str] = KNOWN_SOURCES,
    limits: Limits = DEFAULT_LIMITS,
) -> Valid:
    """Check everything once, then fold the paths of candidates and failing files.

    Raises the RequestError subclass of the first culprit: failing files first, then candidates in order.
    """
    for index, path in enumerate(evidence.files):
        folded_path(path, f"failingFiles[{index}]")
    for path in evidence.lines:
        folded_path(path, "failingLines")
    _check_candidates(candidates, sources, limits)
    return Valid(tuple(_folded(candidate) for candidate in candidates), _folded_evidence(evidence))


def _check_candidates(candidates: Sequence[Candidate], sources: Collection[str], limits: Limits) -> None:
    seen: set[str] = set()
    groups: dict[str, list[tuple[str, LineRange, str]]] = {}
    total = 0
    for index, candidate in enumerate(candidates):
        at = f"candidates[{index}]"
        if index >= limits.max_candidates:
            raise ResourceLimitError(at, f"more than {limits.max_candidates} candidates", "max_candidates")
        checked_id(candidate.id, f"{at}.id", seen)
        path = folded_path(candidate.path, f"{at}.path")
        _check_range(candidate.range, f"{at}.range")
        total += checked_size(candidate.content, f"{at}.content", limits)
        if total > limits.max_total_bytes:
            raise ResourceLimitError(
                f"{at}.content", f"all candidates together are over {limits.max_total_bytes} bytes", "max_total_bytes"
            )
        checked_reason(candidate.reason, f"{at}.reason")
        checked_score(candidate.score, f"{at}.score")
        checked_source(candidate.source, f"{at}.source", sources)
        if candidate.group is not None:
            _check_group(candidate, path, groups.setdefault(candidate.group, []), f"{at}.group")


def checked_id(value: object, at: str, seen: set[str]) -> str:
    """A new, non-empty string; adds it to `seen`. Raises RequestError or DuplicateIdError."""
    if not isinstance(value, str) or not value:
        raise RequestError(at, f"must be a non-empty string, got {value!r}")
    if value in seen:
        raise DuplicateIdError(at, f"{value!r} is the id of an earlier candidate too")
    seen.add(value)
    return value


def folded_path(value: object, at: str) -> str:
    """`value` with `./`, `//` and inner `..` folded lexically.

    Raises PathError when it is empty, absolute, or leaves the workspace. URIs of documents without a
    file (`vscode-vfs://…`) are kept as they are.
    """
    if not isinstance(value, str) or not value:
        raise PathError(at, f"must be a non-empty workspace-relative path, got {value!r}")
    if "\0" in value:
        raise PathError(at, "must not contain a NUL character")
    if value.startswith(("/", "\\")) or _DRIVE.match(value) or value.lower().startswith("file:"):
        raise PathError(at, f"must be relative to the workspace, got {value!r}")
    kept: list[str] = []
    for part in value.split("/"):
        if part == "..":
            if not kept:
                raise PathError(at, f"leaves the workspace: {value!r}")
            kept.pop()
        elif part not in ("", "."):
            kept.append(part)
    if _OTHER_SCHEME.match(value):
        return value
    if not kept:
        raise PathError(at, f"names no file: {value!r}")
    return "/".join(kept)


def _check_range(value: object, at: str) -> None:
    if not isinstance(value, LineRange):
        raise RangeError(at, f"must be a line range, got {value!r}")


def checked_range(start: object, end: object, at: str) -> LineRange:
    """The range `start..end`. Raises RangeError naming `start` or `end` below `at`."""
    try:
        return LineRange(start, end)  # pyright: ignore[reportArgumentType]  # the constructor is the check
    except RangeError as error:
        raise error.below(at) if at else error from None


def checked_size(value: object, at: str, limits: Limits) -> int:
    """UTF-8 bytes of a content. Raises ContentError when it is no text or empty, ResourceLimitError when too big."""
    if not isinstance(value, str) or not value:
        raise ContentError(at, "must be a non-empty string")
    size = utf8_size(value)
    if size > limits.max_item_bytes:
        raise ResourceLimitError(at, f"{size} bytes, more than {limits.max_item_bytes}", "max_item_bytes")
    return size


def checked_score(value: object, at: str) -> float:
    """A finite number. Raises ScoreError for anything else, never takes it as 0."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ScoreError(at, f"must be a finite number, got {value!r}")
    try:
        finite = math.isfinite(value)
    except OverflowError:
        finite = False
    if not finite:
        raise ScoreError(at, f"must be a finite number, got {value!r}")
    return value


def checked_reason(value: object, at: str) -> Reason:
    """A member of the closed enum. Raises ReasonError."""
    if isinstance(value, str):
        try:
            return Reason(value)
        except ValueError:
            pass
    raise ReasonError(at, f"must be one of {', '.join(Reason)}, got {value!r}")


def checked_source(value: object, at: str, sources: Collection[str]) -> str:
    """The id of a registered retriever. Raises ReasonError."""
    if isinstance(value, str) and value:
        family, colon, rest = value.partition(":")
        if value in sources or (colon and rest and f"{family}:*" in sources):
            return value
    raise ReasonError(at, f"{value!r} is not a registered source")


def _check_group(candidate: Candidate, path: str, members: list[tuple[str, LineRange, str]], at: str) -> None:
    for other_path, other_range, other_id in members:
        if other_path == path and other_range.overlaps(candidate.range):
            raise GroupError(at, f"{candidate.id!r} and {other_id!r} of group {candidate.group!r} overlap")
    members.append((path, candidate.range, candidate.id))


def _folded(candidate: Candidate) -> Candidate:
    path = folded_path(candidate.path, "path")
    return candidate if path == candidate.path else replace(candidate, path=path)


def _folded_evidence(evidence: Evidence) -> Evidence:
    lines: dict[str, tuple[LineRange, ...]] = {}
    for path, ranges in evidence.lines.items():
        folded = folded_path(path, "failingLines")
        lines[folded] = (*lines.get(folded, ()), *ranges)
    return Evidence(tuple(dict.fromkeys(folded_path(path, "failingFiles") for path in evidence.files)), lines)
