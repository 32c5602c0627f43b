"""The `eval` command: what it writes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lsp_server.cli.main import run

CASES = Path(__file__).parent / "mini" / "cases.jsonl"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("eval")
    outs = [f"--{name}={folder / file}" for name, file in OUTPUTS.items()]
    arms = "default,tiered,bm25-functions,bm25-files,full-context,without hop2"
    assert run(["eval", str(CASES), "--budgets=300,1500", f"--arms={arms}", "--quiet", *outs]) == 0
    return folder


OUTPUTS = {"predictions": "pred.jsonl", "html": "report.html", "json": "rows.json", "misses": "misses.jsonl"}


def test_predictions_have_exactly_the_benchmarks_fields(written: Path) -> None:
    lines = [json.loads(line) for line in (written / "pred.jsonl").read_text().splitlines()]
    assert {(line["id"], line["budget"]) for line in lines} >= {("go-ring", 300), ("go-ring", 1500)}
    for line in lines:
        assert set(line) == {"id", "budget", "pred", "file_rank"}
        assert all(set(one) == {"path", "start", "end"} for one in line["pred"])
        assert {one["path"] for one in line["pred"]} <= set(line["file_rank"])


def test_rows_name_every_arm_and_budget_with_intervals(written: Path) -> None:
    content = json.loads((written / "rows.json").read_text())
    overall = [row for row in content["rows"] if row["group"] == "all"]
    assert {row["arm"] for row in overall} >= {"default", "tiered", "bm25-functions", "without hop2"}
    assert {row["budget"] for row in overall} == {300, 1500}
    for row in overall:
        recall = row["metrics"]["line_recall"]
        assert 0 <= recall["low"] <= recall["mean"] <= recall["high"] <= 1
        assert row["successRate"] is None


def test_every_arm_finds_something(written: Path) -> None:
    content = json.loads((written / "rows.json").read_text())
    best = {row["arm"]: row["metrics"]["file_recall"]["mean"] for row in content["rows"] if row["budget"] == 1500}
    assert all(value > 0 for value in best.values())


def test_the_report_stands_alone(written: Path) -> None:
    page = (written / "report.html").read_text()
    assert "<svg" in page
    assert "<script" not in page
    assert "http://" not in page.replace("http://www.w3.org", "")
    assert "src=" not in page


def test_a_missed_case_says_what_became_of_each_place(written: Path) -> None:
    for line in (written / "misses.jsonl").read_text().splitlines():
        scenario = json.loads(line)
        fates = {place["fate"] for place in scenario["places"]}
        assert fates - {"shown"}
        assert fates <= {"shown", "partly shown", "retrieved but omitted", "not retrieved"}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--arms=nobody"], "unknown arm"),
        (["--budgets=many"], "whole numbers"),
    ],
)
def test_wrong_options_are_usage_errors(arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["eval", str(CASES), *arguments]) == 2
    assert says in capsys.readouterr().err


def test_an_empty_file_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_text("")
    assert run(["eval", str(empty)]) == 2
    assert "no case" in capsys.readouterr().err
