"""`context/grep`: a literal or a regular expression, within limits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...model.errors import RequestError
from ...model.source import Checkpoint
from ...session.freshness import with_freshness
from ..params import bounded, fields_of, scope_of
from ..running import run

if TYPE_CHECKING:
    from ..app import ContextServer


async def handle(ls: ContextServer, params: Any) -> Any:
    """`{pattern, kind?, case?, limit?, include?, exclude?}` → `{matches, files, truncated, stopped}`."""
    from ...context.grep import DEFAULT_LIMIT, MAX_LIMIT, Case, GrepRequest, PatternKind, compile_pattern, grep_to_dict

    fields = fields_of(params)
    pattern = fields.text("pattern")
    if pattern is None:
        raise RequestError("pattern", "is missing")
    request = GrepRequest(
        pattern,
        fields.choice("kind", PatternKind) or PatternKind.LITERAL,
        fields.choice("case", Case) or Case.SENSITIVE,
        bounded(fields, "limit", DEFAULT_LIMIT, MAX_LIMIT),
        scope_of(fields),
    )
    compile_pattern(request)

    def work(checkpoint: Checkpoint) -> dict[str, object]:
        result = grep_to_dict(ls.session.grep(request, checkpoint), ls.edge())
        return with_freshness(result, ls.session.snapshot(checkpoint), ls.session.degraded)

    return await run(ls, work)
