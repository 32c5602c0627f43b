"""Results are told as they are: reached, missed, or not measured."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

from benchmarks.report import Row, not_installed, plot, table, write

REACHED = Row("cold index", "corpus", "wall / parse", 1.7, reach=2.2)
MISSED = Row("edit latency", "corpus", "edit <b> & parse", 3.0, reach=0.6)
TOLD = Row("compare", "corpus", "one scan", 12.0, "ms")


def test_a_row_says_whether_its_figure_was_reached() -> None:
    assert [row.verdict for row in (REACHED, MISSED, TOLD)] == ["reached", "missed", ""]


def test_what_is_missing_has_a_row_that_says_so() -> None:
    row = not_installed("compare", "ripgrep")
    assert row.verdict == "not measured"
    assert "| compare |  | ripgrep |  |  | not measured; not installed |" in table([row])


def test_the_plot_is_well_formed_and_leaves_out_rows_without_a_figure_to_reach() -> None:
    svg = ElementTree.fromstring(plot([REACHED, MISSED, TOLD]))
    colors = [bar.get("fill") for bar in svg.iter("{http://www.w3.org/2000/svg}rect")]
    assert colors == ["white", "#3a7d44", "#b3432b"]


def test_the_written_results_hold_every_row_the_machine_and_the_command(tmp_path: Path) -> None:
    write(tmp_path, [REACHED, MISSED], "python -m benchmarks all")
    written = json.loads((tmp_path / "results.json").read_text())
    assert written["command"] == "python -m benchmarks all"
    assert [row["verdict"] for row in written["rows"]] == ["reached", "missed"]
    assert written["machine"]["cpus"] >= 1
    assert (tmp_path / "table.md").read_text().count("\n") == 4
