"""A short, seeded slice of each kind of fuzzing; `scripts/fuzz` runs for as long as one likes."""

from __future__ import annotations

import pytest

from .kinds import KINDS, run_cases

CASES = {"requests": 300, "files": 250, "paths": 2_000, "edits": 4, "positions": 500, "splices": 25, "outputs": 150}


def test_every_kind_has_a_slice() -> None:
    assert CASES.keys() == KINDS.keys()


@pytest.mark.parametrize("kind", KINDS)
def test_a_seeded_slice_finds_no_crash_hang_or_silence(kind: str) -> None:
    tally = run_cases(kind, CASES[kind], seed=20261130)
    assert tally.cases >= CASES[kind]
    assert tally.faults == 0, "\n".join(tally.notes)
