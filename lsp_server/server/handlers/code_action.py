"""`textDocument/codeAction`: "Build context for this problem", by `context/build` or `context/show`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

if TYPE_CHECKING:
    from ..app import ContextServer

BUILD, SHOW = "repoContext.build", "repoContext.show"
"""For a client that opted in to anything of ours, and for one that would drop the command's result unseen."""

MOST_TEXT = 2000
"""Characters of a selection that are searched for."""


async def handle(ls: ContextServer, params: types.CodeActionParams) -> list[types.CodeAction]:
    """One action for each error under the cursor, one for all errors that the client sent along.

    Some editors (Helix, Sublime Text) hand a server its own diagnostics alone, and this one has none: for a client
    without a view of its own there is an action for the place itself then.
    """
    uri = params.text_document.uri
    errors = [one for one in params.context.diagnostics if one.severity in (None, types.DiagnosticSeverity.Error)]
    if not params.context.diagnostics:
        wanted = not ls.opted_in and _asked_for(params, types.CodeActionKind.Source)
        return [_place_action(ls, uri, params.range)] if wanted else []
    if not _asked_for(params, types.CodeActionKind.QuickFix):
        return []
    actions = [
        _action(ls, f"Build context for: {_short(one.message)}", uri, [one])
        for one in errors or params.context.diagnostics
    ]
    if len(errors) > 1:
        actions.append(_action(ls, f"Build context for all {len(errors)} errors here", uri, errors))
    return actions


def _asked_for(params: types.CodeActionParams, kind: types.CodeActionKind) -> bool:
    only = params.context.only
    return not only or any(kind.value.startswith(_text(one)) for one in only)


def _place_action(ls: ContextServer, uri: str, place: types.Range) -> types.CodeAction:
    """For the lines of the range: they are named, and their words are searched for."""
    title = "Build context for this place"
    document = ls.session.documents.get(uri)
    lines = () if document is None else document.source().lines[place.start.line : place.end.line + 1]
    argument: dict[str, Any] = {"mentions": [{"uri": uri, "range": ls.plain(place)}]}
    words = "\n".join(lines)[:MOST_TEXT].strip()
    if words:
        argument["task"] = words
    command = types.Command(title, SHOW, arguments=[argument])
    return types.CodeAction(title=title, kind=types.CodeActionKind.Source, command=command)


def _action(ls: ContextServer, title: str, uri: str, diagnostics: list[types.Diagnostic]) -> types.CodeAction:
    document = ls.session.documents.get(uri)
    version = None if document is None else document.version
    entries: list[dict[str, Any]] = [
        {"uri": uri, "version": version, "diagnostic": ls.plain(diagnostic)} for diagnostic in diagnostics
    ]
    warnings = all(one.severity not in (None, types.DiagnosticSeverity.Error) for one in diagnostics)
    argument: dict[str, Any] = {"diagnostics": entries, **({"includeWarnings": True} if warnings else {})}
    return types.CodeAction(
        title=title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=diagnostics,
        command=types.Command(title, BUILD if ls.opted_in else SHOW, arguments=[argument]),
    )


def _short(message: object) -> str:
    text = str(message)
    line = " ".join(text.split())
    return line if len(line) <= 60 else line[:57] + "..."


def _text(kind: object) -> str:
    return str(getattr(kind, "value", kind))
