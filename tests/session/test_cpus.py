"""CPUs that may really be used."""

from __future__ import annotations

import os
from pathlib import Path

from lsp_server.session.cpus import usable_cpus


def test_a_cgroup_quota_limits(tmp_path: Path) -> None:
    (tmp_path / "cpu.max").write_text("50000 100000\n")
    assert usable_cpus(tmp_path) == 1


def test_no_quota_means_affinity(tmp_path: Path) -> None:
    (tmp_path / "cpu.max").write_text("max 100000\n")
    assert usable_cpus(tmp_path) == len(os.sched_getaffinity(0))


def test_the_older_interface_is_read_too(tmp_path: Path) -> None:
    (tmp_path / "cpu").mkdir()
    (tmp_path / "cpu" / "cpu.cfs_quota_us").write_text("100000")
    (tmp_path / "cpu" / "cpu.cfs_period_us").write_text("100000")
    assert usable_cpus(tmp_path) == 1


def test_nonsense_is_no_limit(tmp_path: Path) -> None:
    (tmp_path / "cpu.max").write_text("many")
    assert usable_cpus(tmp_path) >= 1
    assert usable_cpus(tmp_path / "nothing") >= 1
