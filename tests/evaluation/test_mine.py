"""Bug fixes of a history as cases."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from lsp_server.evaluation.cases import read_cases
from lsp_server.evaluation.mine import fixes, main

CODE = "import re\n\n\ndef total(items):\n    return 0\n\n\ndef largest(items):\n    return max(items)\n"
TEST = "from shop import total\n\n\ndef test_total():\n    assert total([]) == 0\n"


def commit(folder: Path, title: str, **files: str) -> None:
    for name, text in files.items():
        path = folder / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    who = ("-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "add", "-A"], cwd=folder, check=True)
    subprocess.run(["git", *who, "commit", "-q", "-m", title], cwd=folder, check=True)


@pytest.fixture
def history(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    fixed = CODE.replace("return 0", "return sum(items)")
    tested = TEST + "\n\ndef test_total_of_some():\n    assert total([1, 2]) == 3\n"
    guarded = fixed.replace("    return max", "    if not items:\n        return None\n    return max")
    commit(tmp_path, "First", shop=CODE, tests__test_shop=TEST)
    commit(tmp_path, "fix: total of some items (#12)", shop=fixed, tests__test_shop=tested)
    commit(tmp_path, "Fix typo in a comment", shop=f"{fixed}# end\n", tests__test_shop=f"{tested}# end\n")
    commit(tmp_path, "Fix without a test", shop=fixed)
    largest = "\n\ndef test_largest_of_none():\n    assert largest([]) is None\n"
    commit(tmp_path, "Avoid an error for none", shop=guarded, tests__test_shop=tested + largest)
    return tmp_path


def test_only_fixes_that_come_with_tests_are_taken(history: Path) -> None:
    assert [fix.title for fix in fixes(history)] == ["Avoid an error for none", "fix: total of some items (#12)"]


def test_a_fix_asks_by_its_title_and_tests_and_is_answered_by_what_it_changes(
    history: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(history), "--repository", "me/shop"]) == 0
    added, changed = read_cases(capsys.readouterr().out).cases
    assert changed.request.task == "total of some items test_total_of_some failed"
    assert [(span.path, str(span.range)) for span in changed.given] == [("tests/test_shop.py", "8-9")]
    assert [(span.path, str(span.range)) for span in changed.gold] == [("shop.py", "5-5")]
    assert [(span.path, str(span.range)) for span in changed.functions] == [("shop.py", "4-5")]
    # Lines that are only added: those around the place, within their function.
    assert [(span.path, str(span.range)) for span in added.gold] == [("shop.py", "8-9")]


def test_a_folder_without_a_history_gives_no_case(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path), "--repository", "me/none"]) == 0
    said = capsys.readouterr()
    assert said.out == ""
    assert str(tmp_path) in said.err
