"""Discovery: the project's files and nothing else, whatever the disk holds."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from lsp_server.model.errors import Cancelled
from lsp_server.workspace import discovery as discovery_module
from lsp_server.workspace.discovery import Discovery, DiscoveryOptions, discover, is_broad
from lsp_server.workspace.explain_skip import explain_skip, skip_reason, skip_reasons
from lsp_server.workspace.privacy import PrivacyPolicy
from lsp_server.workspace.roots import Roots
from lsp_server.workspace.skip import SkipReason

from .git_repository import Repository


def paths(found: Discovery) -> set[str]:
    return {file.path for file in found.files}


def reasons(found: Discovery) -> dict[str, SkipReason]:
    return {skipped.path: skipped.reason for skipped in found.skipped}


def fill(folder: Path, names: str) -> None:
    for name in names.split():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("x = 1\n")


@pytest.fixture(params=["git", "walk"])
def top(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A workspace with and without a repository: both must give the same."""
    folder = tmp_path / "top"
    if request.param == "git":
        Repository(folder)
    folder.mkdir(exist_ok=True)
    return folder


def test_ignore_files_are_honoured_nested_and_negated(top: Path) -> None:
    fill(top, "a.py b.log keep.log sub/c.py sub/d.log sub/x/e.py out/f.py")
    (top / ".gitignore").write_text("*.log\n!keep.log\nout/\n")
    (top / "sub" / ".gitignore").write_text("/x/\n!d.log\n")
    assert paths(discover(Roots.of([top]))) == {".gitignore", "a.py", "keep.log", "sub/.gitignore", "sub/c.py", "sub/d.log"}  # noqa: E501  # fmt: skip


def test_the_users_own_excludes_are_honoured(top: Path, own_home: Path) -> None:
    (own_home / ".config" / "git").mkdir(parents=True)
    (own_home / ".config" / "git" / "ignore").write_text("*.swp\n")
    fill(top, "a.py a.py.swp")
    assert paths(discover(Roots.of([top]))) == {"a.py"}


def test_own_ignore_files_hide_tracked_files_too(top: Path) -> None:
    fill(top, "a.py data/b.py data/keep.py deep/x/c.py")
    (top / ".repocontextignore").write_text("data/*\n!data/keep.py\n")
    (top / "deep" / ".repocontextignore").write_text("x/\n")
    expected = {".repocontextignore", "a.py", "data/keep.py", "deep/.repocontextignore"}
    assert paths(discover(Roots.of([top]))) == expected


def test_what_is_no_text_file_is_listed_with_its_reason(top: Path) -> None:
    fill(top, "a.py .env image.png node_modules/m/i.js")
    (top / "big.py").write_text("x" * 2_000)
    (top / "link.py").symlink_to("a.py")
    (top / "dangling").symlink_to("nowhere")
    (top / "loop").symlink_to(".")
    os.mkfifo(top / "pipe")
    found = discover(Roots.of([top]), DiscoveryOptions(max_file_bytes=1_000, exclude=("*.cfg",)))
    assert paths(found) == {"a.py"}
    listed = reasons(found)
    listed.pop("pipe", None)  # Git does not list pipes
    assert listed == {
        ".env": SkipReason.DENIED,
        "image.png": SkipReason.BINARY,
        "node_modules/": SkipReason.DEPENDENCIES,
        "big.py": SkipReason.TOO_LARGE,
        "link.py": SkipReason.SYMLINK,
        "dangling": SkipReason.SYMLINK,
        "loop": SkipReason.SYMLINK,
    }
    assert found.skipped_counts[SkipReason.SYMLINK] == 3


def test_links_out_of_the_workspace_are_not_followed(top: Path, tmp_path: Path) -> None:
    fill(tmp_path, "elsewhere/secret.py")
    (top / "out").symlink_to(tmp_path / "elsewhere")
    fill(top, "a.py")
    assert paths(discover(Roots.of([top]))) == {"a.py"}


def test_the_target_of_a_denied_link_is_not_found(top: Path) -> None:
    fill(top, "a.py config/local.txt")
    (top / ".env").symlink_to("config/local.txt")
    found = discover(Roots.of([top]))
    assert paths(found) == {"a.py"}
    assert found.denied_targets == {"config/local.txt"}
    assert PrivacyPolicy().denying(found.denied_targets).denied("config/local.txt")


def test_odd_names_are_found(top: Path) -> None:
    names = ["a b.py", "100%.py", "#x.py", "line\nbreak.py", "é.py", "x" * 250 + ".py", os.fsdecode(b"\xff.py"), "-n.py", "\"q\".py"]  # noqa: E501  # fmt: skip
    for name in names:
        (top / name).write_text("x")
    assert paths(discover(Roots.of([top]))) == set(names)


def test_include_and_exclude_are_globs_over_canonical_paths(top: Path) -> None:
    fill(top, "src/a.py src/gen/b.py docs/c.md")
    options = DiscoveryOptions(include=("src/", "*.md"), exclude=("gen/",))
    assert paths(discover(Roots.of([top]), options)) == {"src/a.py", "docs/c.md"}


