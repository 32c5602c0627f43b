"""`context/build` on a warm index: p95 against one `rg -F word` scan, and the lag of a loop meanwhile."""

from __future__ import annotations

import asyncio
import gc
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from lsp_server.server.responsive import keep_loop_responsive
from lsp_server.session.session import Session

from .measuring import percentile, run_timed
from .options import Options
from .places import FailingPlace, failing_places
from .report import Row
from .sessions import indexed

FIGURE = "build latency"
LAG_MS = 10.0
TICK_SECONDS = 0.005


def measure(options: Options) -> list[Row]:
    """Two rows a corpus."""
    rows: list[Row] = []
    for name, root in options.corpora:
        with indexed(root, options.scratch / f"latency-{name}") as session:
            places = failing_places(session.snapshot(), root, options.scale.builds)
            for place in places[:3]:
                session.build(place.request())
            rows.append(_against_scan(options, name, root, session, places))
            rows.append(_loop_lag(name, session, places))
    return rows


def _against_scan(options: Options, name: str, root: Path, session: Session, places: list[FailingPlace]) -> Row:
    walls: list[float] = []
    cpus: list[float] = []
    scans: list[float] = []
    scan_cpus: list[float] = []
    steps: dict[str, float] = {}
    for number, place in enumerate(places):
        request = place.request()
        begin, cpu = time.perf_counter(), time.thread_time()
        pack = session.build(request)
        walls.append(time.perf_counter() - begin)
        cpus.append(time.thread_time() - cpu)
        for step, spent in pack.timings.items():
            steps[step] = steps.get(step, 0.0) + spent / len(places)
        if options.ripgrep and number % max(1, len(places) // max(3, options.scale.repeats)) == 0:
            word = place.name or "value"
            scan = run_timed((options.ripgrep, "-F", "-c", word, str(root)))
            scans.append(scan.wall)
            scan_cpus.append(scan.cpu)
    p95, p95_cpu = percentile(walls, 0.95), percentile(cpus, 0.95)
    detail = {"p50 ms": percentile(walls, 0.5) * 1e3, "p95 ms": p95 * 1e3, "p95 cpu ms": p95_cpu * 1e3, "steps": steps}
    shown = ", ".join(f"{step} {spent:.0f}" for step, spent in steps.items())
    note = f"p50 {detail['p50 ms']:.0f} ms, p95 {p95 * 1e3:.0f} ms (CPU {p95_cpu * 1e3:.0f}); mean steps in ms: {shown}"
    if not scans:
        return Row(FIGURE, name, "p95 / rg -F scan", None, note="ripgrep not installed; " + note, detail=detail)
    scan, scan_cpu = percentile(scans, 0.5), percentile(scan_cpus, 0.5)
    note += f"; scan {scan * 1e3:.0f} ms (CPU {scan_cpu * 1e3:.0f}), ratio of CPU {p95_cpu / scan_cpu:.2f}"
    return Row(FIGURE, name, "p95 / rg -F scan", p95 / scan, reach=1.0, note=note, detail=detail)


def _loop_lag(name: str, session: Session, places: list[FailingPlace]) -> Row:
    with _as_in_the_server():
        lags = asyncio.run(_ticks(session, places))
        idle = asyncio.run(_idle_ticks(len(lags)))
    note = f"the same loop with nothing to do: {percentile(idle, 0.99) * 1e3:.1f} ms; {len(lags)} ticks"
    return Row(FIGURE, name, "loop lag p99 during builds", percentile(lags, 0.99) * 1e3, "ms", LAG_MS, note)


@contextmanager
def _as_in_the_server() -> Generator[None]:
    interval, thresholds = sys.getswitchinterval(), gc.get_threshold()
    keep_loop_responsive()
    try:
        yield
    finally:
        sys.setswitchinterval(interval)
        gc.set_threshold(*thresholds)
        gc.unfreeze()


async def _ticks(session: Session, places: list[FailingPlace]) -> list[float]:
    """How late a timer fires while builds run off the loop, as in the server."""
    lags: list[float] = []
    for place in places:
        request = place.request()
        job = session.submit(lambda checkpoint, request=request: session.build(request, checkpoint))
        while not job.future.done():
            lags.append(await _one_tick())
    return lags


async def _idle_ticks(count: int) -> list[float]:
    return [await _one_tick() for _ in range(min(count, 400))]


async def _one_tick() -> float:
    begin = time.perf_counter()
    await asyncio.sleep(TICK_SECONDS)
    return time.perf_counter() - begin - TICK_SECONDS
