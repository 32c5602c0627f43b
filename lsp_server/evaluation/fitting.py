"""Fits the fused policy's weights: leads are gathered once, then ranking and packing are replayed in arrays.

Coordinate ascent over the table of `retrieval/fuse.py`. What it maximises is no recall at one budget, which
jumps when one item passes another at the edge, but how early the right places come: smooth, so that it
fits less to single cases. Each fold of the cross-validation leaves whole repositories out, so that its
figures are of code the fit has not seen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from ..context.passes import SMALL_PART
from ..context.policies import some_breadth
from ..model.facts import ChunkKind
from ..model.request import Budget
from ..model.values import Value, replace
from ..retrieval.fuse import FUSION, SIZE_FROM, Fusion, PartWeight
from .tables import KINDS, Floats, Ints, Table

POWERS = (0.35, 0.5, 0.7, 1.0, 1.5, 2.0)
SHRINK = 0.0004
"""What a unit of weight costs: a part that helps nobody ends at zero."""

NEAR, FAR = 1_800.0, 18_000.0
"""A right place that ends so many tokens down the list counts in full, or not at all; between them by logarithm."""

GAIN = 1e-5
"""Steps that gain less are not taken."""


def scores(table: Table, fusion: Fusion, names: Sequence[str]) -> Floats:
    """The fused score of every row; `retrieval.fuse.fused_score` in arrays."""
    weights = np.array([fusion.part(name).weight for name in names])
    powers = np.array([fusion.part(name).power for name in names])
    total: Floats = (table.parts**powers) @ weights
    total = total * np.array([fusion.kinds[kind] for kind in KINDS])[table.kind]
    total = total * np.minimum(1.0, (SIZE_FROM / table.size) ** fusion.size_penalty)
    return total * np.where(table.test, fusion.test_share, 1.0)


class Figures(Value):
    """What one case scores: shares between 0 and 1. `function` is None when the right answer touches none."""

    function: float | None
    line: float
    file: float
    mrr: float


def ranked(table: Table, score: Floats) -> npt.NDArray[np.intp]:
    """Rows in the order of the fused policy."""
    return np.lexsort((table.tie, table.cost, -score, np.where(table.first, table.position, 0), ~table.first))


def packed(table: Table, order: npt.NDArray[np.intp]) -> Ints:
    """The rows that are shown, in order; what does not fit is skipped. `context.passes` in arrays: first as far as the
    policy's reserve for breadth stays free, then the best small row of each further file, then the rest."""
    cost, rows = table.cost.tolist(), order.tolist()
    chosen: set[int] = set()
    used = 0

    def admit(row: int, limit: int) -> bool:
        nonlocal used
        if row in chosen or used + cost[row] > limit:
            return False
        chosen.add(row)
        used += cost[row]
        return True

    room = table.budget - some_breadth(Budget(limit=table.budget))
    for row in rows:
        admit(row, room)
    shown = {int(table.file[row]) for row in chosen}
    for row in rows:
        small = not table.of_test[row] and cost[row] <= table.budget // SMALL_PART
        if small and int(table.file[row]) not in shown and admit(row, table.budget):
            shown.add(int(table.file[row]))
    for row in rows:
        admit(row, table.budget)
    return np.array([row for row in rows if row in chosen], dtype=np.int64)


def earliness(table: Table, score: Floats) -> tuple[float | None, float]:
    """How early the right functions (None without any) and the right lines come: 1 for on top, 0 for too late."""
    if not len(score):
        return (0.0 if len(table.function_lines) else None, 0.0)
    order = ranked(table, score)
    depth = np.empty(len(score))
    depth[order] = np.cumsum(table.cost[order])
    worths = np.clip((np.log(FAR) - np.log(np.maximum(depth, 1.0))) / np.log(FAR / NEAR), 0.0, 1.0)
    line = float((worths * table.gold).sum() / table.gold_lines) if table.gold_lines else 0.0
    if not len(table.function_lines):
        return None, line
    shown = [
        float(worths[column > 0].min()) if column.sum() >= lines else 0.0
        for column, lines in zip(table.functions.T, table.function_lines, strict=True)
    ]
    return sum(shown) / len(shown), line


def replayed(table: Table, score: Floats) -> Figures:
    """Rank and pack a case by `score`, and measure it."""
    if not len(score):
        return Figures(0.0 if len(table.function_lines) else None, 0.0, 0.0, 0.0)
    order = ranked(table, score)
    picked = packed(table, order)
    line = float(table.gold[picked].sum() / table.gold_lines) if table.gold_lines else 0.0
    function = None
    if len(table.function_lines):
        function = float((table.functions[picked].sum(axis=0) >= table.function_lines).mean())
    shown = {int(file) for file in table.file[picked][table.right_file[picked]]}
    right = len(table.case.gold_files)
    return Figures(function, line, len(shown) / right if right else 0.0, _mrr(table, order))


