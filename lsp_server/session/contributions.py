"""Contributions: places that other tools hand in over a session, to compete with what retrieval finds.

The latest contribution of a source replaces its earlier one. Text is never taken from a contributor: every
place is read again for each request, and a place whose text is not the one that was meant (`contentHash`) is
found again where it moved to, or left out as stale. A contributor cannot say that its places fail.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ..context.raw_fields import Fields
from ..context.validate import checked_range, checked_score, folded_path
from ..model.candidate import Cause, Reason
from ..model.errors import PathError, ReasonError, ResourceLimitError, ScoreError
from ..model.lines import LineRange
from ..model.pack import ContextPack, Omission, SourceCount
from ..model.values import Value, replace

if TYPE_CHECKING:
    from ..context.looking import Looking
    from ..context.raw_request import RawPlaces
    from ..retrieval.lead import Lead

DEFAULT_MAX_ITEMS, DEFAULT_MAX_TOKENS = 12, 4_000
"""Budget of a pack in a session with contributions, when the request names none."""

MAX_SOURCES, MAX_ITEMS = 50, 200
"""Sources of one session, items of one contribution."""

ALLOWED = (Reason.REFERENCE, Reason.SEARCH, Reason.OPEN, Reason.MAP)
"""Reasons a contributor may give. `failure`, `mention` and `rule` are for those who saw, heard or read them."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}")


class Contributed(Value):
    """One place. `score` is the source's own, 0 to 1; `content_hash` of the text meant, "" for whatever is there."""

    path: str
    range: LineRange
    reason: Reason
    score: float
    why: str
    required: bool
    content_hash: str


class Offer(Value):
    """What the contributions offer one request: leads to read, and omissions for what is stale."""

    leads: tuple[Lead, ...] = ()
    stale: tuple[Omission, ...] = ()


