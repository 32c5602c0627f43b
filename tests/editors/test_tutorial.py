"""The tutorial's commands, run as they stand: from the failing test to the pack in JSON, to the applied fix."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
PAGE = ROOT / "docs" / "tutorial.md"


def section(title: str) -> str:
    """The shell block under a heading that contains `title`."""
    text = PAGE.read_text(encoding="utf-8")
    found = re.search(rf"^## .*{title}.*?^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert found is not None, f"no commands under {title!r}"
    return found[1]


def test_the_commands_of_the_tutorial_do_what_it_says(tmp_path: Path) -> None:
    shop = tmp_path / "shop"
    shutil.copytree(ROOT / "examples" / "shop", shop, ignore=shutil.ignore_patterns("__pycache__"))
    env = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}

    def run(commands: str) -> subprocess.CompletedProcess[str]:
        script = commands.replace("/tmp/", f"{tmp_path}/")
        return subprocess.run(["bash", "-c", script], cwd=shop, env=env, capture_output=True, text=True, timeout=120)

    author = "git -c user.name=t -c user.email=t@example.com"
    assert run(f"git init -q && git add -A && {author} commit -qm shop").returncode == 0

    asked = run(section("Ask why"))
    pack = json.loads((tmp_path / "pack.json").read_text(encoding="utf-8"))
    assert any(item.get("trail") and item.get("parts") for item in pack["items"]), asked.stderr
    assert any("code_discount" in item["content"] for item in pack["items"])

    fixed = run("set -e\n" + section("Hand it to a model"))
    assert fixed.returncode == 0, fixed.stdout + fixed.stderr
    assert "\nOK" in fixed.stderr
    assert run("git diff --quiet").returncode == 0
