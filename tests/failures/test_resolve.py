"""Printed paths of any machine lead to the right file, or to none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsp_server.failures.drafts import PathStyle, RawFrame
from lsp_server.failures.printed import normal, plain_path
from lsp_server.failures.resolve import Resolver

from .folder_view import Folder

PATHS = [
    "README.md", "src/app/main.py", "src/app/util.py", "packages/a/src/index.js", "packages/b/src/index.js", "go.mod",
    "pkg/x.go", "src/main/java/com/example/Mill.java", "other/com/example/Mill.java", "lib/Only.java",
    "hull/src/lib.rs", "deck/src/lib.rs", "src/päth with space/tide.js", "app/lib/x.dart",
]  # fmt: skip
FOLDER = Folder(dict.fromkeys(PATHS, "a\nb\n"))


def path_of(
    printed: str, *, cwd: str = "", bases: tuple[str, ...] = (), style: PathStyle = PathStyle.FILE
) -> str | None:
    return Resolver(FOLDER, cwd).resolve(RawFrame(printed, 1, bases=bases, style=style)).path


@pytest.mark.parametrize(
    ("printed", "path"),
    [
        ("src/app/main.py", "src/app/main.py"),
        ("./src/app/main.py", "src/app/main.py"),
        ("src/app/../app/main.py", "src/app/main.py"),
        ("/home/ci/work/repo/src/app/main.py", "src/app/main.py"),
        (r"D:\a\repo\src\app\main.py", "src/app/main.py"),
        (r"d:\A\REPO\SRC\APP\MAIN.PY", "src/app/main.py"),
        ("file:///app/src/p%C3%A4th%20with%20space/tide.js", "src/päth with space/tide.js"),
        ("webpack:///./packages/a/src/index.js?9d1f", "packages/a/src/index.js"),
        ("webpack-internal:///(rsc)/./packages/a/src/index.js", "packages/a/src/index.js"),
        ("webpack://mono/./packages/b/src/index.js", "packages/b/src/index.js"),
        ("/app/packages/b/src/index.js", "packages/b/src/index.js"),
        ("http://localhost:5173/packages/a/src/index.js?t=1", "packages/a/src/index.js"),
        ("package:app/x.dart", "app/lib/x.dart"),
        ("app/main.py", "src/app/main.py"),
        ("util.py", "src/app/util.py"),
        ("/app/main.py", "src/app/main.py"),
        ("/elsewhere/main.py", None),
        ("/app/README.md", "README.md"),
        ("/usr/lib/go-1.19/src/pkg/x.go", None),
        ("index.js", None),
        ("src/index.js", None),
        ("<string>", None),
        ("node:internal/process", None),
        ("https://example.org/x", None),
        ("", None),
    ],
)  # fmt: skip
def test_printed_path_leads_to(printed: str, path: str | None) -> None:
    assert path_of(printed) == path


def test_a_relative_path_starts_at_the_working_folder() -> None:
    assert path_of("src/index.js", cwd="packages/a") == "packages/a/src/index.js"
    assert path_of("../b/src/index.js", cwd="packages/a") == "packages/b/src/index.js"


def test_a_base_from_another_machine_finds_its_folder() -> None:
    assert path_of("x.go", bases=("example.org/mod/pkg",)) == "pkg/x.go"
    assert path_of("./src/lib.rs", bases=("deck",)) == "deck/src/lib.rs"
    assert path_of("src/index.js", bases=("/home/ci/repo/packages/b",)) == "packages/b/src/index.js"


def test_a_class_leads_to_its_file() -> None:
    assert path_of("com.other.Only|Only.java", style=PathStyle.JAVA) is None
    assert path_of("java.util.Only|Only.java", style=PathStyle.JAVA) is None
    assert path_of("Only|Only.java", style=PathStyle.JAVA) == "lib/Only.java"


def test_a_tie_is_ambiguous_and_no_answer() -> None:
    found = Resolver(FOLDER).resolve(RawFrame("com.example.Mill$Gear|Mill.java", 1, style=PathStyle.JAVA))
    assert found.path is None
    assert set(found.candidates) == {"src/main/java/com/example/Mill.java", "other/com/example/Mill.java"}
    assert Resolver(FOLDER).resolve(RawFrame("src/index.js", 1)).candidates


def test_a_known_root_decides_alone() -> None:
    def canonical(path: str) -> str | None:
        return path.removeprefix("/here/") if path.startswith("/here/") else None

    resolver = Resolver(FOLDER, canonical=canonical)
    assert resolver.resolve(RawFrame("/here/src/app/main.py", 1)).path == "src/app/main.py"
    assert resolver.resolve(RawFrame("/here/build/src/app/main.py", 1)).path is None
    assert resolver.resolve(RawFrame("/there/src/app/main.py", 1)).path == "src/app/main.py"


@given(st.text(max_size=60))
def test_any_text_leads_into_the_workspace_or_nowhere(printed: str) -> None:
    found = path_of(printed)
    assert found is None or FOLDER.has(found)


@given(st.text(alphabet="./a\\", max_size=20))
def test_a_normal_path_has_no_dots_and_never_climbs_out(path: str) -> None:
    found = normal(path)
    assert found is None or not {"", ".", ".."} & set(found.split("/"))


@given(st.sampled_from(PATHS), st.sampled_from(["/app/", "/home/u/repo/", "C:\\w\\", "file:///r/", "/usr/src/app/"]))
def test_any_root_before_a_path_leads_to_it(path: str, root: str) -> None:
    printed = root + (path.replace("/", "\\") if "\\" in root else path)
    assert path_of(printed) == path
    assert plain_path(printed) is not None
