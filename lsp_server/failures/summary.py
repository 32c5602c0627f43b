"""A runner's closing list of failed tests gives the failures above it their full ids."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from lsp_server.model.failure import FailureKind
from lsp_server.model.request import Severity

from .drafts import Draft, kind_of


def attach_tests(drafts: Sequence[Draft], failed: Mapping[str, str]) -> list[Draft]:
    """`failed` are ids with the summary's message; those that no draft tells of become drafts without a place."""
    result = list(drafts)
    if not failed:
        return result
    left = dict(failed)
    for draft in result:
        if draft.tool == "pytest" and draft.test:
            nodeid = _match(draft.test, left)
            if nodeid is not None:
                _give(draft, nodeid, left)
    nameless = [
        draft
        for draft in result
        if draft.tool in {"pytest", "python"} and not draft.test and draft.severity is Severity.ERROR
    ]
    for draft in nameless:
        nodeid = next((nodeid for nodeid, said in left.items() if _same_message(draft.message, said)), None)
        if nodeid is None and len(nameless) == len(failed) and len(left) == len(nameless):
            nodeid = next(iter(left))
        if nodeid is not None:
            _give(draft, nodeid, left)
    for nodeid, said in left.items():
        kind = kind_of(said) if said else FailureKind.EXCEPTION
        result.append(Draft(said, kind, test=nodeid, tool="pytest", suite=nodeid.partition("::")[0]))
    return result


def _give(draft: Draft, nodeid: str, left: dict[str, str]) -> None:
    said = left.pop(nodeid)
    draft.test = nodeid
    draft.suite = draft.suite or nodeid.partition("::")[0]
    if not draft.message:
        draft.message = said


def _match(name: str, left: Mapping[str, str]) -> str | None:
    """The nodeid that a report's heading (`TestClass.test_x[a]`, or a path) stands for."""
    if name in left:
        return name
    wanted = _plain(name)
    return next((nodeid for nodeid in left if _plain(nodeid.partition("::")[2]) == wanted), None)


def _plain(name: str) -> str:
    return name.removeprefix("[doctest] ").replace("::", ".").strip()


def _same_message(message: str, said: str) -> bool:
    start = re.sub(r"\.\.\.$", "", said)
    return bool(start) and (message.startswith(start) or start.startswith(message[:60]) if message else False)
