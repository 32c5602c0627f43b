"""Odds are fitted to what holds the fix; recall is worth as little as its loss allows."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from lsp_server.context.stopping import STOP_RULE, Piece
from lsp_server.evaluation import fit_stop
from lsp_server.evaluation.stopping import (
    WEIGHTS,
    WORTHS,
    Filled,
    Stopped,
    ended_by,
    fitted_odds,
    least_worth,
    left_out_odds,
    stop_curve,
    surprise,
    weighed,
)
from lsp_server.retrieval.odds import TRAITS, OddsTable

NOTHING = OddsTable(*[0.0] * len(WEIGHTS))
UNITS = 20


def case(seed: int, told_by: str = "named", repository: str = "one/repo") -> Filled:
    """A pack of alike units, of which one holds the fix; mostly it is the one that has the trait `told_by`."""
    dice = random.Random(seed)
    culprit = dice.randrange(UNITS)
    trait = culprit if dice.random() < 0.9 else dice.randrange(UNITS)
    features = np.zeros((UNITS, len(WEIGHTS)))
    features[trait, WEIGHTS.index(told_by)] = 1.0
    right = np.zeros(UNITS)
    right[culprit] = 1.0
    return Filled(
        repository=repository,
        pieces=tuple(Piece(1.0, 0.0, 300, 20) for _ in range(UNITS)),
        features=features,
        right=right,
        gold=right * 4,
        counted=np.full(UNITS, 20.0),
        cost=np.full(UNITS, 100, dtype=np.int64),
        gold_lines=4,
    )


CASES = [case(seed, repository=f"some/{seed % 3}") for seed in range(60)]


@pytest.mark.parametrize("told_by", TRAITS)
def test_the_trait_that_tells_is_found_and_no_other_weighs(told_by: str) -> None:
    odds = fitted_odds([case(seed, told_by) for seed in range(60)])
    assert getattr(odds, told_by) > 3.0
    assert all(abs(getattr(odds, name)) < 1e-6 for name in WEIGHTS if name != told_by)


def test_packs_without_the_fix_teach_nothing() -> None:
    lost = Filled(**{name: getattr(CASES[0], name) for name in Filled.__slots__} | {"right": np.zeros(UNITS)})
    assert fitted_odds([lost]) == NOTHING
    assert fitted_odds([*CASES, lost]) == fitted_odds(CASES)


def test_a_repository_is_measured_by_odds_that_have_not_seen_it() -> None:
    found = left_out_odds(CASES)
    assert set(found) == {"some/0", "some/1", "some/2"}
    assert found["some/0"] == fitted_odds([one for one in CASES if one.repository != "some/0"])


def test_fitted_odds_surprise_less_than_none() -> None:
    assert surprise(CASES, dict.fromkeys(left_out_odds(CASES), NOTHING)) == pytest.approx(np.log(UNITS))
    assert surprise(CASES, left_out_odds(CASES)) < 1.5


def test_the_curve_starts_with_filled_packs_and_recall_grows_with_its_worth() -> None:
    curve = stop_curve(CASES, left_out_odds(CASES), STOP_RULE)
    assert (curve[0].worth, curve[0].line, curve[0].tokens) == (None, 1.0, 100 * UNITS)
    assert curve[0].f1 == pytest.approx(8 / 404)
    assert [row.worth for row in curve[1:]] == list(WORTHS)
    assert all(one.line <= other.line for one, other in pairwise(curve[1:]))
    assert curve[1].tokens < 60 * UNITS
    assert curve[1].f1 > 2 * curve[0].f1


def test_a_case_ends_as_the_product_would_end_it() -> None:
    odds = fitted_odds(CASES)
    assert [piece.log_odds for piece in weighed(CASES[0], odds)] == pytest.approx(
        (CASES[0].features @ [getattr(odds, name) for name in WEIGHTS]).tolist()
    )
    kept = [ended_by(one, STOP_RULE)[2] for one in CASES]
    assert 0 < sum(kept) <= 100 * UNITS * len(CASES)


def curve(*lines: float) -> list[Stopped]:
    """A curve whose packs have these line recalls, filled ones first."""
    return [Stopped(worth / 10 or None, line, 0.0, 0.0) for worth, line in enumerate(lines)]


@pytest.mark.parametrize(
    ("curves", "worth"),
    [
        ([(0.8, 0.7, 0.78, 0.8)], 0.2),
        ([(0.8, 0.8, 0.7, 0.8)], 0.3),
        ([(0.8, 0.7, 0.7, 0.7)], None),
        ([(0.8, 0.8, 0.8, 0.8), (0.6, 0.5, 0.55, 0.58)], 0.3),
    ],
)
def test_the_least_worth_above_which_no_curve_loses_much(curves: list[tuple[float, ...]], worth: float | None) -> None:
    assert least_worth(*[curve(*lines) for lines in curves]) == worth


def test_the_script_prints_both_curves_and_the_weights(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    mini = Path(__file__).parent / "mini" / "cases.jsonl"
    fit_stop.main([str(mini), "--scratch", str(tmp_path), "--budget", "500"])
    printed = capsys.readouterr().out
    assert "filled  in use line +0.000" in printed
    assert "recall_worth=" in printed
    assert all(f"{name}=" in printed for name in WEIGHTS)
