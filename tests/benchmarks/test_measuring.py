"""The statistics behind the figures."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.measuring import Spent, percentile, ratios, run_timed, slope


@given(st.lists(st.floats(0, 1e6), min_size=1), st.floats(0, 1))
def test_the_share_of_values_up_to_a_percentile_is_at_least_that_share(values: list[float], share: float) -> None:
    found = percentile(values, share)
    assert found in values
    assert sum(value <= found for value in values) >= share * len(values) - 1e-6


def test_growth_in_proportion_has_slope_one_and_squares_have_two() -> None:
    sizes = [10.0, 100.0, 1000.0]
    assert slope(sizes, [3 * size for size in sizes]) == pytest.approx(1)
    assert slope(sizes, [size**2 for size in sizes]) == pytest.approx(2)


def test_ratios_are_taken_pair_by_pair() -> None:
    above = [Spent(2, 4), Spent(30, 60), Spent(4, 8)]
    below = [Spent(1, 1), Spent(10, 10), Spent(2, 2)]
    assert ratios(above, below) == (2, 4)


def test_a_program_that_fails_is_no_measurement() -> None:
    with pytest.raises(Exception, match="exit status 3"):
        run_timed((sys.executable, "-c", "raise SystemExit(3)"))
