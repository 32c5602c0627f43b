"""Input that no tool writes is refused in a sentence, and names that no person gives are found."""

from __future__ import annotations

import json
import os
import unicodedata
from pathlib import Path

import pytest

from lsp_server.cli.main import DONE, NOTHING, USAGE, run

QUIET = ["--quiet", "--set", "cache.enabled=false", "--set", "index.workers=1"]
NAMES = (
    "new\nline.py", "back`tick`.py", '"quote".py', "a'b.py", "$(touch x).py", "-rf.py", "--help.py", "tab\tx.py",
    "\u202egnp.py", "%41.py", "#frag.py", "q?.py", "a:b.py", " lead.py", "trail .py", "x" * 250 + ".py", "*.py",
    "[a].py", "{b}.py", "\\back.py", "\x7f.py", "\x1b[31m.py", "é.py", unicodedata.normalize("NFD", "é") + ".py",
    "Case.py", "case.py", os.fsdecode(b"\xff\xfe.py"), "</document>/x.py", "```/x.py",
)  # fmt: skip


@pytest.mark.parametrize("depth", [900, 100_000])
@pytest.mark.parametrize("command", [["build", "--diagnostics"], ["verify"], ["eval"]])
def test_json_nested_without_end_is_refused(
    command: list[str], depth: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    deep = tmp_path / "deep.json"
    deep.write_text('{"items": ' + "[" * depth + "]" * depth + "}")
    more = [] if command == ["eval"] else ["--root", str(tmp_path), *QUIET]
    assert run([*command, str(deep), *more]) == USAGE
    assert len(capsys.readouterr().err) < 1_000


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    folder = tmp_path / "odd"
    for number, name in enumerate(NAMES):
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"def hostile_{number}(x):\n    return missing_{number}(x)\n")
    os.mkfifo(folder / "pipe.py")
    (folder / "loop").symlink_to(folder)
    (folder / "self").symlink_to("self")
    (folder / "out").symlink_to("/etc")
    with open(folder / "sparse.py", "wb") as sparse:
        sparse.truncate(1 << 30)
    return folder


def test_every_odd_name_is_found_and_shown_on_one_line(odd: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["grep", "def hostile_", "--json", "--root", str(odd), *QUIET]) == DONE
    found = {match["path"] for match in json.loads(capsys.readouterr().out)["matches"]}
    assert found == set(NAMES)
    assert run(["grep", "def hostile_", "--root", str(odd), *QUIET]) == DONE
    assert capsys.readouterr().out.count("\n") == len(NAMES)
    for number, name in enumerate(NAMES):
        if not name.startswith("-") and "\\" not in name:  # an option, and a folder of Windows
            assert run(["expand", f"{name}:1", "--root", str(odd), *QUIET]) == DONE, name
            assert f"hostile_{number}" in capsys.readouterr().out


@pytest.mark.parametrize(
    "command", [["search", "x"], ["grep", "x"], ["map"], ["build", "--task", "x"], ["related", "x"]]
)
def test_a_workspace_without_files_has_no_answer(command: list[str], tmp_path: Path) -> None:
    assert run([*command, "--root", str(tmp_path), *QUIET]) == NOTHING
    assert run(["status", "--root", str(tmp_path), *QUIET]) == DONE
