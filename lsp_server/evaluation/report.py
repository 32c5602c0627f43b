"""The HTML report of a run: one file without scripts or outside references."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from .misses import Fate, Missed
from .plots import Point, line_plot, step_plot
from .runner import Result
from .summary import ALL, COLUMNS, Row

STYLE = """
body{font:14px/1.45 system-ui,sans-serif;color:#0f172a;margin:2rem auto;max-width:1480px;padding:0 1rem}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2.2rem}h3{font-size:1rem}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.25rem .6rem;text-align:right;border-bottom:1px solid #e2e8f0;white-space:nowrap}
th:first-child,td:first-child{text-align:left}td small{color:#64748b}
tr.group td:first-child{padding-left:1.6rem;color:#475569}
.plots{display:flex;flex-wrap:wrap;gap:1.5rem}figure{margin:0}figcaption{font-weight:600;margin-bottom:.3rem}
svg text{font:11px system-ui,sans-serif;fill:#475569}
.legend{list-style:none;margin:.3rem 0 0;padding:0;display:flex;
flex-wrap:wrap;gap:.2rem 1rem;max-width:560px;font-size:12px}
.legend span{display:inline-block;width:.7em;height:.7em;margin-right:.35em;border-radius:50%}
code{font-size:12px}.wide{overflow-x:auto}
"""


def report_html(rows: Sequence[Row], results: Sequence[Result], missed: Sequence[Missed], note: str) -> str:
    """The whole page. `note` says what was measured."""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>Retrieval evaluation</title><style>{STYLE}</style></head><body>"
        f"<h1>Retrieval evaluation</h1><p>{escape(note)}</p>"
        f"<h2>Arms</h2>{_table([row for row in rows if row.group == ALL])}"
        f"<h2>Recall against budget</h2><div class=plots>{_recall_plots(rows)}</div>"
        f"<h2>Latency</h2><div class=plots>{_latency_plot(results)}</div>"
        f"<h2>By group</h2>{_table([row for row in rows if row.group != ALL])}"
        f"<h2>What was missed</h2>{_missed(missed)}</body></html>"
    )


def _table(rows: Sequence[Row]) -> str:
    head = "".join(f"<th>{title}</th>" for _, title in COLUMNS)
    body: list[str] = []
    for row in rows:
        cells = "".join(_cell(row, metric) for metric, _ in COLUMNS)
        name = row.arm if row.group == ALL else f"{row.arm} · {row.group}"
        body.append(
            f"<tr><td>{escape(name)}</td><td>{row.budget}</td><td>{row.cases}</td>{cells}"
            f"<td>{row.p50:.0f}</td><td>{row.p95:.0f}</td></tr>"
        )
    return (
        f"<div class=wide><table><thead><tr><th>arm</th><th>budget</th><th>cases</th>{head}<th>p50 ms</th>"
        f"<th>p95 ms</th></tr></thead><tbody>{''.join(body)}</tbody></table></div>"
    )


def _cell(row: Row, metric: str) -> str:
    one = row.metrics.get(metric)
    if one is None:
        return "<td>–</td>"
    if metric == "tokens":
        return f"<td>{one.mean:.0f}</td>"
    return f"<td>{one.mean:.3f} <small>{one.low:.2f}–{one.high:.2f}</small></td>"


def _recall_plots(rows: Sequence[Row]) -> str:
    figures: list[str] = []
    for metric, title in (("function_recall", "Function recall"), ("line_recall", "Line recall")):
        series: dict[str, list[Point]] = {}
        for row in rows:
            one = row.metrics.get(metric)
            if row.group == ALL and one is not None and not row.arm.startswith("without "):
                series.setdefault(row.arm, []).append(Point(row.budget, one.mean, one.low, one.high))
        plot = line_plot(title, "budget, tokens", list(series.items()))
        figures.append(f"<figure><figcaption>{title}</figcaption>{plot}</figure>")
    return "".join(figures)


def _latency_plot(results: Sequence[Result]) -> str:
    series: dict[str, list[float]] = {}
    for result in results:
        if not result.arm.startswith("without "):
            series.setdefault(result.arm, []).append(result.score.milliseconds)
    plot = step_plot("Latency", "milliseconds a call", list(series.items()))
    return f"<figure><figcaption>Share of calls answered within a time</figcaption>{plot}</figure>"


def _missed(missed: Sequence[Missed]) -> str:
    if not missed:
        return "<p>Nothing.</p>"
    rows: list[str] = []
    for case in missed:
        for place in case.places:
            if place.fate is Fate.SHOWN:
                continue
            lines = f":{place.place.range.start}-{place.place.range.end}" if place.place.range else ""
            rows.append(
                f"<tr><td>{escape(case.case.id)}</td><td>{escape(case.arm)}</td><td>{case.budget}</td>"
                f"<td style='text-align:left'><code>{escape(place.place.path)}{lines}</code></td>"
                f"<td style='text-align:left'>{place.fate}</td><td>{place.rank or ''}</td><td>{place.cost or ''}</td>"
                f"<td style='text-align:left'>{escape(place.cause)}</td></tr>"
            )
    return (
        "<div class=wide><table><thead><tr><th>case</th><th>arm</th><th>budget</th>"
        "<th style='text-align:left'>place</th><th style='text-align:left'>fate</th>"
        "<th>rank</th><th>cost</th><th style='text-align:left'>cause</th></tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )
