"""What went wrong, as JSON-RPC errors: a code, a sentence, and data that a program can act on."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import cattrs
from cattrs.errors import ClassValidationError, IterableValidationError
from pygls.exceptions import JsonRpcException

from ..model.errors import Cancelled, EditError, RequestError, ResourceLimitError
from ..session.scheduler import SessionClosed, Superseded

if TYPE_CHECKING:
    from ..edits.errors import BlockError

PARSE_ERROR, INVALID_REQUEST, INVALID_PARAMS, INTERNAL_ERROR = -32700, -32600, -32602, -32603
NOT_INITIALIZED, REQUEST_CANCELLED, CONTENT_MODIFIED = -32002, -32800, -32801


def error_answer(error: BaseException) -> tuple[int, str, Any]:
    """(code, message, data) for what a handler raised."""
    if isinstance(error, RequestError):
        data: dict[str, Any] = {"path": error.path, "problem": error.problem, "type": type(error).__name__}
        if isinstance(error, ResourceLimitError):
            data["ceiling"] = error.ceiling
        return INVALID_PARAMS, str(error), data
    if isinstance(error, EditError):
        return INVALID_PARAMS, str(error), _edit_error(error)
    if isinstance(error, Superseded):
        return CONTENT_MODIFIED, str(error), None
    if isinstance(error, (Cancelled, asyncio.CancelledError, SessionClosed)):
        return REQUEST_CANCELLED, str(error) or "the request was cancelled", None
    if isinstance(error, JsonRpcException):
        return error.code, error.message, error.data
    return INTERNAL_ERROR, f"internal error ({type(error).__name__}); see the server's log", None


def describe(error: BaseException) -> tuple[str, str]:
    """(JSON path, problem) of what cattrs could not structure."""
    if isinstance(error, (ClassValidationError, IterableValidationError)):
        first = cattrs.transform_error(error)[0]
        problem, _, path = first.rpartition(" @ ")
        path = path.removeprefix("$").lstrip(".")
        return _wire_names(path.removeprefix("params.")) or "params", problem or "is not what the protocol asks for"
    return "params", "is not what the protocol asks for"


def _wire_names(path: str) -> str:
    """`text_document.uri` as the wire spells it."""
    head, *rest = path.split("_")
    return head + "".join(part[:1].upper() + part[1:] for part in rest)


def _edit_error(error: EditError) -> dict[str, Any]:
    """A refused block: which one, why, and where its text nearly or too often is."""
    from ..edits.errors import Ambiguous, BlockError, NoMatch

    data: dict[str, Any] = {"type": type(error).__name__}
    if isinstance(error, BlockError):
        block: BlockError = error
        data |= {"code": block.code, "block": block.block, "path": block.path, "problem": block.problem}
    if isinstance(error, NoMatch) and error.nearest is not None:
        nearest = error.nearest
        lines = {"start": nearest.range.start, "end": nearest.range.end}
        data["nearest"] = {"lines": lines, "text": nearest.text, "similarity": nearest.similarity}
    if isinstance(error, Ambiguous):
        data["matches"] = [{"start": match.start, "end": match.end} for match in error.matches]
        data["count"] = error.count
    return data
