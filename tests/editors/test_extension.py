"""The VS Code extension's own sources: settings, lock file, types, lint, unit tests, package."""

from __future__ import annotations

import json
import re
import runpy
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

CLIENT = Path(__file__).parent.parent.parent / "client-vscode"


def manifest() -> dict[str, object]:
    return json.loads((CLIENT / "package.json").read_text(encoding="utf-8"))


def test_settings_are_those_of_the_server() -> None:
    script = runpy.run_path(str(CLIENT / "scripts" / "write-settings.py"))
    text = (CLIENT / "package.json").read_text(encoding="utf-8")
    assert script["written"](text) == text, "run client-vscode/scripts/write-settings.py"


def test_the_lock_file_names_no_registry() -> None:
    assert '"resolved"' not in (CLIENT / "package-lock.json").read_text(encoding="utf-8")


def test_every_contributed_command_is_registered_and_the_reverse() -> None:
    sources = "\n".join(path.read_text(encoding="utf-8") for path in (CLIENT / "src").rglob("*.ts"))
    registered = set(re.findall(r"^    '(repoContext\.\w+)': ", sources, re.MULTILINE))
    contributes = manifest()["contributes"]
    assert isinstance(contributes, dict)
    contributed = {command["command"] for command in contributes["commands"]}
    assert contributed == registered


def test_every_language_model_tool_is_registered() -> None:
    tools = (CLIENT / "src" / "tools.ts").read_text(encoding="utf-8")
    contributes = manifest()["contributes"]
    assert isinstance(contributes, dict)
    for tool in contributes["languageModelTools"]:
        assert f"'{tool['name']}'" in tools


@pytest.mark.workbench
@pytest.mark.timeout(300)
@pytest.mark.parametrize("script", ["check", "lint", "test"])
def test_npm_script(script: str, npm: Callable[[str], None]) -> None:
    npm(script)


@pytest.mark.workbench
@pytest.mark.timeout(300)
def test_the_package_holds_what_it_needs_and_nothing_else(vsix: Path) -> None:
    names = set(zipfile.ZipFile(vsix).namelist())
    for wanted in ("package.json", "readme.md", "dist/extension.js", "media/icon.png", "media/activity.svg"):
        assert f"extension/{wanted}" in names
    assert not [name for name in names if re.search(r"node_modules|/src/|/test/|\.map$|package-lock", name)]
