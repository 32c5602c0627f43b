"""No line printed: the id of the failed test → its definition, through the symbol index or the test's title."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from lsp_server.model.errors import SourceError
from lsp_server.model.facts import Symbol, SymbolFlag
from lsp_server.model.failure import Location, Role
from lsp_server.model.source import SourceReader

from .drafts import PathStyle, RawFrame
from .resolve import Resolver
from .view import WorkspaceView

BY_SYMBOL = 0.75
"""Confidence of a place that a test id alone gave."""
BY_TITLE = 0.7


def locate_test(
    test: str,
    suite: str | None,
    bases: Sequence[str],
    view: WorkspaceView[Any],
    resolver: Resolver,
    reader: SourceReader,
) -> Location | None:
    """The definition of the test `test`; `suite` is its file as printed, `bases` folders it lies under."""
    path_part, name_part = _split(test)
    path = _suite_path(path_part or suite, resolver)
    names = [part for part in re.split(r"::|\.|#|/|\\| > | › |\s", _without_parameters(name_part)) if part]
    if names:
        found = _definition(names, path, bases, view)
        if found is not None:
            file, symbol = found
            return Location(
                file,
                symbol.name_line or symbol.range.start,
                role=Role.PRIMARY,
                confidence=BY_SYMBOL,
                symbol=symbol.name,
            )
    return _by_title(name_part, path, reader)


def _split(test: str) -> tuple[str | None, str]:
    match = re.match(r"^(?P<path>[^\s:\[]+\.\w{1,5})(?:::(?P<name>.*))?$", _without_parameters(test))
    if match:
        return match["path"], match["name"] or ""
    return None, test


def _without_parameters(test: str) -> str:
    return re.sub(r"\[.*$|\(.*\)$| with data set .*$|#\d+$", "", test, flags=re.DOTALL).strip()


def _suite_path(suite: str | None, resolver: Resolver) -> str | None:
    if not suite:
        return None
    found = resolver.resolve(RawFrame(suite, 0)).path
    if found is None and re.match(r"^[\w$.\\:]+$", suite):
        found = resolver.resolve(RawFrame(suite.split("$")[0], 0, style=PathStyle.MODULE)).path
    return found


def _definition(
    names: list[str], path: str | None, bases: Sequence[str], view: WorkspaceView[Any]
) -> tuple[str, Symbol] | None:
    for name in (names[-1], *([names[0]] if len(names) > 1 and names[0].startswith(("Test", "test")) else [])):
        candidates: list[tuple[int, str, Symbol]] = []
        for found in view.definitions(name):
            symbol = view.symbol(found)
            if symbol.flags & SymbolFlag.DECLARATION:
                continue
            candidates.append((_agreement(names[:-1], found.path, symbol, path, bases), found.path, symbol))
        if path is not None:
            candidates = [candidate for candidate in candidates if candidate[1] == path]
        if not candidates:
            continue
        best = max(score for score, _, _ in candidates)
        top = [candidate for candidate in candidates if candidate[0] == best]
        if len(top) == 1 or path is not None:
            return top[0][1], top[0][2]
    return None


def _agreement(owners: list[str], file: str, symbol: Symbol, path: str | None, bases: Sequence[str]) -> int:
    """How many of the id's outer names the definition's own names and its path repeat."""
    own = {part.lower() for part in re.split(r"[./]", f"{symbol.qualified_name}/{file.rsplit('.', 1)[0]}") if part}
    score = sum(2 for owner in owners if owner.lower() in own)
    score += 4 if path is not None and file == path else 0
    score += sum(1 for base in bases if base and base.replace("\\", "/").rsplit("/", 1)[-1].lower() in own)
    return score + (1 if symbol.flags & SymbolFlag.TEST else 0)


def _by_title(title: str, path: str | None, reader: SourceReader) -> Location | None:
    """The line of `path` that quotes the test's title (`it('frees berths'`), longest ending first."""
    if path is None or not title:
        return None
    try:
        lines = reader.read(path).lines
    except SourceError:
        return None
    words = re.split(r" > | › |[\s.]+", title)
    for start in range(len(words)):
        wanted = " ".join(words[start:])
        if len(wanted) < 3:
            break
        hits = [
            number
            for number, line in enumerate(lines, start=1)
            if any(f"{quote}{wanted}{quote}" in line for quote in "'\"`")
        ]
        if hits:
            return Location(path, hits[-1], role=Role.PRIMARY, confidence=BY_TITLE, symbol=title)
    return None
