"""The stop is the highest share of the best score that costs little recall."""

from __future__ import annotations

import pytest

from lsp_server.evaluation.stopping import Stopped, best_share


def curve(*lines: float) -> list[Stopped]:
    return [Stopped(share / 10, line, 0.0, 0.0) for share, line in enumerate(lines)]


@pytest.mark.parametrize(
    ("lines", "share"),
    [((0.8, 0.8, 0.78, 0.7), 0.2), ((0.8, 0.7, 0.8), 0.0), ((0.8,), 0.0), ((0.8, 0.775, 0.771), 0.2)],
)
def test_the_share_below_which_all_cost_little(lines: tuple[float, ...], share: float) -> None:
    assert best_share(curve(*lines)) == share
