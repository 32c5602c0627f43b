"""Rows of results, and what is made of them: JSON, a Markdown table, a plot."""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

PACKAGES = ("repo-context-lsp", "tree-sitter", "tree-sitter-python", "numpy", "pygls", "rank-bm25", "networkx")


@dataclass(frozen=True, slots=True)
class Row:
    """One result. `reach` is the most that `value` should be (None: told for information only).

    `value` None means that it could not be measured; `note` says why. `detail` holds the raw numbers.
    """

    figure: str
    corpus: str
    what: str
    value: float | None
    unit: str = "x"
    reach: float | None = None
    note: str = ""
    detail: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def verdict(self) -> str:
        """`reached`, `missed`, or nothing to say."""
        if self.value is None:
            return "not measured"
        if self.reach is None:
            return ""
        return "reached" if self.value <= self.reach else "missed"


def not_installed(figure: str, program: str) -> Row:
    """The row of a program that is not there."""
    return Row(figure, "", program, None, note="not installed")


def machine() -> dict[str, Any]:
    """Where this was measured."""
    return {
        "system": platform.platform(),
        "python": sys.version.split()[0],
        "cpus": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "processor": _processor(),
        "load": [round(load, 1) for load in os.getloadavg()],
        "packages": {name: _version(name) for name in PACKAGES},
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def table(rows: Sequence[Row]) -> str:
    """The rows as a Markdown table."""
    lines = ["| figure | corpus | what | reach | measured | |", "|---|---|---|---|---|---|"]
    for row in rows:
        reach = "" if row.reach is None else f"≤ {_number(row.reach)} {row.unit}"
        measured = "" if row.value is None else f"{_number(row.value)} {row.unit}"
        tail = "; ".join(text for text in (row.verdict, row.note) if text)
        lines.append(f"| {row.figure} | {row.corpus} | {row.what} | {reach} | {measured} | {tail} |")
    return "\n".join(lines) + "\n"


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def plot(rows: Sequence[Row]) -> str:
    """An SVG: one bar a row that has a figure to reach, as a share of it; the line is 1."""
    shown = [row for row in rows if row.value is not None and row.reach]
    height, left, scale = 22, 470, 140
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="980" height="{height * (len(shown) + 2)}" '
        'font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="{left}" y="15">measured / to reach (line: 1)</text>',
    ]
    for index, row in enumerate(shown):
        assert row.value is not None
        assert row.reach is not None
        share = row.value / row.reach
        y = height * (index + 1)
        width = min(3.3, max(share, 0.01)) * scale
        color = "#3a7d44" if share <= 1 else "#b3432b"
        label = escape(f"{row.figure} · {row.corpus} · {row.what}"[:78])
        parts.append(f'<text x="{left - 8}" y="{y + 15}" text-anchor="end">{label}</text>')
        parts.append(f'<rect x="{left}" y="{y + 4}" width="{width:.1f}" height="14" fill="{color}"/>')
        parts.append(f'<text x="{left + width + 5:.1f}" y="{y + 15}">{share:.2f}</text>')
    x = left + scale
    parts.append(f'<line x1="{x}" x2="{x}" y1="{height}" y2="{height * (len(shown) + 1)}" stroke="black"/></svg>')
    return "\n".join(parts) + "\n"


def write(folder: Path, rows: Sequence[Row], command: str) -> None:
    """`results.json`, `table.md` and `plot.svg` in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    whole = {
        "command": command,
        "machine": machine(),
        "rows": [{**asdict(row), "verdict": row.verdict} for row in rows],
    }
    (folder / "results.json").write_text(json.dumps(whole, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    (folder / "table.md").write_text(table(rows), encoding="utf-8")
    (folder / "plot.svg").write_text(plot(rows), encoding="utf-8")
