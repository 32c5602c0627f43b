"""Every injected fault ends in a right answer, or in one that says what does not work. `scripts/faults` times them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from .faults import FAULTS, killed

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc and uses Unix signals")

MUST_TELL = {"cache unusable", "index broken"}
"""Faults that leave something out, so that silence would be a lie."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "workspace").mkdir()
    return tmp_path / "workspace"


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_ends_right_or_is_told(name: str, folder: Path) -> None:
    ended = FAULTS[name](folder)
    if "not tried" in ended.how:
        pytest.skip(ended.how)
    assert ended.how == "right" or ended.how.startswith("degraded: ")
    if name in MUST_TELL:
        assert ended.how.startswith("degraded: ")


def test_killed_servers_leave_no_process(folder: Path) -> None:
    assert killed(folder, 3).how == "right"
