"""What Git tells of the last commits."""

from __future__ import annotations

from lsp_server.model.lines import LineRange
from lsp_server.workspace.history import recent_commits
from lsp_server.workspace.touched import Diff

from .git_repository import Repository

TEN = "".join(f"line {n}\n" for n in range(1, 11))


def lines(diff: Diff) -> dict[str, list[LineRange]]:
    return {path: [hunk.range for hunk in file.hunks] for path, file in diff.items()}


def test_commits_come_newest_first_each_against_its_parent(repository: Repository) -> None:
    repository.write("a.py", TEN)
    repository.commit()
    repository.write("a.py", TEN.replace("line 5", "five"))
    repository.commit()
    repository.write("a.py", "first\n" + TEN.replace("line 5", "five"))
    repository.write("b.py", "x\n")
    repository.commit()
    found = recent_commits(repository.path)
    assert found is not None
    assert [lines(diff) for diff in found] == [
        {"a.py": [LineRange(1, 1)], "b.py": [LineRange(1, 1)]},
        {"a.py": [LineRange(5, 5)]},
    ]
    assert recent_commits(repository.path, count=1) == found[:1]
    assert recent_commits(repository.path, "HEAD~1") == found[1:]


def test_a_merge_counts_as_all_that_it_brought(repository: Repository) -> None:
    repository.write("a.py", TEN)
    repository.commit()
    repository.git("checkout", "-q", "-b", "topic")
    repository.write("a.py", TEN.replace("line 2", "two"))
    repository.commit()
    repository.write("a.py", TEN.replace("line 2", "two").replace("line 9", "nine"))
    repository.commit()
    repository.git("checkout", "-q", "main")
    repository.git("merge", "-q", "--no-ff", "--no-edit", "topic")
    found = recent_commits(repository.path)
    assert found is not None
    assert [lines(diff) for diff in found] == [{"a.py": [LineRange(2, 2), LineRange(9, 9)]}]


def test_a_commit_that_changes_nothing_here_still_counts_as_one(repository: Repository) -> None:
    repository.write("sub/a.py", TEN)
    repository.commit()
    repository.write("sub/a.py", "new\n" + TEN)
    repository.commit()
    repository.write("elsewhere.py")
    repository.commit()
    found = recent_commits(repository.path / "sub")
    assert found is not None
    assert [lines(diff) for diff in found] == [{}, {"a.py": [LineRange(1, 1)]}]


def test_the_oldest_commit_of_a_shallow_clone_is_left_out(repository: Repository) -> None:
    for n in range(3):
        repository.write("a.py", f"{n}\n")
        repository.commit()
    repository.git("clone", "-q", "--depth", "2", f"file://{repository.path}", "../shallow")
    found = recent_commits(repository.path.parent / "shallow")
    assert found is not None
    assert [lines(diff) for diff in found] == [{"a.py": [LineRange(1, 1)]}]


def test_a_bare_clone_inside_another_working_tree_answers_for_itself(repository: Repository) -> None:
    repository.write("a.py", TEN)
    repository.commit()
    repository.write("a.py", "new\n" + TEN)
    repository.commit()
    repository.git("clone", "-q", "--bare", f"file://{repository.path}", "clones/bare")
    assert recent_commits(repository.path / "clones" / "bare") == recent_commits(repository.path)


def test_a_revision_that_is_not_there_has_no_answer(repository: Repository) -> None:
    repository.commit()
    assert recent_commits(repository.path, "--output=x") is None
    assert recent_commits(repository.path, "0" * 40) is None
    assert not (repository.path / "x").exists()


def test_content_that_looks_like_a_diff_is_content(repository: Repository) -> None:
    repository.write("a.py", TEN)
    repository.commit()
    repository.write("a.py", TEN + "diff --git a/x b/x\n@@ -1,2 +3,4 @@\n" + "0" * 40 + "\n")
    repository.commit()
    found = recent_commits(repository.path)
    assert found is not None
    assert [lines(diff) for diff in found] == [{"a.py": [LineRange(11, 13)]}]


def test_what_git_told_before_it_met_a_missing_object_counts(repository: Repository) -> None:
    for n in range(5):
        repository.write("a.py", f"{n}\n")
        repository.commit()
    lost = repository.git("rev-parse", "HEAD~4:a.py").decode().strip()
    (repository.path / ".git" / "objects" / lost[:2] / lost[2:]).unlink()
    found = recent_commits(repository.path)
    assert found is not None
    assert [lines(diff) for diff in found][:2] == [{"a.py": [LineRange(1, 1)]}] * 2
    assert len(found) < 4


def test_a_large_data_file_is_not_compared(repository: Repository) -> None:
    data = "".join(f"{n}\n" for n in range(400_000))
    repository.write("data.csv", data)
    repository.commit()
    repository.write("data.csv", data.replace("7", "8"))
    repository.write("a.py", "x\n")
    repository.commit()
    found = recent_commits(repository.path)
    assert found is not None
    assert [lines(diff) for diff in found] == [{"data.csv": [], "a.py": [LineRange(1, 1)]}]


def test_a_link_that_became_a_file_is_the_file(repository: Repository) -> None:
    repository.write("target.py")
    (repository.path / "a.py").symlink_to("target.py")
    repository.commit()
    (repository.path / "a.py").unlink()
    repository.write("a.py", TEN)
    repository.commit()
    found = recent_commits(repository.path)
    assert found is not None
    assert lines(found[0]) == {"a.py": [LineRange(1, 10)]}
    assert not found[0]["a.py"].deleted
