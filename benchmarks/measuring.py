"""Stopwatches, child processes, and the little statistics that the figures need."""

from __future__ import annotations

import json
import math
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds by the clock, and seconds of CPU (user and system, children included)."""

    wall: float
    cpu: float


class Stopwatch:
    """Runs from its making on."""

    def __init__(self) -> None:
        self._cpu = _cpu()
        self._wall = time.perf_counter()

    def spent(self) -> Spent:
        """Since the making. Children count once they are waited for."""
        wall = time.perf_counter() - self._wall
        return Spent(wall, _cpu() - self._cpu)


def _cpu() -> float:
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def timed(work: Callable[[], object]) -> Spent:
    """What one call of `work` takes."""
    watch = Stopwatch()
    work()
    return watch.spent()


def run_timed(command: Sequence[str], **more: Any) -> Spent:
    """What a program takes from its start to its end. Raises CalledProcessError when it fails."""
    watch = time.perf_counter()
    options: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": PROJECT, **more}
    process = subprocess.Popen(command, **options)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):  # 1: nothing found
        raise subprocess.CalledProcessError(process.returncode, command)
    return Spent(time.perf_counter() - watch, usage.ru_utime + usage.ru_stime)


def child(name: str, *arguments: object) -> dict[str, Any]:
    """One measurement in a process of its own; see `children`. Returns what it prints."""
    command = (sys.executable, "-m", "benchmarks.children", name, *map(str, arguments))
    done = subprocess.run(command, cwd=PROJECT, check=True, stdout=subprocess.PIPE)
    return json.loads(done.stdout.splitlines()[-1])


def median(values: Sequence[float]) -> float:
    """The middle value."""
    return statistics.median(values)


def percentile(values: Sequence[float], share: float) -> float:
    """The value that `share` of the values do not exceed (nearest rank)."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, max(0, math.ceil(share * len(ordered)) - 1))]


def ratios(above: Sequence[Spent], below: Sequence[Spent]) -> tuple[float, float]:
    """Median of the paired ratios: by the clock, and of CPU."""
    wall = [a.wall / b.wall for a, b in zip(above, below, strict=True)]
    cpu = [a.cpu / max(b.cpu, 1e-3) for a, b in zip(above, below, strict=True)]
    return median(wall), median(cpu)


def slope(sizes: Sequence[float], values: Sequence[float]) -> float:
    """Slope of the line through the points on log-log paper; 1 is linear."""
    return statistics.linear_regression([math.log(x) for x in sizes], [math.log(y) for y in values]).slope


def resident_bytes() -> int:
    """Memory of this process that is in RAM now."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
