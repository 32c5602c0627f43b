"""A draft's printed places → the locations of a `Failure`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from lsp_server.model.errors import SourceError
from lsp_server.model.facts import Symbol
from lsp_server.model.failure import Failure, LibraryFrame, Location, Role
from lsp_server.model.source import SourceReader, SourceText
from lsp_server.model.values import replace

from .dedupe import unique_locations
from .drafts import Draft, RawFrame
from .drift import LineShift, anchor, shifts_of
from .order import order_locations
from .resolve import Resolver
from .testid import locate_test
from .view import WorkspaceView

MAX_MESSAGE = 2_000
MAX_LIBRARY_FRAMES = 40
MAX_LOCATIONS = 60


def _named_file(message: str) -> str | None:
    """The test file that a time-out's message ends with, in parentheses."""
    match = re.search(r"\((?P<path>[^()\n]{1,400}\.[cm]?[jt]sx?)\)\s*$", message[:2_000])
    return match["path"] if match else None


class Locator:
    """Turns drafts of one output into failures; remembers texts and collects ambiguous paths."""

    def __init__(
        self,
        view: WorkspaceView[Any],
        resolver: Resolver,
        reader: SourceReader,
        changes: Mapping[str, Sequence[LineShift]],
    ) -> None:
        self._view = view
        self._resolver = resolver
        self._reader = reader
        self._changes = changes
        self._sources: dict[str, SourceText | None] = {}
        self.ambiguous: list[str] = []

    def failure(self, draft: Draft) -> Failure:
        """`draft` with its places looked up; without one the test's definition is the place."""
        library: list[LibraryFrame] = []
        places = [place for frame in draft.frames() if (place := self._place(frame, library)) is not None]
        related = [place for frame in draft.related if (place := self._place(frame, library)) is not None]
        if not places:
            places = self._by_name(draft, library)
        if not places and related:
            places, related = [replace(related[0], role=Role.FRAME)], related[1:]
        ordered = order_locations(unique_locations([*places, *related]), draft.test, chained=draft.chained)
        return Failure(
            "", draft.message[:MAX_MESSAGE], draft.kind, draft.severity, draft.code, draft.test, draft.tool,
            tuple(ordered[:MAX_LOCATIONS]), tuple(library[:MAX_LIBRARY_FRAMES]),
        )  # fmt: skip

    def _by_name(self, draft: Draft, library: list[LibraryFrame]) -> list[Location]:
        """No line was printed: the test's definition, else the top of the file that failed to load."""
        suites = list(dict.fromkeys((draft.suite, _named_file(draft.message))))
        if draft.test:
            bases = [base for frame in draft.frames() for base in frame.bases]
            for suite in suites:
                found = locate_test(draft.test, suite, bases, self._view, self._resolver, self._reader)
                if found is not None:
                    return [found]
        if draft.test or draft.frames():
            return []
        places = [self._place(RawFrame(suite, 1), library) for suite in suites if suite]
        return [place for place in places if place is not None][:1]

    def _place(self, frame: RawFrame, library: list[LibraryFrame]) -> Location | None:
        if frame.line < 1:
            return None
        resolved = self._resolver.resolve(frame)
        if resolved.candidates:
            self.ambiguous.append(f"{frame.path}:{frame.line}: {', '.join(resolved.candidates[:5])}")
        if resolved.path is None:
            if resolved.library:
                library.append(LibraryFrame(frame.path.partition("|")[2] or frame.path, frame.line, frame.symbol))
            return None
        path = resolved.path
        source = self._source(path)
        if source is not None and not source.lines:
            return None
        anchored = anchor(
            frame.line, frame.text, source, shifts_of(self._changes, path), lambda: self._named(path, frame.symbol)
        )
        if frame.weak and anchored.confidence < 0.5:
            return None
        moved = anchored.line != frame.line
        end = frame.end_line + anchored.line - frame.line if frame.end_line else None
        return Location(
            path, anchored.line, end if end and end >= anchored.line else None, frame.column, frame.role,
            round(resolved.confidence * anchored.confidence, 3), frame.symbol,
            frame.line if moved else None, frame.text,
        )  # fmt: skip

    def _source(self, path: str) -> SourceText | None:
        if path not in self._sources:
            try:
                self._sources[path] = self._reader.read(path)
            except SourceError:
                self._sources[path] = None
        return self._sources[path]

    def _named(self, path: str, name: str | None) -> Symbol | None:
        """The only definition in `path` that the frame's function name can mean."""
        if not name:
            return None
        short = name.split("(")[0].replace("::", ".").rsplit(".", 1)[-1].strip()
        symbols = [self._view.symbol(one) for one in self._view.definitions(short) if one.path == path]
        return symbols[0] if len(symbols) == 1 else None
