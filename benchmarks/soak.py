"""Soak: edits, builds and checkout storms for a long time; memory stays flat and the index equals a fresh one."""

from __future__ import annotations

import gc
import random
import shutil
from pathlib import Path
from typing import Any

from lsp_server.index.snapshot import Snapshot
from lsp_server.session.documents import TextChange
from lsp_server.session.session import Session
from lsp_server.text.positions import PositionEncoding, WirePosition, WireRange

from .corpora import code_files
from .measuring import child, resident_bytes
from .options import Options
from .places import failing_places
from .report import Row
from .sessions import indexed

FIGURE = "soak"
DRIFT = 0.05
FILES = 60
ROUNDS = 20
WARM_ROUNDS = 6


def measure(options: Options) -> list[Row]:
    """Rows about one long run in a process of its own: what was measured before would count as its memory."""
    edits, builds, storms = options.scale.soak
    found = child("soak", options.corpus, options.scratch, edits, builds, storms)
    memory: list[int] = found["memory"]
    # Fewer rounds than these say nothing about drift.
    drift = max(memory[WARM_ROUNDS:]) / memory[WARM_ROUNDS] - 1 if len(memory) >= 2 * WARM_ROUNDS else None
    counts = f"{edits:,} edits, {builds:,} builds, {storms:,} storms"
    flat = ", ".join(f"{value / 1e6:.0f}" for value in memory)
    return [
        Row(FIGURE, "", f"memory drift after warm-up, {counts}", drift, "", DRIFT, f"MB after each round: {flat}"),
        Row(FIGURE, "", "errors", found["errors"], "", 0),
        Row(FIGURE, "", "files that differ from a fresh index", found["wrong"], "", 0),
    ]


def soaked(corpus: Path, scratch: Path, edits: int, builds: int, storms: int) -> dict[str, Any]:
    """Rounds of edits, builds and storms over a small tree, then a fresh session over the same tree: resident bytes
    after each round, errors, and files that differ."""
    root = scratch / "soaked"
    paths = _copy(corpus, root)
    rounds = min(ROUNDS, storms)
    memory: list[int] = []
    errors = 0
    with indexed(root, scratch / "soaked-cache") as session:
        places = failing_places(session.snapshot(), root, 10)
        for number in range(rounds):
            _edits(session, root, paths, edits // rounds, number)
            for storm in range(max(1, storms // rounds)):
                _storm(session, root, paths, number * 1000 + storm)
            for build in range(max(1, builds // rounds)):
                try:
                    session.build(places[build % len(places)].request())
                except Exception:
                    errors += 1
            session.wait_fresh()
            gc.collect()
            memory.append(resident_bytes())
        errors += len(session.status().quarantined)
        kept = session.snapshot()
        with indexed(root, scratch / "soaked-fresh") as fresh:
            wrong = _differences(kept, fresh.snapshot())
    return {"memory": memory, "errors": errors, "wrong": wrong}


def _copy(corpus: Path, root: Path) -> list[str]:
    paths = [path for path in code_files(corpus) if 1_000 < (corpus / path).stat().st_size < 20_000][:FILES]
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(corpus / path, root / path)
    return paths


def _edits(session: Session, root: Path, paths: list[str], count: int, seed: int) -> None:
    """Type and delete in open documents, a few at a time, then close them unsaved."""
    chooser = random.Random(seed)
    for path in chooser.sample(paths, min(4, len(paths))):
        uri = (root / path).as_uri()
        text = (root / path).read_text(encoding="utf-8", errors="replace")
        session.document_opened(uri, "", 1, text)
        rows = text.count("\n")
        place = WirePosition(0, 0)
        for version in range(2, count // 4 + 2):
            if version % 2 == 0:
                place = WirePosition(chooser.randrange(rows + 1), 0)
                change = TextChange(WireRange(place, place), "q ")
            else:
                change = TextChange(WireRange(place, WirePosition(place.line, 2)), "")
            session.document_changed(uri, version, [change], PositionEncoding.UTF16)
            if version % 20 == 0:
                session.snapshot()
        session.document_closed(uri)
    session.snapshot()


def _storm(session: Session, root: Path, paths: list[str], seed: int) -> None:
    """Most files change at once, some vanish and come back, and the events come in any order."""
    chooser = random.Random(seed)
    touched = chooser.sample(paths, len(paths) * 2 // 3)
    for path in touched:
        file = root / path
        text = file.read_text(encoding="utf-8", errors="replace").split("\n# storm")[0]
        file.write_text(f"{text}\n# storm {seed}\n", encoding="utf-8")
    session.files_changed(touched)
    session.wait_fresh()


def _differences(kept: Snapshot, fresh: Snapshot) -> int:
    """Files whose facts or neighbours differ."""
    paths = set(kept.paths()) | set(fresh.paths())
    wrong = 0
    for path in paths:
        one, other = kept.file(path), fresh.file(path)
        wrong += one is None or other is None or one.facts != other.facts
    terms = ["self", "value", "name", "return"]
    ours = [(hit.path, hit.range, round(hit.score, 6)) for hit in kept.search(terms, 20)]
    theirs = [(hit.path, hit.range, round(hit.score, 6)) for hit in fresh.search(terms, 20)]
    return wrong + (sorted(ours, key=str) != sorted(theirs, key=str))
