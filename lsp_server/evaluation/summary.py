"""Results brought together: for each arm, budget and group of cases the metrics with their intervals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..model.values import Value
from .intervals import Interval, interval
from .metrics import METRICS
from .runner import Result

ALL = "all"


class Row(Value):
    """One arm under one budget over one group: metrics by name, and latency percentiles in milliseconds."""

    arm: str
    budget: int
    group: str
    cases: int
    metrics: dict[str, Interval]
    p50: float
    p95: float
    success_rate: float | None


def summarised(results: Iterable[Result]) -> list[Row]:
    """Rows by arm and budget in order of appearance, all cases first, then each group."""
    table: dict[tuple[str, int, str], list[Result]] = {}
    for result in results:
        table.setdefault((result.arm, result.budget, ALL), []).append(result)
        if result.case.group:
            table.setdefault((result.arm, result.budget, result.case.group), []).append(result)
    return [_row(arm, budget, group, rows) for (arm, budget, group), rows in table.items()]


def _row(arm: str, budget: int, group: str, results: Sequence[Result]) -> Row:
    metrics: dict[str, Interval] = {}
    for name in METRICS:
        measured = interval([getattr(result.score, name) for result in results])
        if measured is not None:
            metrics[name] = measured
    times = sorted(result.score.milliseconds for result in results)
    known = [result.case.success for result in results if result.case.success is not None]
    return Row(
        arm=arm,
        budget=budget,
        group=group,
        cases=len(results),
        metrics=metrics,
        p50=percentile(times, 0.5),
        p95=percentile(times, 0.95),
        success_rate=sum(known) / len(known) if known else None,
    )


def percentile(ordered: Sequence[float], share: float) -> float:
    """Nearest-rank percentile of sorted values; 0.0 without any."""
    if not ordered:
        return 0.0
    return ordered[min(len(ordered) - 1, max(0, -(-int(share * 1_000) * len(ordered) // 1_000) - 1))]


def row_to_dict(row: Row) -> dict[str, object]:
    """Plain values for JSON."""
    return {
        "arm": row.arm,
        "budget": row.budget,
        "group": row.group,
        "cases": row.cases,
        "metrics": {
            name: {"mean": one.mean, "low": one.low, "high": one.high, "count": one.count}
            for name, one in row.metrics.items()
        },
        "latency": {"p50": row.p50, "p95": row.p95},
        "successRate": row.success_rate,
    }


COLUMNS = (
    ("file_recall", "file"),
    ("function_recall", "function"),
    ("line_recall", "line"),
    ("line_precision", "precision"),
    ("line_f1", "F1"),
    ("mrr_rank", "MRR"),
    ("tokens", "tokens"),
)


def table_text(rows: Sequence[Row]) -> str:
    """A table for the terminal: means with 95 % intervals."""
    width = max([len(row.arm) for row in rows] + [3])
    titles = " ".join(f"{title:>16}" for _, title in COLUMNS)
    lines = [f"{'arm':{width}} {'budget':>6} {'cases':>5} {titles}  p50 ms  p95 ms"]
    for row in rows:
        name = row.arm if row.group == ALL else f"  {row.group}"
        cells = " ".join(f"{_cell(row, metric):>16}" for metric, _ in COLUMNS)
        lines.append(f"{name:{width}} {row.budget:>6} {row.cases:>5} {cells} {row.p50:>7.0f} {row.p95:>7.0f}")
    return "\n".join(lines)


def _cell(row: Row, metric: str) -> str:
    one = row.metrics.get(metric)
    if one is None:
        return "-"
    if metric == "tokens":
        return f"{one.mean:.0f}"
    return f"{one.mean:.3f} {one.low:.2f}-{one.high:.2f}"
