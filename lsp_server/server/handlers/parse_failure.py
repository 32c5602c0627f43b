"""`context/parseFailure`: raw output in, normalised failures with their locations out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...model.source import Checkpoint
from ..params import fields_of, required_text
from ..running import run_with_progress

if TYPE_CHECKING:
    from ..app import ContextServer


async def handle(ls: ContextServer, params: Any) -> Any:
    """`{text, format?, cwd?}` → `{failures, leftOut, ambiguous}`."""
    from ...context.json import failure_to_dict
    from ...model.request import FailureOutput

    fields = fields_of(params)
    output = FailureOutput(required_text(fields, "text"), fields.text("format") or "auto", fields.text("cwd"))

    def work(checkpoint: Checkpoint) -> dict[str, object]:
        report = ls.session.parse_failures(output, checkpoint)
        return {
            "failures": [failure_to_dict(failure) for failure in report.failures],
            "leftOut": dict(report.left_out),
            "ambiguous": list(report.ambiguous),
        }

    return await run_with_progress(ls, params, "Reading failures", work)
