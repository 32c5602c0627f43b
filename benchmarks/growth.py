"""Growth over tiled trees: cold time, memory, one changed file, and builds, from small to large."""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lsp_server.session.session import Session

from .corpora import code_files, tiled
from .measuring import Spent, Stopwatch, child, median, percentile, slope
from .options import Options
from .places import failing_places
from .report import Row

FIGURE = "growth"


@dataclass(frozen=True, slots=True)
class Point:
    """What was measured at one size; `build` is the p95, `one` the CPU of one changed file. Memory in bytes beyond
    the base: after the first look, and after a warm start."""

    files: int
    bytes: int
    cold: Spent
    memory: int
    warm_memory: int
    one: float
    build: float


def measure(options: Options) -> list[Row]:
    """Slopes over all sizes, and the largest size against a small one."""
    corpus = options.corpora[0][0]
    points = [_point(options, size) for size in options.scale.sizes]
    sizes = [float(point.files) for point in points]
    small = min(points, key=lambda point: abs(point.files - 3_000))
    last = points[-1]
    span = f"{points[0].files} to {last.files} files"
    every = "; ".join(
        f"{point.files}: cold {point.cold.wall:.1f} s (CPU {point.cold.cpu:.1f}), {point.memory / 1e6:.0f} MB (warm "
        f"{point.warm_memory / 1e6:.0f}) for "
        f"{point.bytes / 1e6:.0f} MB, one file {point.one * 1e3:.0f} ms, build p95 {point.build * 1e3:.0f} ms"
        for point in points
    )
    rows = [
        Row(FIGURE, corpus, f"cold CPU, log-log slope, {span}", _slope(sizes, [p.cold.cpu for p in points]), "", 1.05),
        Row(FIGURE, corpus, "memory, log-log slope", _slope(sizes, [float(p.memory) for p in points]), "", 1.05),
        Row(FIGURE, corpus, f"memory at {last.files} files / source bytes", last.memory / last.bytes, reach=2.0),
        Row(FIGURE, corpus, "the same after a warm start", last.warm_memory / last.bytes, reach=2.0),
        Row(FIGURE, corpus, f"one changed file, {last.files} / {points[0].files}", last.one / points[0].one, reach=1.5),
        Row(
            FIGURE,
            corpus,
            f"build p95, {last.files} / {small.files}",
            last.build / small.build if last.files > small.files else None,
            reach=4.0,
            note=every,
        ),
    ]
    return rows


def _slope(sizes: Sequence[float], values: Sequence[float]) -> float | None:
    return slope(sizes, values) if len(sizes) > 1 else None


def _point(options: Options, size: int) -> Point:
    root = options.scratch / f"tiled-{size}"
    cache = options.scratch / f"tiled-cache-{size}"
    tiled(options.corpus, root, size)
    made = child("index", root, cache)
    warm = child("index", root, cache)
    session = Session.open([root], [f"cache.folder={cache}"])
    try:
        session.wait_fresh()
        one = _one_file(session, root, 5)
        builds = _builds(session, root, options.scale.builds)
    finally:
        session.close()
        shutil.rmtree(root, ignore_errors=True)
        shutil.rmtree(cache, ignore_errors=True)
    memory = made["resident"] - made["base"]
    warm_memory = warm["resident"] - warm["base"]
    return Point(made["files"], made["bytes"], Spent(made["wall"], made["cpu"]), memory, warm_memory, one, builds)


def _one_file(session: Session, root: Path, repeats: int) -> float:
    """CPU from the event of one changed file until it is indexed."""
    path = code_files(root / "tile0000")[0]
    file = root / "tile0000" / path
    spent: list[float] = []
    for number in range(repeats):
        with file.open("a", encoding="utf-8") as opened:
            opened.write(f"\n# change {number}\n")
        watch = Stopwatch()
        session.files_changed([f"tile0000/{path}"])
        session.wait_fresh()
        spent.append(watch.spent().cpu)
    return median(spent)


def _builds(session: Session, root: Path, count: int) -> float:
    places = failing_places(session.snapshot(), root, count)
    session.build(places[0].request())
    walls: list[float] = []
    for place in places:
        request, begin = place.request(), time.thread_time()
        session.build(request)
        walls.append(time.thread_time() - begin)
    return percentile(walls, 0.95)
