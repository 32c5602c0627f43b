"""`context/applyEdits`: SEARCH/REPLACE blocks to one versioned WorkspaceEdit, or a typed error and nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from ...context.raw_fields import Fields
from ...model.source import Checkpoint
from ...text.line_table import LineTable
from ...text.positions import character_of
from ..params import fields_of, required_text
from ..running import run

if TYPE_CHECKING:
    from ...edits.plan import Expected, FileEdit, TextEdit
    from ..app import ContextServer


async def handle(ls: ContextServer, params: Any) -> Any:
    """`{edits, expected?: {path: {contentHash?, version?}}, apply?}` → `{edit, files, diff, applied}`.

    Without `apply` it is a preview; with it the client is asked to apply the edit.
    """
    from ...edits.parse import parse_blocks
    from ...edits.plan import plan_edits

    fields = fields_of(params)
    text, apply = required_text(fields, "edits"), fields.flag("apply")
    expected = _expected(fields)

    def work(checkpoint: Checkpoint) -> dict[str, Any]:
        checkpoint()
        plan = plan_edits(parse_blocks(text), ls.session.reader(), ls.session.roots, expected, ls.session.policy)
        return {
            "edit": {"documentChanges": [change for file in plan.files for change in _changes(ls, file)]},
            "files": [file.path for file in plan.files],
            "diff": plan.diff,
        }

    result = await run(ls, work)
    applied = False
    if apply:
        answer = await ls.ask_client("workspace/applyEdit", {"label": "Repo Context", "edit": result["edit"]})
        applied = bool(_get(answer, "applied"))
    return {**result, "applied": applied}


def _get(answer: Any, name: str) -> Any:
    return cast(dict[str, Any], answer).get(name) if isinstance(answer, dict) else getattr(answer, name, None)


def _expected(fields: Fields) -> dict[str, Expected]:
    from ...edits.plan import Expected

    found: dict[str, Expected] = {}
    table = fields.object("expected")
    for path, value, at in table.entries() if table is not None else ():
        claim = Fields(value, at)
        found[path] = Expected(claim.text("contentHash"), claim.whole("version"))
    return found


def _changes(ls: ContextServer, file: FileEdit) -> list[dict[str, Any]]:
    """The LSP form of one file's edits; a new file is created first."""
    uri = ls.session.uri_of(file.path)
    changes: list[dict[str, Any]] = []
    text = "" if file.original is None else file.original.text
    if file.creates:
        changes.append({"kind": "create", "uri": uri, "options": {"overwrite": False, "ignoreIfExists": False}})
    table = LineTable.of(text)
    version = None if file.original is None else file.original.version
    edits = [_edit(ls, edit, table) for edit in file.edits]
    changes.append({"textDocument": {"uri": uri, "version": version}, "edits": edits})
    return changes


def _edit(ls: ContextServer, edit: TextEdit, table: LineTable) -> dict[str, Any]:
    def position(line: int, column: int) -> dict[str, int]:
        return {"line": line - 1, "character": character_of(table.line(line), column, ls.position_encoding)}

    start = position(edit.start_line, edit.start_column)
    return {"range": {"start": start, "end": position(edit.end_line, edit.end_column)}, "newText": edit.new_text}
