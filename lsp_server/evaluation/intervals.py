"""Means with bootstrap intervals (Efron, 1979): resampled means of the cases, 2.5 and 97.5 per cent."""

from __future__ import annotations

from collections.abc import Sequence

from ..model.values import Value

RESAMPLES = 1_000
SEED = 1


class Interval(Value):
    """A mean over `count` cases and its 95 % bootstrap interval."""

    mean: float
    low: float
    high: float
    count: int


def interval(values: Sequence[float | None]) -> Interval | None:
    """The interval of all values that are not None; None without any. Seeded: equal input, equal output."""
    import numpy as np

    known = np.array([value for value in values if value is not None], dtype=np.float64)
    if not len(known):
        return None
    picks = np.random.default_rng(SEED).integers(0, len(known), (RESAMPLES, len(known)))
    means = known[picks].mean(axis=1)
    low, high = np.percentile(means, (2.5, 97.5))
    return Interval(float(known.mean()), float(low), float(high), len(known))
