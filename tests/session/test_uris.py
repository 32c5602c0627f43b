"""URIs of every spelling and scheme."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsp_server.session.uris import file_path, file_uri, outside_key, scheme_of
from lsp_server.workspace.paths import fold_path


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///a/b.py", "/a/b.py"),
        ("file:/a/b.py", "/a/b.py"),
        ("file://localhost/a/b.py", "/a/b.py"),
        ("FILE:///a/b.py", "/a/b.py"),
        ("file:///a/%20b%23c%25.py", "/a/ b#c%.py"),
        ("file:///a/./x/../b.py", "/a/b.py"),
        ("file:///a//b.py", "/a/b.py"),
        ("file:////a/b.py", "/a/b.py"),
        ("file:///c%3A/x.py", "/c:/x.py"),
        ("file:///C:/x.py", "/c:/x.py"),
        ("file://server/share/x.py", "//server/share/x.py"),
        ("file:///a/b.py?query#part", "/a/b.py"),
        ("file:///h%C3%A9.py", "/hé.py"),
        ("file:///bad%FFname.py", "/bad\udcffname.py"),
        ("/plain/path.py", "/plain/path.py"),
        ("untitled:Untitled-1", None),
        ("git:/a/b.py?HEAD", None),
        ("vscode-remote://ssh-remote%2Bhost/a/b.py", None),
        ("vscode-notebook-cell:/a/n.ipynb#W0s", None),
        ("file:", None),
        ("file:relative.py", None),
        ("file:///a%00b", None),
        ("relative.py", None),
        ("", None),
    ],
)
def test_file_paths(uri: str, path: str | None) -> None:
    assert file_path(uri) == path


def test_two_spellings_are_one_document() -> None:
    assert outside_key("file:///c%3A/x.py") == outside_key("file:///C:/x.py")
    assert outside_key("file:///a/b.py") == "file:a/b.py"


def test_a_notebook_cell_keeps_its_fragment() -> None:
    assert outside_key("vscode-notebook-cell:/a/n.ipynb#W0s") != outside_key("vscode-notebook-cell:/a/n.ipynb#W1s")


def test_a_windows_drive_is_no_scheme() -> None:
    assert scheme_of("c:/x.py") == ""
    assert scheme_of("untitled:x") == "untitled"


@given(st.text())
def test_no_text_fails_and_every_key_is_a_relative_path(uri: str) -> None:
    file_path(uri)
    key = outside_key(uri)
    assert not key.startswith("/")
    if "\0" not in key:
        assert fold_path(key) == key


@given(st.lists(st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1), min_size=1))
def test_a_path_comes_back_from_its_uri(parts: list[str]) -> None:
    parts = [part for part in parts if part not in (".", "..")] or ["x"]
    path = "/" + "/".join(parts)
    if not (len(parts[0]) == 2 and parts[0][1] == ":"):
        assert file_path(file_uri(path)) == path
