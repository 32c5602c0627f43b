"""Fits where `stop: auto` ends a pack: the odds of `retrieval/odds.py`, and what recall is worth.

The odds are a conditional logit (McFadden 1974) over the units of each filled pack, ridge-penalised and fitted by
Newton's method; what recall is worth is then the least that keeps the loss of line recall below MOST_LOST, for
all cases and for repositories that the odds have not seen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..context.stopping import Piece, StopRule, best_end, chances, is_small, pieces_kept, prospects, traits_in_pack
from ..model.values import Value, replace
from ..retrieval.fuse import Fusion
from ..retrieval.odds import TRAITS, OddsTable
from .fitting import packed, ranked, repository_of, scores
from .tables import Floats, Ints, Table

MOST_LOST = 0.03
"""Line recall that an early stop may cost."""

WORTHS = tuple(round(0.5 * 1.04**step, 3) for step in range(36))
"""Worths of recall that are tried."""

RIDGE = 0.01
STEPS = 40
LEAST_STEP = 1e-3
GAIN = 1e-8
TINY = 1e-12
WEIGHTS = ("score", "rank", "size", *TRAITS)
"""Weights of the odds table in the order of `Filled.features`."""


class Filled(Value):
    """One case's filled pack in rank order: what the rule looks at, and what each unit is worth.

    `right` is each unit's share of the gold lines that the pack shows; `gold` counts them, `counted` are the lines
    that precision looks at.
    """

    repository: str
    pieces: tuple[Piece, ...]
    features: Floats
    right: Floats
    gold: Floats
    counted: Floats
    cost: Ints
    gold_lines: int


def filled(table: Table, fusion: Fusion, names: Sequence[str]) -> Filled:
    """The pack that `table` gives under `fusion` when it is filled."""
    score = scores(table, fusion, names)
    place = {row: at for at, row in enumerate(ranked(table, score).tolist())}
    rows = np.array(sorted(packed(table, ranked(table, score)).tolist(), key=place.__getitem__), dtype=np.int64)
    silent = table.critical[rows] & table.of_test[rows]
    pieces = tuple(
        Piece(
            float(score[row]), 0.0, int(table.size[row]), int(table.lines[row]), bool(table.critical[row]), bool(mute)
        )
        for row, mute in zip(rows.tolist(), silent.tolist(), strict=True)
    )
    gold = np.where(silent, 0.0, table.gold[rows])
    return Filled(
        repository=repository_of(table),
        pieces=pieces,
        features=np.column_stack([np.array(traits_in_pack(pieces)).reshape(-1, 3), table.traits[rows]]),
        right=gold / max(1.0, float(gold.sum())),
        gold=table.gold[rows],
        counted=table.counted_lines[rows],
        cost=table.cost[rows],
        gold_lines=table.gold_lines,
    )


def fitted_odds(cases: Sequence[Filled], ridge: float = RIDGE) -> OddsTable:
    """The weights under which the right units are likeliest, each case counting the same."""
    known = [(case.features[heard], case.right[heard]) for case in cases if (heard := _heard(case)).any()]
    known = [(features, right) for features, right in known if right.sum() > 0]
    if not known:
        return OddsTable(*[0.0] * len(WEIGHTS))
    scale = np.vstack([features for features, _ in known]).std(axis=0) + 1e-9
    scaled = [(features / scale, right) for features, right in known]
    weights: Floats = np.zeros(len(WEIGHTS))
    loss, step = _descent(scaled, weights, ridge)
    for _ in range(STEPS):
        share = 1.0
        while True:
            tried = weights - share * step
            lost, next_step = _descent(scaled, tried, ridge)
            if lost <= loss or share < LEAST_STEP:
                break
            share /= 2
        gained, weights, loss, step = loss - lost, tried, lost, next_step
        if gained < GAIN:
            break
    return OddsTable(**dict(zip(WEIGHTS, (weights / scale).tolist(), strict=True)))


def _descent(cases: Sequence[tuple[Floats, Floats]], weights: Floats, ridge: float) -> tuple[float, Floats]:
    """The penalised negative log-likelihood at `weights`, and Newton's step from there (to be subtracted)."""
    loss = ridge * float(weights @ weights)
    gradient, curvature = 2 * ridge * weights, 2 * ridge * np.eye(len(weights))
    for features, right in cases:
        chance = _softmax(features @ weights)
        mean = chance @ features
        loss -= float(right @ np.log(chance + TINY)) / len(cases)
        gradient = gradient - (right - chance) @ features / len(cases)
        curvature = curvature + ((features * chance[:, None]).T @ features - np.outer(mean, mean)) / len(cases)
    return loss, np.linalg.solve(curvature, gradient).astype(np.float64)