def _mrr(table: Table, order: npt.NDArray[np.intp]) -> float:
    right = table.right_file[order]
    if not right.any():
        return 0.0
    first = int(np.argmax(right))
    before = table.file[order][: first + 1][table.counted_file[order][: first + 1]]
    return 1.0 / len(np.unique(before))


def worth(early: Sequence[tuple[float | None, float]], fusion: Fusion) -> float:
    """What the fit maximises: how early functions and lines come, less a little for every weight."""
    functions = [function for function, _ in early if function is not None]
    lines = [line for _, line in early]
    total = 1.2 * sum(functions) / max(1, len(functions)) + sum(lines) / max(1, len(lines))
    return total - SHRINK * sum(part.weight for part in fusion.parts.values())


def fitted(tables: Sequence[Table], start: Fusion, names: Sequence[str], rounds: int) -> Fusion:
    """Coordinate ascent from `start`: one number changes at a time, as long as the worth grows."""

    def value(fusion: Fusion) -> float:
        return worth([earliness(table, scores(table, fusion, names)) for table in tables], fusion)

    best, held = start, value(start)
    for _ in range(rounds):
        before = held
        for step in _steps(names):
            for tried in step(best):
                gained = value(tried)
                if gained > held + GAIN:
                    best, held = tried, gained
        if held - before < 100 * GAIN:
            break
    return best


Step = Callable[[Fusion], list[Fusion]]


def _steps(names: Sequence[str]) -> list[Step]:
    steps: list[Step] = []
    for name in names:
        if name in CHOSEN:
            continue
        steps.append(lambda fusion, name=name: [_with_part(fusion, name, weight=w) for w in _near(fusion, name)])
        steps.append(lambda fusion, name=name: [_with_part(fusion, name, power=power) for power in POWERS])
    for kind in KINDS[1:]:
        step: Step = lambda fusion, kind=kind: [_with_kind(fusion, kind, share) for share in (0.8, 1.25)]  # noqa: E731
        steps.append(step)
    steps.append(lambda fusion: [replace(fusion, test_share=fusion.test_share * share) for share in (0.66, 1.5)])
    steps.append(
        lambda fusion: [replace(fusion, size_penalty=max(0.0, fusion.size_penalty + by)) for by in (-0.06, 0.06)]
    )
    return steps


def _near(fusion: Fusion, name: str) -> tuple[float, ...]:
    weight = fusion.part(name).weight
    return (weight * 1.6 + 0.03, weight * 0.6, 0.0, weight * 1.2 + 0.01, weight * 0.8)


def _with_part(fusion: Fusion, name: str, weight: float | None = None, power: float | None = None) -> Fusion:
    part = fusion.part(name)
    changed = PartWeight(part.weight if weight is None else weight, part.power if power is None else power)
    return replace(fusion, parts={**fusion.parts, name: changed})


def _with_kind(fusion: Fusion, kind: ChunkKind, share: float) -> Fusion:
    return replace(fusion, kinds={**fusion.kinds, kind: fusion.kinds[kind] * share})


class Fold(Value):
    """One repository left out: its figures by weights that were fitted without it."""

    repository: str
    figures: tuple[Figures, ...]


def cross_validated(tables: Sequence[Table], start: Fusion, names: Sequence[str], rounds: int) -> list[Fold]:
    """Each repository in turn measured with weights fitted on all others, from `start`."""
    folds: list[Fold] = []
    for name in dict.fromkeys(repository_of(table) for table in tables):
        others = [table for table in tables if repository_of(table) != name]
        own = [table for table in tables if repository_of(table) == name]
        fusion = fitted(others, start, names, rounds)
        folds.append(Fold(name, tuple(replayed(table, scores(table, fusion, names)) for table in own)))
    return folds


def repository_of(table: Table) -> str:
    """The repository that a table's case comes from, or its workspace."""
    return table.case.checkout.repository if table.case.checkout else table.case.workspace or ""


def means(figures: Sequence[Figures]) -> Mapping[str, float]:
    """Mean of each figure over the cases that have it; zeros without any."""
    found: dict[str, float] = {}
    for name in ("function", "line", "file", "mrr"):
        values = [value for one in figures if (value := getattr(one, name)) is not None]
        found[name] = sum(values) / max(1, len(values))
    return found


NOT_SCORED = frozenset({"lsp", "mention", "open", "rule", "contribution"})
"""Parts that only users and other tools give: no case has any."""

CHOSEN = frozenset({"spectrum"})
"""Parts that too few cases have: their weights are chosen, and stay as they are."""


def fitted_names() -> tuple[str, ...]:
    """The parts that failures give."""
    return tuple(name for name in FUSION.parts if name not in NOT_SCORED)


def neutral(fusion: Fusion) -> Fusion:
    """The same parts with nothing learned: a start that no case has been looked at for."""
    parts = {name: part if name in CHOSEN | NOT_SCORED else PartWeight(0.3) for name, part in fusion.parts.items()}
    return replace(fusion, parts=parts, kinds=dict.fromkeys(KINDS, 1.0), test_share=0.2, size_penalty=0.1)