def test_a_cap_ends_the_scan_and_says_so(top: Path) -> None:
    fill(top, " ".join(f"f{n}.py" for n in range(20)))
    found = discover(Roots.of([top]), DiscoveryOptions(max_files=5))
    assert len(found.files) == 5
    assert found.capped
    assert SkipReason.CAPPED in found.skipped_counts
    assert not discover(Roots.of([top]), DiscoveryOptions(max_files=20)).capped


def test_files_carry_size_and_time(top: Path) -> None:
    fill(top, "a.py")
    (file,) = discover(Roots.of([top])).files
    status = (top / "a.py").stat()
    assert (file.size, file.mtime_ns) == (status.st_size, status.st_mtime_ns)


def test_a_home_folder_is_walked_shallow_first_and_capped(own_home: Path) -> None:
    fill(own_home, "near.py deep/er/still/far.py mid/m.py")
    assert is_broad(own_home)
    assert is_broad(Path("/"))
    assert not is_broad(own_home / "mid")
    found = discover(Roots.of([own_home]), DiscoveryOptions(max_broad_files=2))
    assert paths(found) == {"near.py", "mid/m.py"}
    assert found.capped


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_an_unreadable_folder_does_not_end_the_walk(tmp_path: Path) -> None:
    fill(tmp_path, "top/a.py top/closed/b.py top/z.py")
    (tmp_path / "top" / "closed").chmod(0)
    found = discover(Roots.of([tmp_path / "top"]))
    (tmp_path / "top" / "closed").chmod(0o755)
    assert paths(found) == {"a.py", "z.py"}
    assert reasons(found) == {"closed/": SkipReason.UNREADABLE}


def test_a_folder_that_fails_to_list_does_not_end_the_walk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path, "top/a.py top/closed/b.py")
    real = os.scandir

    def scandir(path: str) -> object:
        if path.rstrip("/").endswith("closed"):
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(discovery_module.os, "scandir", scandir)
    found = discover(Roots.of([tmp_path / "top"]))
    assert paths(found) == {"a.py"}
    assert reasons(found) == {"closed/": SkipReason.UNREADABLE}


def test_a_missing_root_and_no_root_give_nothing(tmp_path: Path) -> None:
    assert discover(Roots.of([])).files == ()
    found = discover(Roots.of([tmp_path / "gone"]))
    assert found.files == ()
    assert list(reasons(found).values()) == [SkipReason.MISSING]


def test_several_roots_prefix_their_files(tmp_path: Path) -> None:
    fill(tmp_path, "x/a.py y/b.py")
    found = discover(Roots.of([tmp_path / "x", tmp_path / "y"]))
    assert paths(found) == {"x/a.py", "y/b.py"}


