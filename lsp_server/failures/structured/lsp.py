"""Captured LSP diagnostics: `publishDiagnostics` params, pulled reports, or a bare list of them."""

from __future__ import annotations

from collections.abc import Mapping

from lsp_server.model.failure import Role
from lsp_server.model.request import Severity

from ..drafts import Draft, RawFrame, diagnostic
from .reading import Structure, TextReader
from .values import Json, at, is_object, listing, mapping, objects, string, whole

SEVERITIES = {1: Severity.ERROR, 2: Severity.WARNING, 3: Severity.INFORMATION, 4: Severity.HINT}
UNNECESSARY = 1


def _files(value: Json) -> list[Mapping[str, Json]]:
    top = mapping(value)
    for candidate in (top.get("files"), value):
        found = [one for one in objects(candidate) if "uri" in one and "diagnostics" in one]
        if found:
            return found
    params = mapping(top.get("params")) or top
    if "uri" in params and isinstance(params.get("diagnostics"), list):
        return [params]
    return []


def _accepts(value: Json) -> bool:
    return bool(_files(value))


def _read(value: Json, _read: TextReader) -> list[Draft]:
    drafts: list[Draft] = []
    for file in _files(value):
        uri = string(file.get("uri"))
        drafts.extend(_draft(uri, one) for one in objects(file.get("diagnostics")))
    drafts.sort(key=lambda draft: draft.weak)  # `Unnecessary` lowers the rank, never excludes
    for draft in drafts:
        draft.weak = False
    return drafts


def _draft(uri: str, item: Mapping[str, Json]) -> Draft:
    code = item.get("code")
    code = string(mapping(code).get("value")) if is_object(code) else string(code)
    severity = SEVERITIES.get(whole(item.get("severity")), Severity.ERROR)
    message = string(item.get("message"))
    draft = diagnostic(message, place(uri, item.get("range")), severity=severity, code=code or None)
    draft.tool = string(item.get("source"))
    for related in objects(item.get("relatedInformation")):
        spot = place(string(at(related, "location", "uri")), at(related, "location", "range"))
        spot.role = Role.RELATED
        if (spot.path, spot.line) != (uri, draft.traces[0].frames[0].line):
            draft.related.append(spot)
    if severity is Severity.ERROR and UNNECESSARY in listing(item.get("tags")):
        draft.weak = True
    return draft


def place(uri: str, range: Json) -> RawFrame:
    """The frame of an LSP range: lines become 1-based, an end at column 0 belongs to the line before."""
    start = whole(at(range, "start", "line")) + 1
    end = whole(at(range, "end", "line")) + 1
    if end > start and whole(at(range, "end", "character")) == 0:
        end -= 1
    return RawFrame(uri, start, whole(at(range, "start", "character")) + 1, end if end > start else None)


STRUCTURE = Structure("lsp", "LSP diagnostics", ("language servers",), _accepts, _read)