def _heard(case: Filled) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return np.array([not piece.silent for piece in case.pieces], dtype=np.bool_)


def _softmax(value: Floats) -> Floats:
    raised: Floats = np.exp(value - value.max())
    return raised / raised.sum()


def weighed(case: Filled, odds: OddsTable) -> list[Piece]:
    """The case's pieces with the log-odds that their traits give them."""
    weights = np.array([float(getattr(odds, name)) for name in TRAITS])
    own = (case.features[:, -len(TRAITS) :] @ weights).tolist()
    return [replace(piece, log_odds=value) for piece, value in zip(case.pieces, own, strict=True)]


class Stopped(Value):
    """Means over cases when packs end by a rule with this `worth` of recall (None: they are filled)."""

    worth: float | None
    line: float
    f1: float
    tokens: float


def stop_curve(cases: Sequence[Filled], odds: Mapping[str, OddsTable], rule: StopRule) -> list[Stopped]:
    """Filled packs, then the same ended by each worth of recall; `odds` are given by repository."""
    rows = [[_ended(case, len(case.pieces)) for case in cases]]
    rows += [[] for _ in WORTHS]
    for case in cases:
        own = replace(rule, odds=odds[case.repository])
        ends = prospects(weighed(case, own.odds), own)
        for row, worth in zip(rows[1:], WORTHS, strict=True):
            row.append(_ended(case, len(ends) if is_small(case.pieces) else best_end(ends, worth)))
    return [
        Stopped(worth, *np.array(row).mean(axis=0).tolist()) for worth, row in zip((None, *WORTHS), rows, strict=True)
    ]


def _ended(case: Filled, kept: int) -> tuple[float, float, float]:
    """Line recall, line F1 and tokens of a pack that ends after `kept` pieces that are not fixed."""
    free = 0
    shown: list[int] = []
    for at, piece in enumerate(case.pieces):
        free += not piece.fixed
        if piece.fixed or free <= kept:
            shown.append(at)
    hit, counted = float(case.gold[shown].sum()), float(case.counted[shown].sum())
    recall, precision = hit / max(1, case.gold_lines), hit / counted if counted else 0.0
    f1 = 2 * recall * precision / (recall + precision) if hit else 0.0
    return recall, f1, float(case.cost[shown].sum())


def ended_by(case: Filled, rule: StopRule) -> tuple[float, float, float]:
    """Line recall, line F1 and tokens of a case under `rule`."""
    return _ended(case, pieces_kept(weighed(case, rule.odds), rule))


def left_out_odds(cases: Sequence[Filled], ridge: float = RIDGE) -> dict[str, OddsTable]:
    """For each repository, odds that were fitted on all others."""
    return {
        name: fitted_odds([case for case in cases if case.repository != name], ridge)
        for name in dict.fromkeys(case.repository for case in cases)
    }


def least_worth(*curves: Sequence[Stopped]) -> float | None:
    """The least worth of recall at which, and above which, no curve loses more than MOST_LOST; None without any."""
    least: float | None = None
    for rows in reversed(list(zip(*curves, strict=True))):
        if any(row.line < curve[0].line - MOST_LOST for row, curve in zip(rows, curves, strict=True)):
            break
        least = rows[0].worth if rows[0].worth is not None else least
    return least


def surprise(cases: Sequence[Filled], odds: Mapping[str, OddsTable]) -> float:
    """Mean negative log-likelihood of the right units, in nats, over the cases whose pack shows any."""
    values = [
        -float(
            case.right @ np.log(np.array(chances(weighed(case, odds[case.repository]), odds[case.repository])) + TINY)
        )
        for case in cases
        if case.right.sum() > 0
    ]
    return sum(values) / max(1, len(values))
