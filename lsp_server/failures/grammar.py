"""What a grammar is, and what it sees of the output around the line it reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from ..model.values import Value
from .decode import MAX_LINE
from .drafts import Draft, RawFrame

LOOK_BACK = 14
"""Lines before the current one that a grammar may consult."""
MAX_DRAFTS = 4_000
"""Failures kept of one output; more are counted."""


class Block(Protocol):
    """A construct of several lines that is being read."""

    def feed(self, line: str, context: Context, /) -> bool:
        """Takes the next line; False when the line is not part of the block any more."""
        ...

    def close(self, context: Context, /) -> None:
        """The block has ended: emits what was read. Called exactly once."""
        ...


class Opened:
    """The answer of an opener that dealt with the line alone."""


DONE = Opened()

Opener = Callable[[str, "Context"], "Block | Opened | None"]
"""Reads a line that one of the grammar's triggers is in: a block, DONE, or None (not this grammar's)."""


class Grammar(Value):
    """One registered format. `triggers` are literals (or, with `/` around, patterns that begin with a
    literal); only lines that contain one are ever offered to `open`. `example` is for the page of formats."""

    id: str
    title: str
    tools: tuple[str, ...]
    example: str
    triggers: tuple[str, ...]
    open: Opener


@dataclass(slots=True)
class Context:
    """State that outlives a block: where the tool stands, which test runs, what was seen."""

    drafts: list[Draft] = field(default_factory=list[Draft])
    left_out: int = 0
    directories: list[str] = field(default_factory=list[str])
    test: str | None = None
    suite: str | None = None
    crate: str | None = None
    tool: str = ""
    related: list[RawFrame] = field(default_factory=list[RawFrame])
    awaiting: list[Draft] = field(default_factory=list[Draft])
    """Drafts whose package is named only by a later line (`FAIL example.org/pkg`)."""
    failed_tests: dict[str, str] = field(default_factory=dict[str, str])
    """Ids of failed tests that a summary listed, with the summary's message."""
    includes: list[RawFrame] = field(default_factory=list[RawFrame])
    _text: str = ""
    _at: int = 0
    _before: list[str] | None = None
    _seen: dict[tuple[object, ...], Draft] = field(default_factory=dict[tuple[object, ...], Draft])

    def look_from(self, text: str, at: int) -> None:
        """The current line begins at offset `at` of `text`; what stands before it can be looked at."""
        self._text, self._at, self._before = text, at, None

    @property
    def before(self) -> list[str]:
        """The lines before the current one, nearest first, at most LOOK_BACK of them."""
        if self._before is None:
            lines: list[str] = []
            end = self._at - 1
            while end >= 0 and len(lines) < LOOK_BACK:
                begin = self._text.rfind("\n", 0, end) + 1
                lines.append(self._text[begin : min(end, begin + MAX_LINE)])
                end = begin - 1
            self._before = lines
        return self._before

    @property
    def bases(self) -> tuple[str, ...]:
        """Folders a relative path may start from: make's directories, innermost first, and the crate."""
        stack = tuple(reversed(self.directories))
        return (*stack, self.crate) if self.crate else stack

    def emit(self, draft: Draft) -> None:
        """Keeps `draft`, unless the same place was reported with the same words already."""
        if self.related and draft.traces:
            draft.related.extend(self.related)
            self.related.clear()
        frames = draft.frames()
        key = (draft.message, draft.code, draft.test, *((frame.path, frame.line) for frame in frames[:8]))
        same = self._seen.get(key)
        if same is not None:
            if len(same.related) < 32:
                same.related.extend(draft.related)
            return
        if len(self.drafts) >= MAX_DRAFTS:
            self.left_out += 1
            return
        self._seen[key] = draft
        self.drafts.append(draft)

    @property
    def last(self) -> Draft | None:
        """The draft emitted last."""
        return self.drafts[-1] if self.drafts else None
