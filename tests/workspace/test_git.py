"""Git: the right answers, and never a program that a repository's configuration names."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from lsp_server.model.lines import LineRange
from lsp_server.workspace.git import (
    TreeChange,
    changed_between,
    check_ignore,
    find_folders,
    head_commit,
    ignoring_rule,
    tracked_files,
    working_tree_diff,
)
from lsp_server.workspace.history import recent_commits
from lsp_server.workspace.hunks import FileDiff, parse_diff

from .git_repository import Repository

TEN = "".join(f"line {n}\n" for n in range(1, 11))


def lines(diff: Mapping[str, FileDiff] | None) -> dict[str, tuple[LineRange, ...]] | None:
    """Path → what the diff touched of the new text."""
    return diff and {path: tuple(hunk.range for hunk in file.hunks) for path, file in diff.items() if not file.deleted}


def test_head_is_read_without_a_process(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    assert head_commit(repository.path) is None
    first = repository.commit()
    sub = repository.path / "a" / "b"
    sub.mkdir(parents=True)
    monkeypatch.setenv("PATH", "")
    assert head_commit(repository.path) == first
    assert head_commit(sub) == first


def test_head_follows_branches_packed_refs_detached_heads_and_worktrees(repository: Repository) -> None:
    first = repository.commit()
    repository.git("pack-refs", "--all")
    assert head_commit(repository.path) == first
    repository.git("checkout", "-q", "-b", "topic/x")
    second = repository.commit()
    assert head_commit(repository.path) == second
    repository.git("checkout", "-q", "--detach", first)
    assert head_commit(repository.path) == first
    repository.git("worktree", "add", "-q", "../tree", "topic/x")
    tree = repository.path.parent / "tree"
    assert head_commit(tree) == second
    folders = find_folders(tree)
    assert folders is not None
    assert folders.is_linked_worktree
    assert folders.common == repository.path / ".git"


@pytest.mark.parametrize("content", ["", "gitdir: /nowhere", "rubbish", "gitdir: ."])
def test_a_broken_git_file_is_no_repository(tmp_path: Path, content: str) -> None:
    (tmp_path / ".git").write_text(content)
    assert head_commit(tmp_path) is None or find_folders(tmp_path) is None


def test_changed_lines_are_those_of_the_new_text(repository: Repository) -> None:
    repository.write("a.py", TEN)
    repository.write("same.py", TEN)
    repository.write("gone.py", TEN)
    repository.commit()
    text = TEN.replace("line 3\n", "changed\nadded\n").replace("line 8\n", "")
    repository.write("a.py", text)
    (repository.path / "gone.py").unlink()
    repository.write("new.py", TEN)
    changes = lines(working_tree_diff(repository.path))
    assert changes == {"a.py": (LineRange(3, 4), LineRange(8, 8))}


def test_staged_changes_count_too(repository: Repository) -> None:
    repository.write("a.py", TEN)
    repository.commit()
    repository.write("a.py", TEN + "more\n")
    repository.write("b.py", "x\ny\n")
    repository.git("add", "-A")
    assert lines(working_tree_diff(repository.path)) == {"a.py": (LineRange(11, 11),), "b.py": (LineRange(1, 2),)}


def test_paths_are_relative_to_the_folder_asked_about(repository: Repository) -> None:
    repository.write("sub/a.py", TEN)
    repository.write("b.py", TEN)
    first = repository.commit()
    repository.write("sub/a.py", "new\n" + TEN)
    repository.write("b.py", "new\n" + TEN)
    assert lines(working_tree_diff(repository.path / "sub")) == {"a.py": (LineRange(1, 1),)}
    second = repository.commit()
    assert changed_between(repository.path / "sub", first, second) == (TreeChange("a.py", "M"),)


def test_files_changed_between_two_commits(repository: Repository) -> None:
    repository.write("keep.py")
    repository.write("old name.py")
    first = repository.commit()
    repository.git("mv", "old name.py", "néw\nname.py")
    repository.write("keep.py", "changed\n")
    second = repository.commit()
    found = changed_between(repository.path, first, second)
    assert found is not None
    assert set(found) == {TreeChange("keep.py", "M"), TreeChange("old name.py", "D"), TreeChange("néw\nname.py", "A")}
    assert changed_between(repository.path, first, first) == ()


@pytest.mark.parametrize("bad", ["HEAD", "--output=x", "", "abc", "a" * 40])
def test_only_full_known_commit_ids_are_compared(repository: Repository, bad: str) -> None:
    first = repository.commit()
    assert changed_between(repository.path, first, bad) is None


@pytest.mark.parametrize(
    "name", ["sp ace.py", "tab\t.py", 'quo"te.py', "back\\slash.py", "é.py", "new\nline.py", "b b.py"]
)
def test_odd_names_in_diffs(repository: Repository, name: str) -> None:
    repository.write(name, TEN)
    repository.commit()
    repository.write(name, TEN + "x\n")
    assert lines(working_tree_diff(repository.path)) == {name: (LineRange(11, 11),)}


def test_content_that_looks_like_a_diff_head_is_content(repository: Repository) -> None:
    repository.write("a.diff", "x\n")
    repository.commit()
    repository.write("a.diff", "x\n++ b/evil.py\n@@ -1 +1 @@\ndiff --git a/e b/e\n")
    repository.write("z.py", "x\n")
    repository.git("add", "-A")
    changes = lines(working_tree_diff(repository.path))
    assert changes == {"a.diff": (LineRange(2, 4),), "z.py": (LineRange(1, 1),)}


def test_ignored_paths(repository: Repository) -> None:
    repository.write(".gitignore", "*.log\n!keep.log\n")
    repository.write("tracked.log")
    repository.git("add", "-f", "tracked.log")
    asked = ["a.log", "keep.log", "tracked.log", "a.py", "-n.log", "new\nline.log", ":(top)x.log"]
    assert check_ignore(repository.path, asked) == {":(top)x.log", "a.log", "-n.log", "new\nline.log"}
    assert check_ignore(repository.path, []) == frozenset()
    assert ignoring_rule(repository.path, "a.log") == ".gitignore:1: *.log"
    assert ignoring_rule(repository.path, "keep.log") is None
    assert ignoring_rule(repository.path, "a.py") is None
    assert tracked_files(repository.path, ["tracked.log", "a.py"]) == {"tracked.log"}
    assert tracked_files(repository.path, ["*.log", ":(glob)**"]) == frozenset()


def test_outside_a_repository_and_without_git_there_is_no_answer(
    tmp_path: Path, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    for ask in (working_tree_diff, recent_commits):
        assert ask(plain) is None
    assert check_ignore(plain, ["a"]) is None
    assert head_commit(plain) is None
    repository.commit()
    monkeypatch.setenv("PATH", "")
    assert lines(working_tree_diff(repository.path)) is None


def test_no_program_named_by_the_repository_is_run(repository: Repository, tmp_path: Path) -> None:
    """Each of these would leave a trace: a monitor, a diff, a text conversion, filters, a signature check, a pager."""
    trace = tmp_path / "trace"
    spy = tmp_path / "spy"
    spy.write_text(f"#!/bin/sh\necho ran >> {trace}\ncat\n")
    spy.chmod(0o755)
    repository.write("a.txt", TEN)
    first = repository.commit()
    repository.write("a.txt", TEN + "more\n")
    second = repository.commit()
    repository.write(".gitattributes", "*.txt filter=evil diff=evil\n")
    repository.write("a.txt", TEN + "again\n")
    for key in (
        "core.fsmonitor", "diff.external", "diff.evil.textconv", "diff.evil.command", "filter.evil.clean",
        "filter.evil.smudge", "filter.evil.process", "core.pager", "gpg.program", "core.sshCommand", "core.editor",
    ):  # fmt: skip
        repository.git("config", key, str(spy))
    repository.git("config", "filter.evil.required", "true")
    repository.git("config", "log.showSignature", "true")
    hook = repository.path / ".git" / "hooks" / "post-index-change"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(spy.read_text())
    hook.chmod(0o755)
    assert lines(working_tree_diff(repository.path)) == {"a.txt": (LineRange(11, 11),)}
    assert [lines(diff) for diff in recent_commits(repository.path) or ()] == [{"a.txt": (LineRange(11, 11),)}]
    assert changed_between(repository.path, first, second) == (TreeChange("a.txt", "M"),)
    assert check_ignore(repository.path, ["a.log"]) == frozenset()
    assert tracked_files(repository.path, ["a.txt"]) == {"a.txt"}
    assert not trace.exists()


def test_the_callers_git_variables_do_not_leak_in(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    repository.write("a.py", TEN)
    repository.commit()
    repository.write("a.py", TEN + "x\n")
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    monkeypatch.setenv("GIT_INDEX_FILE", "/nowhere/index")
    assert lines(working_tree_diff(repository.path)) == {"a.py": (LineRange(11, 11),)}


def test_quoted_names_are_read_byte_by_byte() -> None:
    diff = b'diff --git "a/caf\\351\\n.py" "b/caf\\351\\n.py"\n--- x\n+++ y\n@@ -0,0 +1,2 @@\n+a\n+b\n'
    assert lines(parse_diff(diff)) == {os.fsdecode(b"caf\xe9\n.py"): (LineRange(1, 2),)}


def test_a_file_that_was_only_touched_has_not_changed(repository: Repository) -> None:
    place = repository.write("a.py", TEN)
    repository.commit()
    os.utime(place, ns=(1, 1))
    assert lines(working_tree_diff(repository.path)) == {}
