"""Merging windows before selection: overlapping or adjacent ranges become one, read once more as a whole.

Texts are never glued: the union is re-read through the safe reader, with a hash of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from ..model.candidate import Candidate, Cause, Rejected
from ..model.errors import SourceError
from ..model.lines import LineRange
from ..model.source import SourceReader, SourceText
from ..text.tokens import utf8_size


@dataclass(frozen=True, slots=True)
class Shown:
    """A range's text as it may be shown: secrets masked (`masked` of them), with the hash of that text."""

    content: str
    content_hash: str
    masked: int = 0


Show: TypeAlias = Callable[[SourceText, LineRange], Shown]
"""How a range of a file is shown; the same function that made the candidates' own texts."""


@dataclass(frozen=True, slots=True)
class Merged:
    """Candidates after merging, those whose text is gone or changed, and which merged id took up which ids."""

    candidates: tuple[Candidate, ...]
    rejected: tuple[Rejected, ...]
    absorbed: Mapping[str, str]


def merge_ranges(candidates: Sequence[Candidate], reader: SourceReader, show: Show, max_item_bytes: int) -> Merged:
    """Merge touching windows of one file, reason and urgency, as long as the union is within `max_item_bytes`.

    Members of groups stay as they are (a group is admitted as it was formed). A union takes score, source
    and why of its best member. Members whose file changed since are `stale`, those of a file that cannot
    be read have its cause.
    """
    windows: dict[tuple[str, str, bool], list[Candidate]] = {}
    for candidate in candidates:
        if candidate.group is None:
            windows.setdefault((candidate.path, candidate.reason, candidate.required), []).append(candidate)
    replaced: dict[str, Candidate | Rejected | None] = {}
    absorbed: dict[str, str] = {}
    sources: dict[str, SourceText | SourceError] = {}
    for members in windows.values():
        for run in _touching(members):
            source = sources.get(run[0].path) or sources.setdefault(run[0].path, _read(reader, run[0].path))
            _merge_run(run, source, show, max_item_bytes, replaced, absorbed)
    results = [replaced.get(candidate.id, candidate) for candidate in candidates]
    return Merged(
        tuple(one for one in results if isinstance(one, Candidate)),
        tuple(one for one in results if isinstance(one, Rejected)),
        absorbed,
    )


def _touching(members: Sequence[Candidate]) -> list[list[Candidate]]:
    """Runs of two or more windows that overlap or are adjacent."""
    runs: list[list[Candidate]] = []
    reach = 0
    for member in sorted(members, key=lambda one: (one.range, one.id)):
        if runs and member.range.start <= reach + 1:
            runs[-1].append(member)
        else:
            runs.append([member])
            reach = 0
        reach = max(reach, member.range.end)
    return [run for run in runs if len(run) > 1]


def _read(reader: SourceReader, path: str) -> SourceText | SourceError:
    try:
        return reader.read(path)
    except SourceError as error:
        return error


def _merge_run(
    run: Sequence[Candidate],
    source: SourceText | SourceError,
    show: Show,
    max_item_bytes: int,
    replaced: dict[str, Candidate | Rejected | None],
    absorbed: dict[str, str],
) -> None:
    if isinstance(source, SourceError):
        replaced.update((member.id, _rejection(member, Cause(source.cause), source.problem)) for member in run)
        return
    current: list[Candidate] = []
    for member in run:
        if member.range.end > len(source.lines) or show(source, member.range).content_hash != member.content_hash:
            replaced[member.id] = _rejection(member, Cause.STALE, "the file changed since")
        else:
            current.append(member)
    for part in _within(current, source, max_item_bytes):
        if len(part) > 1:
            union = _union(part, source, show)
            best = _best(part)
            replaced.update((member.id, None) for member in part)
            replaced[best.id] = union
            absorbed.update((member.id, union.id) for member in part)


def _within(run: Sequence[Candidate], source: SourceText, max_item_bytes: int) -> list[list[Candidate]]:
    """The run in parts whose unions touch and stay within the ceiling."""
    parts: list[list[Candidate]] = []
    covered: LineRange | None = None
    for member in run:
        wider = covered.union(member.range) if covered is not None and covered.touches(member.range) else None
        if wider is not None and utf8_size(source.slice(wider)) <= max_item_bytes:
            parts[-1].append(member)
            covered = wider
        else:
            parts.append([member])
            covered = member.range
    return parts


def _best(part: Sequence[Candidate]) -> Candidate:
    return min(part, key=lambda one: (-one.score, one.range, one.id))


def _union(part: Sequence[Candidate], source: SourceText, show: Show) -> Candidate:
    best = _best(part)
    span = LineRange(min(one.range.start for one in part), max(one.range.end for one in part))
    shown = show(source, span)
    return replace(
        best,
        id=f"{best.id}+{len(part) - 1}",
        range=span,
        content=shown.content,
        content_hash=shown.content_hash,
        masked=shown.masked,
        version=source.version,
        origin=source.origin,
        symbol=None,
        parent=None,
    )


def _rejection(candidate: Candidate, cause: Cause, detail: str) -> Rejected:
    return Rejected(
        id=candidate.id,
        path=candidate.path,
        range=candidate.range,
        reason=candidate.reason,
        source=candidate.source,
        score=candidate.score,
        cause=cause,
        detail=detail,
        group=candidate.group,
        required=candidate.required,
    )
