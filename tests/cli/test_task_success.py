"""`eval --model`: the fix loop over the cases; a success is a test command that ends green."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from lsp_server.cli.main import run

MODEL = Path(__file__).parents[1] / "loop" / "scripted_model.py"

RIGHT = """shop.py
<<<<<<< SEARCH
    return min(a, b)
=======
    return max(a, b)
>>>>>>> REPLACE
"""
WRONG = RIGHT.replace("max(a, b)", "a - b")
TEST = """import unittest

from shop import best


class BestTest(unittest.TestCase):
    def test_best(self):
        self.assertEqual(best(1, 2), 2)
"""


@pytest.mark.parametrize(("answer", "won"), [(RIGHT, True), (WRONG, False)])
def test_task_success_is_what_the_test_command_says_for_every_arm(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], answer: str, won: bool
) -> None:
    workspace = tmp_path / "demo"
    workspace.mkdir()
    (workspace / "shop.py").write_text("def best(a, b):\n    return min(a, b)\n")
    (workspace / "test_shop.py").write_text(TEST)
    cases, script, out = tmp_path / "cases.jsonl", tmp_path / "answer.txt", tmp_path / "out.json"
    cases.write_text(json.dumps({"id": "one", "workspace": "demo", "query": "best of two", "expected": ["shop.py"]}))
    script.write_text(answer)
    model = f"{sys.executable} {MODEL} {tmp_path / 'turns'} {script}"
    test = f"{sys.executable} -m unittest"
    arguments = ["--budgets=500", "--arms=default", "--quiet", "--rounds=1", f"--json={out}"]
    code = run(["eval", str(cases), *arguments, f"--model={model}", f"--test={test}"])
    assert code == 0
    attempts = json.loads(out.read_text())["attempts"]
    assert [(one["arm"], one["success"]) for one in attempts] == [
        ("full", won),
        ("search", won),
        ("search+references", won),
    ]
    assert f"{int(won)} of 1" in capsys.readouterr().out
    assert "min(a, b)" in (workspace / "shop.py").read_text()


def test_a_model_without_a_test_command_is_refused(tmp_path: Path) -> None:
    assert run(["eval", str(tmp_path / "cases.jsonl"), "--model=cat"]) == 2
