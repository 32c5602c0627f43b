"""The plain camelCase dictionaries that LSP, MCP and CLI share (see the protocol page for the shapes).

Paths are workspace-relative and lines 1-based and closed; `Edge` adds what only the protocol edge knows.
Reading a request is in `raw_request`; `request_from` is here too, so that this is the one module to import.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..model.failure import Failure, LibraryFrame, Location
from ..model.lines import LineRange
from ..model.pack import SCHEMA_VERSION, ContextPack, Omission, PackItem, SourceCount
from ..model.values import Value
from .raw_request import RawPlaces, request_from

__all__ = [
    "PLAIN_EDGE",
    "Edge",
    "RawPlaces",
    "failure_to_dict",
    "item_to_dict",
    "omission_to_dict",
    "pack_to_dict",
    "request_from",
]

MAX_UNRESOLVED_NAMES = 20


def same_path(path: str) -> str:
    """Leaves a path as it is, for callers without URIs."""
    return path


def utf16_length(line: str) -> int:
    """Length of a line in UTF-16 code units, LSP's default."""
    return len(line) + sum(char > "\uffff" for char in line)


class Edge(Value):
    """What the protocol edge adds: `uri` of a canonical path, `columns` of a line in the client's encoding."""

    uri: Callable[[str], str] = same_path
    columns: Callable[[str], int] = utf16_length


PLAIN_EDGE = Edge()


def pack_to_dict(pack: ContextPack, edge: Edge = PLAIN_EDGE) -> dict[str, object]:
    """A whole pack; `rendered` only if the pack has it."""
    selection = pack.selection
    plain: dict[str, object] = {
        "schema": SCHEMA_VERSION,
        "items": [item_to_dict(item, edge) for item in selection.items],
        "layout": list(pack.layout),
        "omitted": [omission_to_dict(omission) for omission in selection.omitted],
        "failures": [failure_to_dict(one, pack.failure_items.get(one.id, ())) for one in pack.failures],
        "failuresLeftOut": dict(pack.failures_left_out),
        "used": selection.used,
        "overhead": selection.overhead,
        "budget": selection.budget,
        "ceiling": selection.ceiling,
        "truncated": selection.truncated,
        "missingCritical": selection.missing_critical,
        "missingRequired": list(selection.missing_required),
        "policy": selection.policy,
        "counter": selection.counter,
        "fingerprint": selection.fingerprint,
        "sources": {name: _source_count(count) for name, count in selection.sources.items()},
        "unresolved": {
            "calls": pack.unresolved.calls,
            "names": list(pack.unresolved.names[:MAX_UNRESOLVED_NAMES]),
        },
        "freshness": _freshness(pack),
        "timings": dict(pack.timings),
    }
    pinned = _present({name: getattr(pack.pinned, name) or None for name in ("goal", "state", "failure")})
    if pinned:
        plain["pinned"] = pinned
    if pack.rendered is not None:
        plain["rendered"] = pack.rendered
    return plain


def item_to_dict(item: PackItem, edge: Edge = PLAIN_EDGE) -> dict[str, object]:
    """One chosen snippet. `lines` are 1-based and closed, `range` is LSP's own; both always agree."""
    plain: dict[str, object] = {
        "id": item.id,
        "path": item.path,
        "uri": edge.uri(item.path),
        "lines": lines_to_dict(item.range),
        "range": lsp_range(item.range, item.content, edge),
        "content": item.content,
        "reason": str(item.reason),
        "source": item.source,
        "why": item.why,
        "score": item.score,
        "cost": item.cost,
        "rank": item.rank,
        "contentHash": item.content_hash,
        "origin": str(item.origin),
    }
    optional: dict[str, object | None] = {
        "version": item.version,
        "group": item.group,
        "parent": item.parent,
        "symbol": item.symbol,
        "masked": item.masked or None,
        "required": item.required or None,
        "parts": dict(item.parts) or None,
        "trail": list(item.trail) or None,
    }
    return plain | _present(optional)


def omission_to_dict(omission: Omission) -> dict[str, object]:
    """One candidate that was not chosen; `rank` and `cost` are null if it never reached ranking."""
    plain: dict[str, object] = {
        "id": omission.id,
        "path": omission.path,
        "lines": lines_to_dict(omission.range),
        "reason": str(omission.reason),
        "source": omission.source,
        "score": omission.score,
        "cost": omission.cost,
        "rank": omission.rank,
        "cause": str(omission.cause),
    }
    hints = {"blockedBy": omission.blocked_by, "needs": omission.needs, "detail": omission.detail or None}
    return plain | _present(hints)


def failure_to_dict(failure: Failure, items: tuple[str, ...] = ()) -> dict[str, object]:
    """One failure, its locations most suspicious first, and the ids of the items that show it."""
    plain: dict[str, object] = {
        "id": failure.id,
        "message": failure.message,
        "kind": str(failure.kind),
        "severity": str(failure.severity),
        "tool": failure.tool,
        "locations": [_location(location) for location in failure.locations],
        "libraryFrames": [_library_frame(frame) for frame in failure.library_frames],
        "items": list(items),
    }
    return plain | _present({"code": failure.code, "test": failure.test, "stale": failure.stale or None})


def lines_to_dict(range: LineRange) -> dict[str, int]:
    """A line range, 1-based and closed."""
    return {"start": range.start, "end": range.end}


def lsp_range(range: LineRange, content: str, edge: Edge = PLAIN_EDGE) -> dict[str, object]:
    """The same lines as LSP's 0-based half-open range: to the end of the text that `content` shows."""
    if content.endswith(("\n", "\r")):
        end = {"line": range.end, "character": 0}
    else:
        last = content.replace("\r", "\n").rpartition("\n")[2]
        end = {"line": range.end - 1, "character": edge.columns(last)}
    return {"start": {"line": range.start - 1, "character": 0}, "end": end}


def _present(values: Mapping[str, object | None]) -> dict[str, object]:
    return {name: value for name, value in values.items() if value is not None}


def _source_count(count: SourceCount) -> dict[str, int]:
    return {"found": count.found, "admitted": count.admitted, "omitted": count.omitted, "cut": count.cut}


def _freshness(pack: ContextPack) -> dict[str, object]:
    freshness = pack.freshness
    plain: dict[str, object] = {
        "revision": freshness.revision,
        "pendingFiles": freshness.pending_files,
        "head": freshness.head,
        "staleDocuments": list(freshness.stale_documents),
    }
    return plain | _present({"degraded": list(freshness.degraded) or None})


def _location(location: Location) -> dict[str, object]:
    plain: dict[str, object] = {
        "path": location.path,
        "line": location.line,
        "role": str(location.role),
        "confidence": location.confidence,
    }
    optional = {
        "endLine": location.end_line,
        "column": location.column,
        "symbol": location.symbol,
        "reportedLine": location.reported_line,
    }
    return plain | _present(optional)


def _library_frame(frame: LibraryFrame) -> dict[str, object]:
    return {"path": frame.path} | _present({"line": frame.line, "symbol": frame.symbol})
