"""Where `stop: auto` ends a pack: what each share of the best score costs in recall and wins in precision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..retrieval.fuse import Fusion
from .fitting import packed, ranked, scores
from .tables import Floats, Table

SHARES = tuple(step / 100 for step in range(20, 95, 5))
MOST_LOST = 0.03
"""Line recall that an early stop may cost."""


@dataclass(frozen=True, slots=True)
class Stopped:
    """Means over cases when packs end at `share` of the best score (0: they are filled)."""

    share: float
    line: float
    f1: float
    tokens: float


def stop_curve(tables: Sequence[Table], fusion: Fusion, names: Sequence[str]) -> list[Stopped]:
    """Filled packs, then the same ended at each share."""
    ranks = [scores(table, fusion, names) for table in tables]
    rows: list[Stopped] = []
    for share in (0.0, *SHARES):
        cases = np.array([_stopped(table, score, share) for table, score in zip(tables, ranks, strict=True)])
        line, f1, tokens = cases.mean(axis=0).tolist() if len(cases) else (0.0, 0.0, 0.0)
        rows.append(Stopped(share, line, f1, tokens))
    return rows


def best_share(curve: Sequence[Stopped]) -> float:
    """The highest share at which, and below which, at most MOST_LOST of the filled packs' line recall is lost."""
    best = 0.0
    for row in curve:
        if row.line < curve[0].line - MOST_LOST:
            break
        best = row.share
    return best


def _stopped(table: Table, score: Floats, share: float) -> tuple[float, float, float]:
    """Line recall, line F1 and tokens of one case; what comes first is never left out."""
    if not len(score) or not table.gold_lines:
        return 0.0, 0.0, 0.0
    rest = score[~table.first]
    level = share * float(rest.max()) if len(rest) else 0.0
    order = ranked(table, score)
    kept = order[table.first[order] | (score[order] >= level)]
    picked = packed(table, kept)
    hit, shown = float(table.gold[picked].sum()), float(table.counted_lines[picked].sum())
    recall, precision = hit / table.gold_lines, hit / shown if shown else 0.0
    f1 = 2 * recall * precision / (recall + precision) if hit else 0.0
    return recall, f1, float(table.cost[picked].sum())
