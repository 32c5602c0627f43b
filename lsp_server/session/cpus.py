"""How many CPUs this process may really use: affinity and cgroup quota, not what the machine has."""

from __future__ import annotations

import os
from pathlib import Path

_CGROUP = Path("/sys/fs/cgroup")


def usable_cpus(cgroup: Path = _CGROUP) -> int:
    """Whole CPUs, at least 1."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    quota = _quota(cgroup)
    return max(1, count if quota is None else min(count, int(quota + 0.5)))


def _quota(cgroup: Path) -> float | None:
    """CPUs the cgroup grants: v2 `cpu.max`, v1 `cpu.cfs_quota_us`; None without a limit."""
    try:
        quota, _, period = (cgroup / "cpu.max").read_text().strip().partition(" ")
        return None if quota == "max" else int(quota) / int(period)
    except (OSError, ValueError, ZeroDivisionError):
        pass
    try:
        limit = int((cgroup / "cpu" / "cpu.cfs_quota_us").read_text())
        return None if limit <= 0 else limit / int((cgroup / "cpu" / "cpu.cfs_period_us").read_text())
    except (OSError, ValueError, ZeroDivisionError):
        return None
