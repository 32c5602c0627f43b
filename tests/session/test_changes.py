"""What Git knows of the last changes follows HEAD and the working tree."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lsp_server.session.session import Session

from .workspaces import fresh, git, session_of, write

TEN = "".join(f"line_{n} = {n}\n" for n in range(1, 11))


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q", "-b", "main")
    commit(tmp_path, TEN)
    commit(tmp_path, TEN.replace("line_5 = 5", "line_5 = 50"))
    return tmp_path


@pytest.fixture
def session(repository: Path) -> Iterator[Session]:
    with session_of(repository) as opened:
        yield opened


def commit(folder: Path, text: str) -> None:
    write(folder, {"a.py": text})
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "change")


def lines(session: Session) -> list[tuple[int, int, int]]:
    """Age, first and last line of what was touched."""
    snapshot = fresh(session)
    return [(one.age, one.range.start, one.range.end) for one in session.changes.lines(session.roots, snapshot)]


def test_the_last_commits_lines_are_where_the_working_tree_has_them(repository: Path, session: Session) -> None:
    assert lines(session) == [(1, 5, 5)]
    write(repository, {"a.py": "first = 0\n" + TEN.replace("line_5 = 5", "line_5 = 50")})
    session.files_changed(["a.py"])
    assert lines(session) == [(0, 1, 1), (1, 6, 6)]


def test_a_new_commit_is_noticed(repository: Path, session: Session) -> None:
    assert lines(session) == [(1, 5, 5)]
    commit(repository, "first = 0\n" + TEN.replace("line_5 = 5", "line_5 = 50"))
    session.files_changed(["a.py"])
    assert lines(session) == [(1, 1, 1), (2, 6, 6)]


def test_roots_know_their_own_history_and_a_folder_without_one_has_none(repository: Path, tmp_path: Path) -> None:
    other, plain = tmp_path / "x" / "other", tmp_path / "y" / "plain"
    for folder in (other, plain):
        write(folder, {"b.py": TEN})
    git(other, "init", "-q", "-b", "main")
    git(other, "add", "-A")
    git(other, "commit", "-q", "-m", "change")
    write(other, {"b.py": TEN + "more = 1\n"})
    with session_of(other, plain) as session:
        snapshot = fresh(session)
        found = session.changes.lines(session.roots, snapshot)
    assert [(one.path, one.age, one.range.start) for one in found] == [("other/b.py", 0, 11)]
