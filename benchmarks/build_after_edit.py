"""`context/build` right after an edit inside a function, links kept and links dropped by turns, by CPU."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from lsp_server.context.json import pack_to_dict
from lsp_server.model.pack import ContextPack
from lsp_server.session.documents import TextChange
from lsp_server.session.link_memory import LinkMemory
from lsp_server.session.session import Session
from lsp_server.text.positions import PositionEncoding, WirePosition, WireRange
from lsp_server.workspace.classify import PathFlag, classify

from .measuring import percentile
from .options import Options
from .places import FailingPlace, failing_places
from .report import Row
from .sessions import indexed

FIGURE = "build after an edit"
FAILURES = 12
PASSED_OVER = frozenset({"timings", "freshness"})


def measure(options: Options) -> list[Row]:
    """Three rows a corpus: an edit of the failing file, one of the file that the pack shows next, packs that differ."""
    rows: list[Row] = []
    for name, root in options.corpora:
        with indexed(root, options.scratch / f"edited-{name}") as session:
            places = failing_places(session.snapshot(), root, min(FAILURES, options.scale.builds))
            for place in places[:3]:
                session.build(place.request())
            measured = (
                _measured(session, name, "in the failing file", _in_failing_files(root, places)),
                _measured(session, name, "in another file", _in_other_files(session, root, places)),
            )
            rows += [row for row, _ in measured]
            different = sum(count for _, count in measured)
            rows.append(Row(FIGURE, name, "packs that differ from those of dropped links", different, "", 0))
    return rows


Edited = Iterator[tuple[FailingPlace, Path, int]]
"""A failure, the file that is edited, and the 0-based line above which a line comes in."""


def _in_failing_files(root: Path, places: list[FailingPlace]) -> Edited:
    for place in places:
        yield place, root / place.path, place.line - 1


def _in_other_files(session: Session, root: Path, places: list[FailingPlace]) -> Edited:
    for place in places:
        items = session.build(place.request()).selection.items
        others = [item for item in items if item.path != place.path and not classify(item.path) & PathFlag.TEST]
        for item in others[:1]:
            view = session.snapshot().file(item.path)
            symbols = list(view.facts.iter_symbols()) if view is not None else []
            bodies = [each.body for each in symbols if each.is_callable and each.range.start >= item.range.start]
            yield place, root / item.path, (bodies or [item.range.end])[0]


def _measured(session: Session, corpus: str, where: str, edited: Edited) -> tuple[Row, int]:
    """The row, and how many packs differ."""
    kept: list[float] = []
    dropped: list[float] = []
    different = 0
    for place, file, row in edited:
        text = file.read_text(encoding="utf-8", errors="replace")
        line = (text.split("\n") + [""] * (row + 1))[row]
        margin = line[: len(line) - len(line.lstrip())]
        session.document_opened(file.as_uri(), "", 1, text)
        session.build(place.request())
        for version in range(2, 6):
            _insert(session, file, version, row, f"{margin}edited{version} = {version}\n")
            if version % 4 in (0, 3):  # dropped, kept, kept, dropped
                kept.append(_build(session, place)[0])
            else:
                session.link_memory = LinkMemory()
                dropped.append(_build(session, place)[0])
        _insert(session, file, 6, row, f"{margin}edited = 0\n")
        once = _build(session, place)[1]
        session.link_memory = LinkMemory()
        different += _told(once) != _told(_build(session, place)[1])
        session.document_closed(file.as_uri())
    note = (
        f"p50 {percentile(kept, 0.5) * 1e3:.0f} and {percentile(dropped, 0.5) * 1e3:.0f} ms, p95 "
        f"{percentile(kept, 0.95) * 1e3:.0f} and {percentile(dropped, 0.95) * 1e3:.0f} ms of CPU"
    )
    return Row(FIGURE, corpus, f"{where}, links kept / dropped", sum(kept) / sum(dropped), note=note), different


def _insert(session: Session, file: Path, version: int, row: int, text: str) -> None:
    place = WirePosition(row, 0)
    session.document_changed(
        file.as_uri(), version, [TextChange(WireRange(place, place), text)], PositionEncoding.UTF16
    )
    session.snapshot()


def _build(session: Session, place: FailingPlace) -> tuple[float, ContextPack]:
    begin = time.process_time()
    pack = session.build(place.request())
    return time.process_time() - begin, pack


def _told(pack: ContextPack) -> dict[str, object]:
    return {key: value for key, value in pack_to_dict(pack).items() if key not in PASSED_OVER}
