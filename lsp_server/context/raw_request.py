"""From parsed JSON to a BuildRequest: every wrong field is a typed error that names its JSON path."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol, TypeVar

from ..model.errors import BudgetError, PathError, RangeError, RequestError
from ..model.lines import LineRange
from ..model.request import (
    DEFAULT_MAX_TOKENS,
    Budget,
    BuildRequest,
    DiagnosticInput,
    FailureOutput,
    Mention,
    Pinned,
    Place,
    Quota,
    RelatedLocation,
    RenderFormat,
    RenderOptions,
    Severity,
    Stop,
    Unit,
)
from ..model.values import Value
from .policies import policy_named
from .raw_fields import Fields, share
from .validate import checked_range, folded_path

_Found = TypeVar("_Found")


class Spot(Value):
    """Where a raw place is: lines, and the 1-based column in code points if it is known."""

    range: LineRange
    column: int | None = None


class RawPlaces(Protocol):
    """What only the protocol edge can turn into core values. Raises RequestError with a path below the field."""

    def path(self, uri: str) -> str:
        """Canonical path of a document, or the URI itself for one outside every root."""
        ...

    def spot(self, path: str, range: object) -> Spot:
        """Lines and column of the edge's own range or position (LSP: 0-based, half-open)."""
        ...


class NoUris:
    """For callers that give `path` and `lines` only."""

    def path(self, uri: str) -> str:
        """Raises PathError: there are no URIs here."""
        raise PathError("", f"give a workspace-relative `path` instead of the URI {uri!r}")

    def spot(self, path: str, range: object) -> Spot:
        """Raises RangeError: there are no LSP ranges here."""
        raise RangeError("", f"give 1-based `lines` in {path!r} instead of {range!r}")


_NO_URIS = NoUris()
_LSP_SEVERITIES: Mapping[int, Severity] = {
    1: Severity.ERROR,
    2: Severity.WARNING,
    3: Severity.INFORMATION,
    4: Severity.HINT,
}
_UNNECESSARY_TAG = 1


def request_from(raw: object, places: RawPlaces = _NO_URIS) -> BuildRequest:
    """The request of `context/build`.

    Documents are `uri` (through `places`) or `path`; ranges `range`/`position` (through `places`) or
    `lines {start, end}` (1-based, closed). Raises the RequestError of the first wrong field.
    """
    fields = Fields(raw, "")
    request = BuildRequest(
        diagnostics=tuple(_diagnostic(Fields(entry, at), places) for entry, at in fields.list("diagnostics")),
        failure_output=tuple(_failure_output(Fields(entry, at)) for entry, at in fields.list("failureOutput")),
        task=fields.text("task") or "",
        mentions=tuple(_mention(Fields(entry, at), places) for entry, at in fields.list("mentions")),
        cursor=_optional(fields.object("cursor"), lambda found: _place(found, places)),
        open_documents=tuple(_document(entry, at, places) for entry, at in fields.list("openDocuments")),
        recent_edits=tuple(_place(Fields(entry, at), places) for entry, at in fields.list("recentEdits")),
        budget=budget_from(fields.object("budget")),
        render=_render(fields.object("render")),
        policy=_policy(fields),
        include=fields.texts("include"),
        exclude=fields.texts("exclude"),
        include_warnings=fields.flag("includeWarnings"),
        include_rules=fields.flag("includeRules"),
        explain=fields.flag("explain"),
        pinned=_pinned(fields.object("pinned")),
    )
    if not (request.diagnostics or request.failure_output or request.task.strip() or request.mentions):
        raise RequestError("", "give at least one of diagnostics, failureOutput, task, mentions")
    return request


def budget_from(fields: Fields | None) -> Budget:
    """The budget; 8,000 tokens when nothing is said. Raises BudgetError."""
    if fields is None:
        return Budget()
    if fields.has("maxTokens") and fields.has("maxChars"):
        raise BudgetError(fields.path("maxChars"), "give either maxTokens or maxChars")
    tokens, chars = fields.amount("maxTokens"), fields.amount("maxChars")
    limit = next((given for given in (tokens, chars) if given is not None), DEFAULT_MAX_TOKENS)
    floors = fields.object("floors")
    try:
        given = Budget(
            limit=limit,
            unit=Unit.TOKENS if chars is None else Unit.CHARS,
            ceiling=fields.amount("ceiling"),
            reserve=fields.amount("reserve") or 0,
            max_items=fields.amount("maxItems"),
            per_file=fields.amount("perFile"),
            per_source=_quotas(fields.object("perSource")),
            stop=fields.choice("stop", Stop) or Stop.FILL,
            floors=Budget().floors if floors is None else _floors(floors),
        )
    except BudgetError as error:
        raise error if error.path.startswith(fields.at) else error.below(fields.at) from None
    return given


def _floors(fields: Fields) -> Mapping[str, float]:
    return {name: share(value, at, BudgetError) for name, value, at in fields.entries() if value is not None}


