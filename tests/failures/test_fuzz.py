"""Damaged output never crashes, hangs, or leads out of the workspace."""

from __future__ import annotations

from .fuzz import run


def test_damaged_outputs_are_read_without_harm() -> None:
    summary = run(200, seed=7)
    assert summary.runs == 200
    assert summary.failures > 200
