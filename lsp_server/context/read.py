"""From leads to candidates: privacy first, then the text of each lead, masked where a secret shows."""

from __future__ import annotations

from collections.abc import Iterable

from ..model.candidate import Candidate, Cause, Rejected
from ..model.errors import SourceError
from ..model.lines import LineRange
from ..model.source import SourceReader, SourceText
from ..model.values import Value, replace
from ..retrieval.lead import Lead
from ..text.hashing import content_hash
from ..text.line_table import split_lines
from ..workspace.privacy import PrivacyPolicy
from .privacy import PLACEHOLDER


class ReadLeads(Value):
    """Candidates with their text, and leads whose text may not or cannot be had."""

    candidates: tuple[Candidate, ...]
    rejected: tuple[Rejected, ...]


class ShownText(Value):
    """A file's text as it may be shown, and which of its 1-based lines hide a secret."""

    source: SourceText
    masked_lines: frozenset[int]


def read_leads(leads: Iterable[Lead], reader: SourceReader, privacy: PrivacyPolicy) -> ReadLeads:
    """Read every lead's lines through `reader`, each file once.

    A denied file gives one placeholder without content, a vanished or unreadable one its cause, a
    range past the end of the file `stale`.
    """
    files: dict[str, ShownText | SourceError] = {}
    allowed: dict[str, bool] = {}
    denied: dict[str, Rejected] = {}
    candidates: list[Candidate] = []
    rejected: list[Rejected] = []
    for lead in leads:
        may_show = allowed.get(lead.path)
        if may_show is None:
            may_show = allowed[lead.path] = reader.allowed(lead.path) and not privacy.denied(lead.path)
        if not may_show:
            denied.setdefault(lead.path, _denied(lead))
            continue
        shown = files.get(lead.path)
        if shown is None:
            shown = files[lead.path] = read_shown(lead.path, reader, privacy)
        if isinstance(shown, SourceError):
            rejected.append(_rejected(lead, Cause(shown.cause), shown.problem))
        elif lead.range.start > len(shown.source.lines):
            rejected.append(_rejected(lead, Cause.STALE, f"the file now has {len(shown.source.lines)} lines"))
        else:
            candidate = candidate_of(lead, shown)
            if candidate is None:
                rejected.append(_rejected(lead, Cause.STALE, "these lines are empty now"))
            else:
                candidates.append(_with_shown_reason(candidate, privacy))
    return ReadLeads(tuple(candidates), (*rejected, *denied.values()))


def read_shown(path: str, reader: SourceReader, privacy: PrivacyPolicy) -> ShownText | SourceError:
    """The text of `path` with its secrets masked, or why it cannot be had.

    The whole file is masked before anything is cut out of it: a key block may begin above a unit.
    """
    try:
        source = reader.read(path)
    except SourceError as error:
        return error
    masked = privacy.mask(source.text)
    if not masked.count:
        return ShownText(source, frozenset())
    lines, ends = split_lines(masked.text)
    pairs = zip(lines, source.lines, strict=True)
    hidden = frozenset(number for number, (now, then) in enumerate(pairs, start=1) if now != then)
    return ShownText(replace(source, text=masked.text, lines=lines, ends=ends), hidden)


def candidate_of(lead: Lead, shown: ShownText) -> Candidate | None:
    """The lead with its text, cut to the file's present length; None when no text is left there."""
    source = shown.source
    lines = LineRange(lead.range.start, min(lead.range.end, len(source.lines)))
    content = source.slice(lines)
    if not content.strip():
        return None
    return Candidate(
        id=lead.id,
        path=lead.path,
        range=lines,
        content=content,
        reason=lead.reason,
        score=lead.score,
        source=lead.source,
        content_hash=content_hash(content),
        why=lead.why,
        version=source.version,
        origin=source.origin,
        required=lead.required,
        group=lead.group,
        parent=lead.parent,
        symbol=lead.name or None,
        is_test=lead.is_test,
        masked=sum(lines.contains(line) for line in shown.masked_lines),
        parts=lead.parts,
        trail=lead.trail,
        log_odds=lead.log_odds,
    )


def _with_shown_reason(candidate: Candidate, privacy: PrivacyPolicy) -> Candidate:
    """Other tools give reasons too, and messages find their way into ours."""
    masked = privacy.mask(candidate.why)
    return replace(candidate, why=masked.text) if masked.count else candidate


def _denied(lead: Lead) -> Rejected:
    return Rejected(
        id=f"{lead.path}:denied",
        path=lead.path,
        range=PLACEHOLDER,
        reason=lead.reason,
        source=lead.source,
        score=0.0,
        cause=Cause.POLICY,
        detail="the privacy policy forbids showing this file",
        required=lead.required,
    )


def _rejected(lead: Lead, cause: Cause, detail: str) -> Rejected:
    return Rejected(
        id=lead.id,
        path=lead.path,
        range=lead.range,
        reason=lead.reason,
        source=lead.source,
        score=lead.score,
        cause=cause,
        detail=detail,
        group=lead.group,
        required=lead.required,
    )