def _quotas(fields: Fields | None) -> Mapping[str, Quota]:
    if fields is None:
        return {}
    quotas: dict[str, Quota] = {}
    for name, value, at in fields.entries():
        if value is not None:
            quota = Fields(value, at)
            quotas[name] = Quota(quota.amount("maxItems"), quota.amount("maxCost"))
    return quotas


def _render(fields: Fields | None) -> RenderOptions:
    if fields is None:
        return RenderOptions()
    return RenderOptions(fields.choice("format", RenderFormat) or RenderFormat.MARKDOWN, fields.flag("lineNumbers"))


def _pinned(fields: Fields | None) -> Pinned:
    if fields is None:
        return Pinned()
    return Pinned(fields.text("goal") or "", fields.text("state") or "", fields.text("failure") or "")


def _policy(fields: Fields) -> str | None:
    name = fields.text("policy")
    return None if name is None else policy_named(name).name


def _diagnostic(fields: Fields, places: RawPlaces) -> DiagnosticInput:
    path = _path(fields, places)
    diagnostic = fields.object("diagnostic")
    if diagnostic is None:
        raise RequestError(fields.path("diagnostic"), "is missing")
    message = diagnostic.text("message")
    if message is None:
        raise RequestError(diagnostic.path("message"), "is missing")
    spot = _spot(diagnostic, path, places)
    return DiagnosticInput(
        path=path,
        range=spot.range,
        message=message,
        severity=_severity(diagnostic),
        code=_code(diagnostic),
        tool=diagnostic.text("source") or "",
        version=fields.whole("version"),
        column=spot.column,
        unnecessary=any(tag == _UNNECESSARY_TAG for tag, _ in diagnostic.list("tags")),
        related=tuple(_related(Fields(entry, at), places) for entry, at in diagnostic.list("relatedInformation")),
    )


def _severity(fields: Fields) -> Severity:
    value = fields.get("severity")
    if isinstance(value, str):
        return fields.choice("severity", Severity) or Severity.ERROR
    number = fields.whole("severity")
    if number is None:
        return Severity.ERROR
    if number not in _LSP_SEVERITIES:
        raise RequestError(fields.path("severity"), f"must be 1, 2, 3 or 4, got {number}")
    return _LSP_SEVERITIES[number]


def _code(fields: Fields) -> str | None:
    value = fields.get("code")
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise RequestError(fields.path("code"), f"must be a string or a whole number, got {value!r}")


def _related(fields: Fields, places: RawPlaces) -> RelatedLocation:
    location = fields.object("location") or fields
    path = _path(location, places)
    return RelatedLocation(path, _spot(location, path, places).range, fields.text("message") or "")


def _failure_output(fields: Fields) -> FailureOutput:
    text = fields.text("text")
    if text is None:
        raise RequestError(fields.path("text"), "is missing")
    cwd = fields.text("cwd")
    if cwd is not None:
        cwd = "" if cwd in ("", ".", "./") else folded_path(cwd, fields.path("cwd"))
    return FailureOutput(text, fields.text("format") or "auto", cwd or None, fields.text("commit") or None)


def _mention(fields: Fields, places: RawPlaces) -> Mention:
    symbol = fields.text("symbol")
    path = _path(fields, places) if fields.has("path") or fields.has("uri") else None
    if path is None and not symbol:
        raise RequestError(fields.at, "give a path or a symbol")
    has_lines = path is not None and (fields.has("lines") or fields.has("range"))
    lines = _spot(fields, path, places).range if path is not None and has_lines else None
    return Mention(path, symbol or None, lines)


def _place(fields: Fields, places: RawPlaces) -> Place:
    path = _path(fields, places)
    return Place(path, _spot(fields, path, places).range)


def _document(entry: object, at: str, places: RawPlaces) -> str:
    if not isinstance(entry, str):
        return _path(Fields(entry, at), places)
    text = entry
    if places is _NO_URIS:
        return folded_path(text, at)
    return _below(at, lambda: places.path(text))


def _path(fields: Fields, places: RawPlaces) -> str:
    uri = fields.text("uri")
    if uri is not None:
        return _below(fields.path("uri"), lambda: places.path(uri))
    if not fields.has("path"):
        raise PathError(fields.path("path"), "is missing")
    return folded_path(fields.get("path"), fields.path("path"))


def _spot(fields: Fields, path: str, places: RawPlaces) -> Spot:
    lines = fields.object("lines")
    if lines is not None:
        return Spot(checked_range(lines.get("start"), lines.get("end"), lines.at))
    for name in ("range", "position"):
        value = fields.get(name)
        if value is not None:
            return _below(fields.path(name), lambda value=value: places.spot(path, value))
    raise RangeError(fields.path("lines"), "is missing")


def _optional(fields: Fields | None, read: Callable[[Fields], _Found]) -> _Found | None:
    return None if fields is None else read(fields)


def _below(at: str, read: Callable[[], _Found]) -> _Found:
    try:
        return read()
    except RequestError as error:
        raise error.below(at) from None
