"""`textDocument/codeAction`: "Build context for this problem", by `context/build` or `context/show`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

if TYPE_CHECKING:
    from ..app import ContextServer

BUILD, SHOW = "repoContext.build", "repoContext.show"
"""For a client that opted in to anything of ours, and for one that would drop the command's result unseen."""


async def handle(ls: ContextServer, params: types.CodeActionParams) -> list[types.CodeAction]:
    """One action for each error under the cursor, one for all errors that the client sent along."""
    only = params.context.only
    if only and not any(types.CodeActionKind.QuickFix.value.startswith(_text(kind)) for kind in only):
        return []
    uri = params.text_document.uri
    errors = [one for one in params.context.diagnostics if one.severity in (None, types.DiagnosticSeverity.Error)]
    actions = [
        _action(ls, f"Build context for: {_short(one.message)}", uri, [one])
        for one in errors or params.context.diagnostics
    ]
    if len(errors) > 1:
        actions.append(_action(ls, f"Build context for all {len(errors)} errors here", uri, errors))
    return actions


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
