"""The toolbox as named tools over plain JSON: what MCP, a joined client and the command line all ask.

Documents are workspace-relative `path`s, lines 1-based and closed. Every tool is
`(session, raw, checkpoint) -> dict`; a wrong field raises the RequestError that names it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ..context.raw_fields import Fields
from ..model.errors import RangeError, RequestError, SourceError
from ..model.lines import LineRange
from ..model.source import Checkpoint, no_checkpoint
from .freshness import with_freshness

if TYPE_CHECKING:
    from ..context.looking import Scope
    from ..context.verify import Claim
    from .session import Session

_LOOKING = frozenset({"map", "search", "grep", "related", "expand", "verify", "explain", "parseFailure"})
"""Tools whose answers depend on how much is indexed. A pack says so itself."""

Tool = Callable[["Session", Mapping[str, Any], Checkpoint], dict[str, Any]]


def ask(session: Session, name: str, raw: object, checkpoint: Checkpoint = no_checkpoint) -> dict[str, Any]:
    """The answer of tool `name`. Raises RequestError for an unknown tool or a wrong field, EditError for edits."""
    tool = TOOLS.get(name)
    if tool is None:
        raise RequestError("tool", f"unknown tool {name!r}; known: {', '.join(TOOLS)}")
    if not isinstance(raw, Mapping):
        raise RequestError("", "the parameters must be an object")
    given: dict[str, Any] = {str(key): value for key, value in raw.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    plain = tool(session, given, checkpoint)
    if name not in _LOOKING:
        return plain
    return with_freshness(plain, session.snapshot(checkpoint), session.degraded)


def _build(session: Session, raw: Mapping[str, Any], checkpoint: Checkpoint) -> dict[str, Any]:
    from ..context.json import pack_to_dict, request_from

    request = request_from(session.contributions.with_budget(raw))
    return pack_to_dict(session.build(request, checkpoint))


def _map(session: Session, raw: Mapping[str, Any], checkpoint: Checkpoint) -> dict[str, Any]:
    from ..context.map import map_request, map_to_dict

    return map_to_dict(session.map(map_request(raw), checkpoint))


def _search(session: Session, raw: Mapping[str, Any], checkpoint: Checkpoint) -> dict[str, Any]:
    from ..context.search import DEFAULT_LIMIT, MAX_LIMIT, search_code, search_to_dict

    fields = Fields(raw, "")
    query, scope = _needed(fields, "query"), _scope(fields)
    limit = _bounded(fields, "limit", DEFAULT_LIMIT, MAX_LIMIT)
    return search_to_dict(search_code(session.looking(checkpoint), query, limit, scope))


def _grep(session: Session, raw: Mapping[str, Any], checkpoint: Checkpoint) -> dict[str, Any]:
    from ..context.grep import DEFAULT_LIMIT, MAX_LIMIT, Case, GrepRequest, PatternKind, grep_to_dict

    fields = Fields(raw, "")
    request = GrepRequest(
        fields.text("pattern") or "",
        fields.choice("kind", PatternKind) or PatternKind.LITERAL,
        fields.choice("case", Case) or Case.SENSITIVE,
        _bounded(fields, "limit", DEFAULT_LIMIT, MAX_LIMIT),
        _scope(fields),
    )
    return grep_to_dict(session.grep(request, checkpoint))


def _related(session: Session, raw: Mapping[str, Any], checkpoint: Checkpoint) -> dict[str, Any]:
    from ..context.related import DEFAULT_LIMIT, MAX_LIMIT, related_code, related_to_dict

    fields = Fields(raw, "")
    symbol, path, lines = fields.text("symbol"), _path(fields), _lines(fields)
    limit = _bounded(fields, "limit", DEFAULT_LIMIT, MAX_LIMIT)
    return related_to_dict(related_code(session.looking(checkpoint), symbol, path, lines, limit))


def _expand(session: Session, raw: Mapping[str, Any], checkpoint: Checkpoint) -> dict[str, Any]:
    from ..context.expand import DEFAULT_NEIGHBOURS, MAX_NEIGHBOURS, Extent, expand, expanded_to_dict, place_of_id

    fields = Fields(raw, "")
    path, lines = _path(fields), _lines(fields)
    item = fields.text("id")
    if item is not None and path is None:
        path, lines = place_of_id(item)
    if path is None:
        raise RequestError("path", "give an id (path:start-end), or a path with lines")
    if lines is None:
        raise RangeError("lines", "is missing")
    extent = fields.choice("extent", Extent) or Extent.UNIT
    neighbours = _bounded(fields, "neighbours", DEFAULT_NEIGHBOURS, MAX_NEIGHBOURS)
    try:
        return expanded_to_dict(expand(session.looking(checkpoint), path, lines, extent, neighbours))
    except SourceError as error:
        raise RequestError("path", str(error)) from None


def _verify(session: Session, raw: Mapping[str, Any], checkpoint: Checkpoint) -> dict[str, Any]:
    from ..context.verify import Claim, verdicts_to_dict, verify

    fields = Fields(raw, "")
    claims = [_claim(Fields(entry, at)) for entry, at in fields.list("items")]
    fingerprint = fields.text("fingerprint")
    if fingerprint is not None and not claims:
        pack = session.packs.by_fingerprint(fingerprint)
        if pack is None:
            raise RequestError("fingerprint", "is not one of the packs built last; give the items instead")
        claims = [Claim(item.id, item.path, item.range, item.content_hash) for item in pack.selection.items]
    elif not fields.has("items"):
        raise RequestError("items", "give items, or the fingerprint of a recent pack")
    return verdicts_to_dict(verify(session.looking(checkpoint), claims))


def _claim(fields: Fields) -> Claim:
    from ..context.verify import Claim

    path, lines = _path(fields), _lines(fields)
    if path is None or lines is None:
        raise RequestError(fields.path("path" if path is None else "lines"), "is missing")
    return Claim(fields.text("id") or f"{path}:{lines}", path, lines, _needed(fields, "contentHash"))


def _explain(session: Session, raw: Mapping[str, Any], checkpoint: Checkpoint) -> dict[str, Any]:
    from ..context.explain import explain, explanation_to_dict

    fields = Fields(raw, "")
    line = fields.whole("line")
    if line is not None and line < 1:
        raise RequestError("line", "must be at least 1")
    fingerprint = fields.text("fingerprint")
    pack = session.packs.last() if fingerprint is None else session.packs.by_fingerprint(fingerprint)
    return explanation_to_dict(explain(session.looking(checkpoint), pack, _path(fields), line, fields.text("symbol")))


def _parse_failure(session: Session, raw: Mapping[str, Any], checkpoint: Checkpoint) -> dict[str, Any]:
    from ..context.json import failure_to_dict
    from ..model.request import FailureOutput

    fields = Fields(raw, "")
    output = FailureOutput(_needed(fields, "text"), fields.text("format") or "auto", fields.text("cwd"))
    report = session.parse_failures(output, checkpoint)
    return {
        "failures": [failure_to_dict(failure) for failure in report.failures],
        "leftOut": dict(report.left_out),
        "ambiguous": list(report.ambiguous),
    }


def _apply_edits(session: Session, raw: Mapping[str, Any], checkpoint: Checkpoint) -> dict[str, Any]:
    from ..edits.plan import Expected
    from .editing import plan, plan_to_dict, write

    fields = Fields(raw, "")
    table = fields.object("expected")
    expected = {
        path: Expected(Fields(value, at).text("contentHash"), Fields(value, at).whole("version"))
        for path, value, at in (table.entries() if table is not None else ())
    }
    blocks = fields.text("edits")
    if blocks is None:
        raise RequestError("edits", "is missing")
    edits = plan(session, blocks, expected, checkpoint)
    apply = fields.flag("apply")
    if apply:
        write(session, edits)
    return plan_to_dict(edits, applied=apply)


def _contribute(session: Session, raw: Mapping[str, Any], _checkpoint: Checkpoint) -> dict[str, Any]:
    from .contributions import contribution_from

    source, items = contribution_from(raw)
    return {"source": source, "held": session.contributions.put(source, items)}


def _status(session: Session, _raw: Mapping[str, Any], _checkpoint: Checkpoint) -> dict[str, Any]:
    from .status import status_json

    return status_json(session.status())


TOOLS: Mapping[str, Tool] = MappingProxyType(
    {
        "build": _build,
        "map": _map,
        "search": _search,
        "grep": _grep,
        "related": _related,
        "expand": _expand,
        "verify": _verify,
        "explain": _explain,
        "parseFailure": _parse_failure,
        "applyEdits": _apply_edits,
        "contribute": _contribute,
        "status": _status,
    }
)


def _needed(fields: Fields, name: str) -> str:
    value = fields.text(name)
    if value is None or not value.strip():
        raise RequestError(fields.path(name), "is missing" if value is None else "must not be blank")
    return value


def _bounded(fields: Fields, name: str, default: int, most: int) -> int:
    value = fields.whole(name)
    if value is None:
        return default
    if not 1 <= value <= most:
        raise RequestError(fields.path(name), f"must be between 1 and {most}, got {value}")
    return value


def _scope(fields: Fields) -> Scope:
    from ..context.looking import Scope

    return Scope(fields.texts("include"), fields.texts("exclude"))


def _path(fields: Fields) -> str | None:
    from ..context.validate import folded_path

    return folded_path(fields.get("path"), fields.path("path")) if fields.has("path") else None


def _lines(fields: Fields) -> LineRange | None:
    from ..context.validate import checked_range

    lines = fields.object("lines")
    return None if lines is None else checked_range(lines.get("start"), lines.get("end"), lines.at)
