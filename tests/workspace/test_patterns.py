"""Ignore rules: the same answer as `git check-ignore`, on written and on random rules."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lsp_server.workspace.explain_skip import ignore_match
from lsp_server.workspace.ignore import global_excludes, read_ignore_file
from lsp_server.workspace.patterns import parse_patterns, path_matches, patterns_of

from .git_repository import Repository

PATHS = [
    "a", "b.c", "a.c", "foo/a", "foo/bar/a", "foo/bar/b.c", "foo/x.log", "bar/foo/a.c", "build/out/a", "a b", "[x]",
    "é", "foo/bar/baz/deep.c", "bar/b", "#a", "!a", "foo.c/x", "-a", "ab", "abc",
]  # fmt: skip

PIECES = ["a", "b", "*", "**", "?", "/", "foo", "bar", ".c", "[a-c]", "[!a]", "[]x]", "[[:alpha:]]", "\\", " ", "!", "#", "x", "baz", "-", "é"]  # noqa: E501  # fmt: skip

LINES = st.one_of(
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=5).map("".join),
    st.builds(
        lambda negated, anchored, name, folder: negated + anchored + name + folder,
        st.sampled_from(["", "", "!"]),
        st.sampled_from(["", "/", "**/", "foo/"]),
        st.sampled_from(["a", "foo", "bar", "*", "*.c", "b?c", "foo/*", "foo/**", "bar/**/b*", "build", "a*c"]),
        st.sampled_from(["", "/", "/*", "/**"]),
    ),
)


def ignored_by_us(top: Path, path: str, file_name: str = ".gitignore") -> bool:
    return ignore_match(top, path, file_name, ()) is not None


def ignored_by_git(repository: Repository, paths: list[str]) -> set[str]:
    data = b"".join(os.fsencode(path) + b"\0" for path in paths)
    out = repository.git("check-ignore", "-z", "--stdin", "--no-index", data=data, ok=(0, 1))
    return {os.fsdecode(part) for part in out.split(b"\0") if part}


def fill(repository: Repository) -> None:
    for path in PATHS:
        repository.write(path)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    top=st.lists(LINES, max_size=6),
    nested=st.lists(LINES, max_size=4),
    deeper=st.lists(LINES, max_size=3),
    crlf=st.booleans(),
)
def test_random_nested_ignore_files_give_gits_answer(
    repository: Repository, top: list[str], nested: list[str], deeper: list[str], crlf: bool
) -> None:
    if not (repository.path / "abc").exists():
        fill(repository)
    end = "\r\n" if crlf else "\n"
    for folder, lines in (("", top), ("foo/", nested), ("foo/bar/", deeper)):
        repository.write(folder + ".gitignore", "".join(line + end for line in lines))
    expected = ignored_by_git(repository, PATHS)
    assert {path for path in PATHS if ignored_by_us(repository.path, path)} == expected


@pytest.mark.parametrize(
    ("rules", "ignored"),
    [
        ("*.c\n!b.c\n", {"a.c", "bar/foo/a.c", "foo/bar/baz/deep.c", "foo.c/x"}),
        ("foo/\n!foo/a\n", {path for path in PATHS if path.startswith("foo/") or "/foo/" in path}),
        ("foo/*\n!foo/bar\n", {"foo/a", "foo/x.log"}),
        ("/a\n", {"a"}),
        ("\\#a\n\\!a\n", {"#a", "!a"}),
        ("a\\ b\n", {"a b"}),
        ("a b   \n", {"a b"}),
        ("# a\n\n", set()),
        ("\ufeffa.c\n", {"a.c", "bar/foo/a.c"}),
        ("\\[x]\n", {"[x]"}),
        ("[\nabc\n", {"abc"}),
    ],
)
def test_written_rules_give_gits_answer(repository: Repository, rules: str, ignored: set[str]) -> None:
    fill(repository)
    repository.write(".gitignore", rules)
    assert ignored_by_git(repository, PATHS) == ignored
    assert {path for path in PATHS if ignored_by_us(repository.path, path)} == ignored


def test_names_that_are_not_utf8_match_byte_by_byte() -> None:
    patterns = parse_patterns(b"caf\xe9*\n??.py\n")
    assert path_matches(patterns, os.fsdecode(b"caf\xe9.txt"))
    assert path_matches(patterns, "é.py")  # two bytes, as for Git
    assert not path_matches(patterns, "café.txt")


def test_a_hostile_pattern_takes_no_time() -> None:
    patterns = patterns_of(["*a" * 40 + "b", "*?" * 40 + "[!a]"])
    assert not path_matches(patterns, "a" * 250)


def test_globs_from_settings_name_files_and_folders() -> None:
    patterns = patterns_of(["dist/", "*.min.js", "/only/here.py"])
    assert path_matches(patterns, "pkg/dist/x.js")
    assert path_matches(patterns, "a/b.min.js")
    assert path_matches(patterns, "only/here.py")
    assert not path_matches(patterns, "x/only/here.py")
    assert not path_matches((), "anything")


def test_the_users_excludes_are_found_where_git_looks(own_home: Path) -> None:
    assert global_excludes() is None
    default = own_home / ".config" / "git" / "ignore"
    default.parent.mkdir(parents=True)
    default.write_text("*.one\n")
    found = global_excludes()
    assert found is not None
    assert found.patterns[0].text == "*.one"
    (own_home / "mine").write_text("*.two\n")
    (own_home / ".gitconfig").write_text('[user]\n\tname = x\n[core]\n\texcludesFile = "~/mine"\n')
    found = global_excludes()
    assert found is not None
    assert found.patterns[0].text == "*.two"


def test_an_ignore_file_that_is_a_link_or_a_pipe_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "rules").write_text("*\n")
    (tmp_path / "link").symlink_to("rules")
    os.mkfifo(tmp_path / "pipe")
    assert read_ignore_file(str(tmp_path / "rules"), b"", "rules") is not None
    assert read_ignore_file(str(tmp_path / "link"), b"", "link") is None
    assert read_ignore_file(str(tmp_path / "pipe"), b"", "pipe") is None
