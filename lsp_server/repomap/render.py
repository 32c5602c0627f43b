"""The outline: signatures grouped by file, in order of path and line, within an exact budget.

Rank decides only what gets in. What is in stands in order of path and line and without line numbers, so
that an unchanged workspace gives the same bytes and a small change a small difference.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from ..index.snapshot import FileView, Snapshot
from ..model.errors import SourceError
from ..model.facts import NOWHERE, Symbol, SymbolFlag, SymbolKind
from ..model.source import Checkpoint, SourceText, TokenCounter, no_checkpoint
from ..model.values import Value
from .rank import Ranking
from .signature import signature

DECAY = 0.8
"""Each further definition of one file counts this much of the one before: many files before many details."""

MAX_MISSES = 24
"""So many entries in a row that do not fit end the filling."""

_KIND_WEIGHTS = {
    SymbolKind.FIELD: 0.2,
    SymbolKind.ENUM_MEMBER: 0.1,
    SymbolKind.PROPERTY: 0.4,
    SymbolKind.VARIABLE: 0.3,
    SymbolKind.CONSTANT: 0.4,
    SymbolKind.MODULE: 0.3,
    SymbolKind.NAMESPACE: 0.3,
}

INDENT = "  "


class MapSymbol(Value):
    """A definition in the map. `line` is 1-based; `depth` 0 for top-level definitions of the file."""

    name: str
    kind: str
    line: int
    signature: str
    depth: int


class MapFile(Value):
    """A file in the map with the definitions shown of it, in order of line."""

    path: str
    score: float
    symbols: tuple[MapSymbol, ...]


class RepoMap(Value):
    """`text` costs `used` <= `budget`; `files` in order of path. `*_left_out` count what is not in it:
    files (those without definitions too), symbols of the files looked at."""

    text: str
    used: int
    budget: int
    counter: str
    files: tuple[MapFile, ...]
    files_left_out: int
    symbols_left_out: int


class Outline(Value):
    """What to draw from: which files may be shown, their text as it may be shown, how deep to go.

    `depth` counts nesting levels: 0 names files only, 1 top-level definitions, 2 their members, and so on.
    `text` raises SourceError for a file that cannot be read.
    """

    snapshot: Snapshot
    admitted: Callable[[str], bool]
    text: Callable[[str], SourceText]
    counter: TokenCounter
    depth: int = 2
    checkpoint: Checkpoint = no_checkpoint


@dataclass(slots=True)
class _OpenFile:
    """A file while entries are added: candidates in order of importance, and those taken (row → symbol)."""

    path: str
    score: float
    view: FileView
    waiting: list[Symbol]
    taken: dict[int, MapSymbol] = field(default_factory=dict[int, MapSymbol])


def draw(outline: Outline, ranking: Ranking, budget: int) -> RepoMap:
    """The map of the best-ranked files and definitions that fit `budget`."""
    drawing = _Drawing(outline, ranking)
    # Pieces cost a little more apart than together: what that leaves is filled in further rounds.
    room = budget
    for _ in range(_ROUNDS):
        if not drawing.fill(room):
            break
        room = budget - outline.counter.count(drawing.text())
        if room <= 0:
            break
    text = drawing.text()
    while text and outline.counter.count(text) > budget:  # a counter that is not additive
        drawing.drop_last()
        text = drawing.text()
    files = drawing.files()
    candidates = [path for path, _ in ranking.files if outline.admitted(path)]
    shown = sum(len(file.symbols) for file in files)
    return RepoMap(
        text=text,
        used=outline.counter.count(text),
        budget=budget,
        counter=outline.counter.id,
        files=files,
        files_left_out=len(candidates) - len(files),
        symbols_left_out=max(0, drawing.seen_symbols - shown),
    )


_ROUNDS = 4


class _Drawing:
    """The set of entries while it grows."""

    def __init__(self, outline: Outline, ranking: Ranking) -> None:
        self._outline = outline
        self._names = ranking.names
        self._heap: list[tuple[float, str, int]] = []
        self._scores: Mapping[str, float] = dict(ranking.files)
        for path, score in ranking.files:
            if outline.admitted(path):
                self._heap.append((-score, path, 0))
        heapq.heapify(self._heap)
        self._open: dict[str, _OpenFile] = {}
        self._order: list[tuple[str, int]] = []
        self.seen_symbols = 0

    def fill(self, room: int) -> bool:
        """Add entries that together cost at most `room`; True when there was one."""
        added = False
        misses = 0
        held: list[tuple[float, str, int]] = []
        while self._heap and misses < MAX_MISSES and room > 0:
            self._outline.checkpoint()
            entry = heapq.heappop(self._heap)
            cost = self._add(entry, room)
            if cost is None:
                continue
            if cost > room:
                misses += 1
                held.append(entry)
            else:
                room -= cost
                misses = 0
                added = True
        for entry in held:
            heapq.heappush(self._heap, entry)
        return added

    def _add(self, entry: tuple[float, str, int], room: int) -> int | None:
        """Add one entry and return its cost, or only say the cost when it is over `room`; None: nothing to add."""
        _, path, index = entry
        opened = self._open.get(path) or self._opened(path)
        if opened is None:
            return None
        lines = self._lines(opened, index)
        if lines is None:
            self._push(opened, index + 1)
            return None
        count = self._outline.counter.count
        cost = sum(count(_line(symbol)) for symbol in lines.values())
        cost += 0 if opened.path in self._open else count(_heading(path))
        if cost <= room:
            opened.taken.update(lines)
            self._open[path] = opened
            self._order.append((path, index))
            self._push(opened, index + 1)
        return cost

    def _push(self, opened: _OpenFile, index: int) -> None:
        if index < len(opened.waiting):
            heapq.heappush(self._heap, (-opened.score * DECAY**index, opened.path, index))

    def _opened(self, path: str) -> _OpenFile | None:
        view = self._outline.snapshot.file(path)
        if view is None:
            return None
        waiting = _by_importance(view, self._names.get(path, {}), self._outline.depth)
        self.seen_symbols += len(waiting)
        if not waiting and self._outline.depth:
            return None
        return _OpenFile(path, self._scores.get(path, 0.0), view, waiting)

    def _lines(self, opened: _OpenFile, index: int) -> dict[int, MapSymbol] | None:
        """The lines that entry `index` adds: the definition and what contains it; {} for a file alone."""
        if not opened.waiting:
            return {}
        try:
            text = self._outline.text(opened.path)
        except SourceError:
            return None
        facts, wanted = opened.view.facts, opened.waiting[index]
        chain = [wanted]
        while chain[-1].parent != NOWHERE:
            chain.append(facts.symbol(chain[-1].parent))
        lines: dict[int, MapSymbol] = {}
        shown = [symbol for symbol in reversed(chain) if symbol.name]
        for depth, symbol in enumerate(shown):
            if symbol.index in opened.taken:
                continue
            line = signature(text, symbol, opened.view.language)
            if not line:
                return None
            lines[symbol.index] = MapSymbol(
                symbol.qualified_name, symbol.kind.name.lower(), symbol.name_line, line, depth
            )
        return lines or None

    def drop_last(self) -> None:
        """Take back the entry that was added last."""
        path, index = self._order.pop()
        opened = self._open[path]
        if not any(other == path for other, _ in self._order):
            del self._open[path]
        elif opened.waiting:
            opened.taken.pop(opened.waiting[index].index, None)

    def files(self) -> tuple[MapFile, ...]:
        """What is in, by path and line."""
        return tuple(
            MapFile(path, self._scores.get(path, 0.0), tuple(opened.taken[row] for row in sorted(opened.taken)))
            for path, opened in sorted(self._open.items())
        )

    def text(self) -> str:
        """The outline as text."""
        return "".join(_file_text(file) for file in self.files())


def _by_importance(view: FileView, names: Mapping[str, float], depth: int) -> list[Symbol]:
    """The file's definitions that may be shown, most important first."""
    if not depth:
        return []
    found: list[tuple[float, int, Symbol]] = []
    levels: dict[int, int] = {}
    named: set[tuple[int, str]] = set()
    best = max(names.values(), default=0.0) or 1.0
    for symbol in view.facts.iter_symbols():
        level = levels[symbol.index] = levels.get(symbol.parent, 0) + (1 if symbol.name else 0)
        if level > depth or not symbol.name or symbol.flags & SymbolFlag.LOCAL:
            continue
        if (symbol.parent, symbol.name) in named:
            continue  # overloads and re-assignments say nothing more about where things are
        named.add((symbol.parent, symbol.name))
        score = (0.05 + names.get(symbol.name, 0.0) / best) * _KIND_WEIGHTS.get(symbol.kind, 1.0) / level
        found.append((-score, symbol.index, symbol))
    return [symbol for _, _, symbol in sorted(found, key=lambda entry: entry[:2])]


def _heading(path: str) -> str:
    shown = path if path.isprintable() else "".join(char if char.isprintable() else "\ufffd" for char in path)
    return f"{shown}\n"


def _line(symbol: MapSymbol) -> str:
    return f"{INDENT * (symbol.depth + 1)}{symbol.signature}\n"


def _file_text(file: MapFile) -> str:
    return _heading(file.path) + "".join(map(_line, file.symbols))


def outline_text(files: Iterable[MapFile]) -> str:
    """Text of files that are to be shown as they stand."""
    return "".join(map(_file_text, files))
