"""From leads to candidates: privacy first, then the text of each lead, masked where a secret shows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ..model.candidate import Candidate, Cause, Rejected
from ..model.errors import SourceError
from ..model.lines import LineRange
from ..model.source import SourceReader, SourceText
from ..model.values import Value, replace
from ..retrieval.lead import Lead
from ..text.hashing import content_hash
from ..text.line_table import split_lines
from ..workspace.privacy import PrivacyPolicy
from ..workspace.secrets import Masked
from .privacy import PLACEHOLDER


class ReadLeads(Value):
    """Candidates with their text, and leads whose text may not or cannot be had."""

    candidates: tuple[Candidate, ...]
    rejected: tuple[Rejected, ...]


class ShownText(Value):
    """A file's text as it may be shown, and which of its 1-based lines hide a secret."""

    source: SourceText
    masked_lines: frozenset[int]


Masker = Callable[[Sequence[str]], Sequence[Masked]]
"""Hides the secrets of several texts."""


def read_leads(
    leads: Iterable[Lead], reader: SourceReader, privacy: PrivacyPolicy, masker: Masker | None = None
) -> ReadLeads:
    """Read every lead's lines through `reader`, each file once. `masker` hides secrets as `privacy` does.

    A denied file gives one placeholder without content, a vanished or unreadable one its cause, a
    range past the end of the file `stale`.
    """
    leads = tuple(leads)
    paths = dict.fromkeys(lead.path for lead in leads)
    allowed = [path for path in paths if reader.allowed(path) and not privacy.denied(path)]
    files = _all_shown(allowed, reader, masker or privacy.mask_all)
    denied: dict[str, Rejected] = {}
    candidates: list[Candidate] = []
    rejected: list[Rejected] = []
    for lead in leads:
        shown = files.get(lead.path)
        if shown is None:
            denied.setdefault(lead.path, _denied(lead))
        elif isinstance(shown, SourceError):
            rejected.append(_rejected(lead, Cause(shown.cause), shown.problem))
        elif lead.range.start > len(shown.source.lines):
            rejected.append(_rejected(lead, Cause.STALE, f"the file now has {len(shown.source.lines)} lines"))
        else:
            candidate = candidate_of(lead, shown)
            if candidate is None:
                rejected.append(_rejected(lead, Cause.STALE, "these lines are empty now"))
            else:
                candidates.append(candidate)
    return ReadLeads(_with_shown_reasons(candidates, privacy), (*rejected, *denied.values()))


def read_shown(path: str, reader: SourceReader, privacy: PrivacyPolicy) -> ShownText | SourceError:
    """The text of `path` with its secrets masked, or why it cannot be had.

    The whole file is masked before anything is cut out of it: a key block may begin above a unit.
    """
    return _all_shown((path,), reader, lambda texts: [privacy.mask(text) for text in texts])[path]


def _all_shown(paths: Iterable[str], reader: SourceReader, masker: Masker) -> dict[str, ShownText | SourceError]:
    read = {path: _read(path, reader) for path in paths}
    sources = [source for source in read.values() if not isinstance(source, SourceError)]
    shown = map(_shown, sources, masker([source.text for source in sources]))
    return {path: source if isinstance(source, SourceError) else next(shown) for path, source in read.items()}


def _read(path: str, reader: SourceReader) -> SourceText | SourceError:
    try:
        return reader.read(path)
    except SourceError as error:
        return error


def _shown(source: SourceText, masked: Masked) -> ShownText:
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
    if not content or content.isspace():
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


def _with_shown_reasons(candidates: Iterable[Candidate], privacy: PrivacyPolicy) -> tuple[Candidate, ...]:
    """Other tools give reasons too, and messages find their way into ours."""
    candidates = tuple(candidates)
    reasons = list(dict.fromkeys(candidate.why for candidate in candidates))
    masked = zip(reasons, privacy.mask_all(reasons), strict=True)
    hidden = {reason: shown.text for reason, shown in masked if shown.count}
    return tuple(replace(one, why=hidden[one.why]) if one.why in hidden else one for one in candidates)


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
