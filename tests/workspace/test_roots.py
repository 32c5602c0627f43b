"""Paths: one file has one name; nothing outside has any."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsp_server.model.errors import PathError
from lsp_server.workspace.paths import fold_path, is_git_internal
from lsp_server.workspace.roots import Roots


@pytest.mark.parametrize(
    ("path", "folded"),
    [("b.ts", "b.ts"), ("./b.ts", "b.ts"), ("a/../b.ts", "b.ts"), ("a//b.ts", "a/b.ts"), ("a/./b/", "a/b")],
)
def test_spellings_of_one_path_fold_to_it(path: str, folded: str) -> None:
    assert fold_path(path) == folded


@pytest.mark.parametrize("path", ["", ".", "/etc/passwd", "../x", "a/../../x", "a\0b", "a/.."])
def test_empty_absolute_and_escaping_paths_are_errors(path: str) -> None:
    with pytest.raises(PathError):
        fold_path(path)


@given(st.text(alphabet="ab./ \n%#é\udcff", max_size=20))
def test_folding_twice_changes_nothing_and_never_escapes(path: str) -> None:
    try:
        folded = fold_path(path)
    except PathError:
        return
    assert fold_path(folded) == folded
    assert not {"", ".", ".."} & set(folded.split("/"))


@pytest.mark.parametrize("path", [".git/config", "sub/.git/hooks/x", ".GIT/config", ".git./x"])
def test_git_metadata_is_recognised_in_any_spelling(path: str) -> None:
    assert is_git_internal(path)


def test_ordinary_dot_files_are_not_git_metadata() -> None:
    assert not any(map(is_git_internal, [".gitignore", ".github/x.yml", "a.git/x", "git/x"]))


@pytest.mark.parametrize("name", ["a b.py", "100%.py", "a#b.py", "line\nbreak.py", "x" * 255, "naïve.py", os.fsdecode(b"\xff\xfe.py")])  # noqa: E501  # fmt: skip
def test_odd_names_go_out_and_back(tmp_path: Path, name: str) -> None:
    place = tmp_path / "d" / name
    place.parent.mkdir()
    place.write_text("x")
    roots = Roots.of([tmp_path])
    assert roots.canonical(place) == f"d/{name}"
    assert roots.absolute(f"d/{name}").read_text() == "x"


def test_a_link_inside_the_workspace_is_its_target(tmp_path: Path) -> None:
    (tmp_path / "real.py").write_text("x")
    (tmp_path / "link.py").symlink_to("real.py")
    (tmp_path / "sub").mkdir()
    (tmp_path / "alias").symlink_to("sub")
    roots = Roots.of([tmp_path])
    assert roots.canonical(tmp_path / "link.py") == "real.py"
    assert roots.canonical(tmp_path / "alias" / "new.py") == "sub/new.py"
    assert roots.resolve("alias/../link.py") == "real.py"


def test_links_out_dangling_links_and_loops_never_escape(tmp_path: Path) -> None:
    inside = tmp_path / "in"
    inside.mkdir()
    (tmp_path / "secret").write_text("x")
    (inside / "out").symlink_to(tmp_path / "secret")
    (inside / "folder").symlink_to(tmp_path)
    (inside / "loop").symlink_to("loop")
    (inside / "dangling").symlink_to("nowhere")
    roots = Roots.of([inside])
    assert roots.canonical(inside / "out") is None
    assert roots.canonical(inside / "folder" / "secret") is None
    assert roots.canonical(inside / "dangling") == "nowhere"
    assert roots.canonical(inside / "loop") in ("loop", None)


def test_a_root_given_through_a_link_is_the_real_folder(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "alias").symlink_to("real")
    roots = Roots.of([tmp_path / "alias", tmp_path / "real"])
    assert [root.path for root in roots.roots] == [tmp_path / "real"]
    assert roots.canonical(tmp_path / "alias" / "x.py") == "x.py"


def test_nested_roots_count_once(tmp_path: Path) -> None:
    roots = Roots.of([tmp_path / "a" / "b", tmp_path / "a"])
    assert [root.path for root in roots.roots] == [tmp_path / "a"]
    assert roots.canonical(tmp_path / "a" / "b" / "x.py") == "b/x.py"


def test_a_sibling_with_a_longer_name_is_not_inside(tmp_path: Path) -> None:
    assert Roots.of([tmp_path / "a"]).canonical(tmp_path / "ab" / "x.py") is None


def test_several_roots_prefix_paths_with_unique_names(tmp_path: Path) -> None:
    roots = Roots.of([tmp_path / "x" / "app", tmp_path / "y" / "app"])
    assert [root.name for root in roots.roots] == ["app", "app-2"]
    assert roots.canonical(tmp_path / "y" / "app" / "m.py") == "app-2/m.py"
    assert roots.absolute("app-2/m.py") == tmp_path / "y" / "app" / "m.py"
    for wrong in ("m.py", "other/m.py", "app-2"):
        with pytest.raises(PathError):
            roots.absolute(wrong)


def test_the_root_itself_relative_paths_and_no_roots_have_no_name(tmp_path: Path) -> None:
    roots = Roots.of([tmp_path])
    assert roots.canonical(tmp_path) is None
    assert roots.canonical("x.py") is None
    assert Roots.of([]).canonical(tmp_path / "x") is None
    with pytest.raises(PathError):
        Roots.of([]).absolute("x.py")


def test_the_file_systems_root_can_be_a_workspace() -> None:
    assert Roots.of(["/"]).canonical("/etc/hostname-of-nobody") == "etc/hostname-of-nobody"