def test_a_scan_can_be_cancelled(top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(top, " ".join(f"f{n}.py" for n in range(30)))

    def withdrawn() -> None:
        raise Cancelled

    monkeypatch.setattr(discovery_module, "_CHECK_EVERY", 10)
    with pytest.raises(Cancelled):
        discover(Roots.of([top]), checkpoint=withdrawn)


def test_submodules_and_nested_clones_are_part_of_the_workspace(tmp_path: Path) -> None:
    library = Repository(tmp_path / "library")
    library.write("lib.py")
    library.write("ignored.log")
    library.write(".gitignore", "*.log\n")
    library.commit()
    repository = Repository(tmp_path / "repo")
    repository.write("a.py")
    repository.git("submodule", "add", "-q", str(library.path), "sub")
    repository.commit()
    nested = Repository(repository.path / "nested")
    nested.write("n.py")
    (repository.path / "sub" / "x.log").write_text("x")
    found = paths(discover(Roots.of([repository.path])))
    assert found == {".gitmodules", "a.py", "sub/.gitignore", "sub/lib.py", "nested/n.py"}


def test_a_linked_worktree_is_a_workspace_but_not_part_of_another(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "repo")
    repository.write("a.py")
    repository.commit()
    repository.git("worktree", "add", "-q", "trees/feature")
    found = discover(Roots.of([repository.path]))
    assert paths(found) == {"a.py"}
    assert reasons(found) == {"trees/feature/": SkipReason.WORKTREE}
    assert paths(discover(Roots.of([repository.path / "trees" / "feature"]))) == {"a.py"}


def test_a_sparse_checkout_holds_what_is_on_disk(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "repo")
    for name in ("in/a.py", "out/b.py"):
        repository.write(name)
    repository.commit()
    repository.git("sparse-checkout", "set", "in")
    assert paths(discover(Roots.of([repository.path]))) == {"in/a.py"}


def test_tracked_files_count_even_where_ignored_or_vendored(repository: Repository) -> None:
    repository.write("build/tracked.py")
    repository.write("node_modules/own/index.js")
    repository.commit()
    repository.write(".gitignore", "build/\n")
    repository.write("build/new.py")
    repository.write("node_modules/dep/index.js")
    found = discover(Roots.of([repository.path]))
    assert paths(found) == {".gitignore", "build/tracked.py", "node_modules/own/index.js"}
    assert reasons(found) == {"node_modules/": SkipReason.DEPENDENCIES}


def test_a_tracked_folder_swapped_for_a_link_does_not_lead_out(repository: Repository, tmp_path: Path) -> None:
    repository.write("d/a.py")
    repository.commit()
    shutil.rmtree(repository.path / "d")
    fill(tmp_path, "elsewhere/a.py")
    (repository.path / "d").symlink_to(tmp_path / "elsewhere")
    assert paths(discover(Roots.of([repository.path]))) == set()


def test_a_folder_inside_a_repository_can_be_the_workspace(repository: Repository) -> None:
    repository.write(".gitignore", "*.log\n")
    repository.write("sub/a.py")
    repository.write("sub/b.log")
    repository.write("other.py")
    assert paths(discover(Roots.of([repository.path / "sub"]))) == {"a.py"}


def test_an_ignored_folder_opened_on_purpose_is_walked(repository: Repository) -> None:
    repository.write(".gitignore", "build/\n")
    repository.write("build/a.py")
    assert paths(discover(Roots.of([repository.path / "build"]))) == {"a.py"}


def test_a_plain_folder_of_clones_uses_each_ones_rules(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "all" / "one")
    repository.write(".git/info/exclude", "*.tmp\n")
    repository.write("a.py")
    repository.write("b.tmp")
    fill(tmp_path, "all/two/c.py")
    assert paths(discover(Roots.of([tmp_path / "all"]))) == {"one/a.py", "two/c.py"}


def test_without_git_the_repositorys_excludes_still_hold(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.write(".git/info/exclude", "*.tmp\n")
    repository.write("a.py")
    repository.write("b.tmp")
    monkeypatch.setenv("PATH", "")
    assert paths(discover(Roots.of([repository.path]))) == {"a.py"}


def test_each_reason_can_be_asked_for(repository: Repository, tmp_path: Path) -> None:
    repository.write(".gitignore", "*.log\n")
    repository.write(".repocontextignore", "own.py\n")
    for name in ("a.py", "b.log", "own.py", ".env", "i.png", "node_modules/x.js", "gen/g.py"):
        repository.write(name)
    repository.write("big.py", "x" * 3_000)
    repository.write("data.bin2", bytes(range(256)) * 3)
    repository.write("mini.js", "a=1;" * 2_500)
    (repository.path / "link.py").symlink_to("a.py")
    options = DiscoveryOptions(max_file_bytes=2_999, exclude=("gen/",))
    roots = Roots.of([repository.path])
    expected = {
        "b.log": SkipReason.IGNORED, "own.py": SkipReason.IGNORED, ".env": SkipReason.DENIED,
        "i.png": SkipReason.BINARY,
        "node_modules/x.js": SkipReason.DEPENDENCIES, "gen/g.py": SkipReason.EXCLUDED, "big.py": SkipReason.TOO_LARGE,
        "link.py": SkipReason.SYMLINK, "gone.py": SkipReason.MISSING, "../x.py": SkipReason.OUTSIDE,
    }  # fmt: skip
    found = skip_reasons(roots, [*expected, "a.py", "data.bin2"], options)
    assert dict(found) == expected
    for path, reason in expected.items():
        answer = explain_skip(roots, path, options)
        assert answer is not None
        assert answer.reason is reason
    by_content = explain_skip(roots, "data.bin2", options)
    assert by_content is not None
    assert by_content.reason is SkipReason.BINARY
    minified = explain_skip(roots, "mini.js")
    assert minified is not None
    assert minified.reason is SkipReason.MINIFIED
    assert explain_skip(roots, "a.py") is None
    assert explain_skip(roots, str(repository.path / "a.py")) is None
    assert skip_reason(roots, "a.py") is None
    outside = explain_skip(roots, str(tmp_path / "elsewhere.py"))
    assert outside is not None
    assert outside.reason is SkipReason.OUTSIDE


def test_the_answer_names_the_rule(repository: Repository) -> None:
    repository.write("sub/.gitignore", "# note\n*.log\n")
    repository.write("sub/a.log")
    answer = explain_skip(Roots.of([repository.path]), "sub/a.log")
    assert answer is not None
    assert str(answer) == "sub/a.log is not indexed: an ignore rule matches it (sub/.gitignore:2: *.log)"


def test_reasons_agree_with_discovery(top: Path) -> None:
    fill(top, "a.py b.log sub/c.py sub/d.tmp node_modules/m.js .env x.png")
    (top / ".gitignore").write_text("*.log\n")
    (top / "sub" / ".gitignore").write_text("*.tmp\n")
    roots = Roots.of([top])
    found = paths(discover(roots))
    everything = [str(path.relative_to(top)) for path in top.rglob("*") if path.is_file() and ".git/" not in str(path)]
    without = skip_reasons(roots, everything)
    assert {path for path in everything if path not in without} == found
