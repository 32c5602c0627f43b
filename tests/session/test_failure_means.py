"""The user's matchers and commits reach failure parsing; what is wrong with them is told."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from lsp_server.model.errors import SettingError
from lsp_server.model.request import FailureOutput
from lsp_server.session.failure_means import line_shifts, user_matchers
from lsp_server.session.session import Session
from lsp_server.workspace.reader import DiskReader
from lsp_server.workspace.roots import Roots

MATCHER = {
    "owner": "mylint",
    "pattern": {"regexp": r"^!! (\S+) @(\d+) (.*)$", "file": 1, "line": 2, "message": 3},
}


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


def test_a_matcher_file_of_the_workspace_finds_its_tools_failures(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\ny = 2\n")
    (tmp_path / "matchers.json").write_text(json.dumps([MATCHER]))
    with Session.open([tmp_path], ['failures.matchers=["matchers.json"]', "cache.enabled=false"]) as session:
        session.wait_fresh()
        report = session.parse_failures(FailureOutput("!! a.py @2 bad y\n"))
    assert [(one.message, one.locations[0].path, one.locations[0].line) for one in report.failures] == [
        ("bad y", "a.py", 2)
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [("{", "not JSON"), ('[{"pattern": 3}]', "failures.matchers[m.json]"), (None, "failures.matchers[m.json]")],
)
def test_a_wrong_matcher_file_is_named(tmp_path: Path, text: str | None, said: str) -> None:
    if text is not None:
        (tmp_path / "m.json").write_text(text)
    with pytest.raises(SettingError, match=said.replace("[", r"\[").replace("]", r"\]")):
        user_matchers(("m.json",), DiskReader(Roots.of([tmp_path])))


def test_lines_of_an_older_commits_output_are_shifted_to_where_they_are_now(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "a.c").write_text("int a;\nint b;\nint c;\n")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "one")
    (tmp_path / "a.c").write_text("// new\n// new\nint a;\nint b;\nint c;\n")
    with Session.open([tmp_path], ["cache.enabled=false"]) as session:
        session.wait_fresh()
        text = "a.c:2:5: error: bad b\n"
        now = session.parse_failures(FailureOutput(text))
        then = session.parse_failures(FailureOutput(text, commit="HEAD"))
    assert now.failures[0].locations[0].line == 2
    moved = then.failures[0].locations[0]
    assert (moved.line, moved.reported_line) == (4, 2)
    assert moved.confidence < 1


def test_an_unknown_commit_shifts_nothing(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    assert line_shifts(Roots.of([tmp_path]), "no-such-commit") == {}
