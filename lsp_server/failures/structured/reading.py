"""What a structured format is, and how it reads the text (stack traces) embedded in it."""

from __future__ import annotations

from collections.abc import Callable

from ...model.values import Value
from ..drafts import Draft, RawFrame, Trace, kind_of
from .values import Json

TextReader = Callable[[str], list[Draft]]
"""Reads text with the text grammars."""


class Structure(Value):
    """One registered structured format: `accepts` looks at a parsed document (or one line of JSON lines)."""

    id: str
    title: str
    tools: tuple[str, ...]
    accepts: Callable[[Json], bool]
    read: Callable[[Json, TextReader], list[Draft]]


def from_text(text: str, read: TextReader, *, message: str = "", test: str | None = None, tool: str = "") -> Draft:
    """One draft out of embedded text: the places of all that the text grammars find, in their order."""
    found = read(text) if text.strip() else []
    traces: list[Trace] = []
    related: list[RawFrame] = []
    chained = False
    for draft in found:
        traces.extend(draft.traces)
        related.extend(draft.related)
        chained = chained or draft.chained
    said = message or next((draft.message for draft in found if draft.message), "") or _first_line(text)
    kind = found[0].kind if found and not message else kind_of(said)
    return Draft(said, kind, test=test, tool=tool, traces=traces, related=related, chained=chained)


def _first_line(text: str) -> str:
    return next((line.strip() for line in text.splitlines() if line.strip()), "")