class Contributions:
    """The latest contribution of every source. Safe for several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._latest: dict[str, tuple[Contributed, ...]] = {}

    def put(self, source: str, items: Iterable[Contributed]) -> int:
        """Replace what `source` gave before; nothing takes it back. Returns how many distinct places are held.

        Raises ResourceLimitError for one source too many.
        """
        kept = _distinct(items)
        with self._lock:
            self._latest.pop(source, None)
            if kept:
                if len(self._latest) >= MAX_SOURCES:
                    raise ResourceLimitError("source", f"more than {MAX_SOURCES} sources", "MAX_SOURCES")
                self._latest[source] = kept
        return len(kept)

    def __bool__(self) -> bool:
        return bool(self._latest)

    def with_budget(self, raw: object) -> object:
        """A raw build request with this mode's budget in place of none."""
        if not self or not isinstance(raw, Mapping):
            return raw
        given: dict[str, Any] = {str(name): value for name, value in raw.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        if given.get("budget") is None:
            given["budget"] = {"maxTokens": DEFAULT_MAX_TOKENS, "maxItems": DEFAULT_MAX_ITEMS}
        return given

    def offer(self, looking: Looking) -> Offer:
        """Everything held, checked against the present text."""
        with self._lock:
            latest = list(self._latest.items())
        leads: list[Lead] = []
        stale: list[Omission] = []
        for source, items in latest:
            for item in items:
                lead = _lead(f"contribution:{source}", item)
                now = _present(looking, lead, item)
                if now is None:
                    stale.append(_stale(lead))
                else:
                    leads.append(replace(lead, range=now))
        return Offer(tuple(leads), tuple(stale))


def contribution_from(raw: object, places: RawPlaces | None = None) -> tuple[str, tuple[Contributed, ...]]:
    """From `{source, items: [{path or uri, lines or range, reason?, score?, why?, required?, contentHash?}]}`.

    Raises the RequestError of the first wrong field; then nothing is to be stored.
    """
    fields = Fields(raw, "")
    source = fields.text("source") or ""
    if not _NAME.fullmatch(source):
        raise ReasonError("source", f"must be a short name of letters, digits, '.', '_', '-', got {source!r}")
    entries = fields.list("items")
    if len(entries) > MAX_ITEMS:
        raise ResourceLimitError("items", f"more than {MAX_ITEMS} items", "MAX_ITEMS")
    return source, tuple(_contributed(Fields(entry, at), places) for entry, at in entries)


def _contributed(fields: Fields, places: RawPlaces | None) -> Contributed:
    path = _path(fields, places)
    span = fields.get("range")
    lines = fields.object("lines")
    if lines is None and span is not None and places is not None:
        found = places.spot(path, span).range
    else:
        given = lines or Fields({}, fields.path("lines"))
        found = checked_range(given.get("start"), given.get("end"), given.at)
    reason = fields.choice("reason", Reason) or Reason.SEARCH
    if reason not in ALLOWED:
        raise ReasonError(
            fields.path("reason"), f"must be one of {', '.join(ALLOWED)}; a contributor cannot say {reason}"
        )
    score = 0.5 if fields.get("score") is None else checked_score(fields.get("score"), fields.path("score"))
    if not 0.0 <= score <= 1.0:
        raise ScoreError(fields.path("score"), f"must be between 0 and 1, got {score:g}")
    return Contributed(
        path, found, reason, score, fields.text("why") or "", fields.flag("required"), fields.text("contentHash") or ""
    )


def _path(fields: Fields, places: RawPlaces | None) -> str:
    uri = fields.text("uri")
    if uri is not None and places is not None:
        return places.path(uri)
    if not fields.has("path"):
        raise PathError(fields.path("path"), "is missing")
    return folded_path(fields.get("path"), fields.path("path"))


def _distinct(items: Iterable[Contributed]) -> tuple[Contributed, ...]:
    """One item a place: the required one, then the better score, then the earlier."""
    best: dict[tuple[str, LineRange], Contributed] = {}
    for item in items:
        held = best.get((item.path, item.range))
        if held is None or (item.required, item.score) > (held.required, held.score):
            best[item.path, item.range] = item
    return tuple(best.values())


def _lead(source: str, item: Contributed) -> Lead:
    from ..retrieval.lead import Lead

    return Lead(
        path=item.path,
        range=item.range,
        reason=item.reason,
        source=source,
        score=item.score,
        why=item.why or f"contributed by {source.partition(':')[2]}",
        required=item.required,
    )


def _present(looking: Looking, lead: Lead, item: Contributed) -> LineRange | None:
    """Where the meant text stands now; the range itself when there is nothing to compare, None when it is gone."""
    from ..context.verify import Claim, State, verify

    if not item.content_hash:
        return item.range
    (verdict,) = verify(looking, (Claim(lead.id, item.path, item.range, item.content_hash),))
    if verdict.state is State.CHANGED:
        return None
    return verdict.now or item.range  # missing and denied files are told by the pipeline


def _stale(lead: Lead) -> Omission:
    return Omission(
        id=lead.id,
        path=lead.path,
        range=lead.range,
        reason=lead.reason,
        source=lead.source,
        score=lead.score,
        cause=Cause.STALE,
        detail="the text is no longer the one that was contributed",
    )


def with_stale(pack: ContextPack, stale: tuple[Omission, ...]) -> ContextPack:
    """The pack with `stale` among its omissions and counts."""
    if not stale:
        return pack
    selection = pack.selection
    ranked = [one for one in selection.omitted if one.rank is not None]
    unranked = sorted(
        [*(one for one in selection.omitted if one.rank is None), *stale],
        key=lambda one: (one.path, one.range.start, one.id),
    )
    sources = dict(selection.sources)
    for one in stale:
        count = sources.get(one.source, SourceCount())
        sources[one.source] = replace(count, found=count.found + 1, omitted=count.omitted + 1)
    return replace(pack, selection=replace(selection, omitted=(*ranked, *unranked), sources=sources, truncated=True))
