"""The loop end to end: real workspaces in Python and TypeScript, real test runners, scripted models."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from lsp_server.loop.arms import Arm
from lsp_server.loop.commands import run_joined, words_of
from lsp_server.loop.fix import FixOptions, fix
from lsp_server.loop.safety import Safety, restore_point, worktree
from lsp_server.loop.trace import Outcome, Trace, trace_to_dict
from lsp_server.loop.trace_page import trace_page
from lsp_server.model.errors import ModelCommandError
from lsp_server.session.session import Session

MODEL = Path(__file__).parent / "scripted_model.py"
SETTINGS = ("cache.enabled=false", "index.workers=1", "share=false")

PYTHON = {
    "shop/__init__.py": "",
    "shop/discount.py": (
        "def best_discount(percents):\n    best = 0\n    for percent in percents:\n"
        "        best = min(best, percent)\n    return best\n\n\n"
        "def worst_discount(percents):\n    worst = 100\n    for percent in percents:\n"
        "        worst = min(worst, percent)\n    return worst\n"
    ),
    "shop/price.py": (
        "from shop.discount import best_discount\n\n\ndef price_after(price, percents):\n"
        "    return price - price * best_discount(percents) // 100\n"
    ),
    "tests/__init__.py": "",
    "tests/test_price.py": (
        "import unittest\n\nfrom shop.price import price_after\n\n\nclass PriceTest(unittest.TestCase):\n"
        "    def test_the_best_discount_counts(self):\n"
        "        self.assertEqual(price_after(200, [10, 25]), 150)\n"
    ),
}

TYPESCRIPT = {
    "package.json": '{"type": "module"}\n',
    "src/discount.ts": (
        "export function bestDiscount(percents: number[]): number {\n  let best: number = 0;\n"
        "  for (const percent of percents) {\n    best = Math.min(best, percent);\n  }\n  return best;\n}\n"
    ),
    "src/price.ts": (
        "import { bestDiscount } from './discount.ts';\n\n"
        "export function priceAfter(price: number, percents: number[]): number {\n"
        "  return price - (price * bestDiscount(percents)) / 100;\n}\n"
    ),
    "test/price.test.ts": (
        "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n"
        "import { priceAfter } from '../src/price.ts';\n\n"
        "test('the best discount counts', () => {\n  assert.equal(priceAfter(200, [10, 25]), 150);\n});\n"
    ),
}

UNITTEST = (sys.executable, "-m", "unittest", "-q")

RIGHT = """\
The comparison is the wrong way round.

shop/discount.py
```python
<<<<<<< SEARCH
        best = min(best, percent)
=======
        best = max(best, percent)
>>>>>>> REPLACE
```
"""
WRONG = RIGHT.replace("max(best, percent)", "min(percent, best)")
AMBIGUOUS = (
    "shop/discount.py\n<<<<<<< SEARCH\n    for percent in percents:\n=======\n    for percent in []:\n>>>>>>> REPLACE\n"
)
MALFORMED = "shop/discount.py\n<<<<<<< SEARCH\n        best = min(best, percent)\n=======\n        best = 1\n"
PROSE = "I would look at the discount module."
COMMENT = (
    "shop/discount.py\n<<<<<<< SEARCH\ndef best_discount(percents):\n=======\n"
    "# {n}\ndef best_discount(percents):\n>>>>>>> REPLACE\n"
)


@pytest.fixture(autouse=True)
def bytecode_as_usual(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a user's machine, where what ran before an edit leaves bytecode behind."""
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)


def workspace(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return folder


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return workspace(tmp_path / "shop", PYTHON)


def model(folder: Path, *answers: str) -> tuple[str, ...]:
    """A model command that gives `answers` in turn."""
    names: list[str] = []
    for number, answer in enumerate(answers):
        if answer == "crash":
            names.append(answer)
            continue
        place = folder.parent / f"answer{number}.txt"
        place.write_text(answer)
        names.append(str(place))
    return (sys.executable, str(MODEL), str(folder.parent / "turns"), *names)


def prompt(folder: Path, turn: int) -> str:
    return (folder.parent / f"turns.prompt{turn}").read_text()


def run_fix(folder: Path, options: FixOptions) -> Trace:
    with Session.open([folder], SETTINGS) as session:
        session.wait_fresh()
        return fix(session, folder, options)


def options_for(folder: Path, *answers: str, test: Sequence[str] = UNITTEST) -> FixOptions:
    return FixOptions(tuple(test), model(folder, *answers), test_seconds=60, model_seconds=60)


def files_of(folder: Path) -> dict[str, str]:
    return {name: (folder / name).read_text() for name in PYTHON}


def test_a_model_that_is_right_at_once(shop: Path) -> None:
    trace = run_fix(shop, options_for(shop, RIGHT))
    assert trace.outcome is Outcome.GREEN
    assert len(trace.rounds) == 1
    assert trace.rounds[0].edited == ("shop/discount.py",)
    assert "best = max(best, percent)" in (shop / "shop/discount.py").read_text()
    assert "def best_discount(percents):" in prompt(shop, 0), "the cause is two calls away from the failing line"
    assert "self.assertEqual(price_after(200, [10, 25]), 150)" in prompt(shop, 0)
    assert {"shop/discount.py", "tests/test_price.py"} <= {item.id.split(":")[0] for item in trace.rounds[0].shown}
    assert (
        subprocess.run(["git", "apply", "-R", "-"], cwd=shop, input=trace.patch, text=True, check=False).returncode == 0
    )
    assert files_of(shop) == PYTHON, "the patch is the whole change"


def test_a_model_that_is_right_after_it_sees_what_its_edit_did(shop: Path) -> None:
    trace = run_fix(shop, options_for(shop, WRONG, RIGHT.replace("min(best, percent)", "min(percent, best)")))
    assert trace.outcome is Outcome.GREEN
    assert len(trace.rounds) == 2
    assert "the same failures are left" in prompt(shop, 1)
    assert "+        best = min(percent, best)" in prompt(shop, 1)


def test_an_ambiguous_edit_changes_nothing_and_the_model_learns_why(shop: Path) -> None:
    trace = run_fix(shop, options_for(shop, AMBIGUOUS, RIGHT))
    assert trace.outcome is Outcome.GREEN
    first = trace.rounds[0]
    assert "occurs 2 times" in first.refused
    assert (first.edited, first.test) == ((), None)
    assert "occurs 2 times" in prompt(shop, 1)


@pytest.mark.parametrize("answer", [MALFORMED, PROSE, ""])
def test_answers_without_a_whole_block_end_in_no_progress(shop: Path, answer: str) -> None:
    trace = run_fix(shop, options_for(shop, answer))
    assert trace.outcome is Outcome.NO_PROGRESS
    assert len(trace.rounds) == 2
    assert all(one.refused and not one.edited for one in trace.rounds)
    assert files_of(shop) == PYTHON


def test_a_model_that_goes_on_for_ever_is_stopped_and_all_is_put_back(shop: Path) -> None:
    endless = [COMMENT.format(n=n) for n in range(9)]
    trace = run_fix(shop, options_for(shop, *endless))
    assert trace.outcome is Outcome.NO_PROGRESS
    assert len(trace.rounds) == 2
    assert trace.restored == ("shop/discount.py",)
    assert files_of(shop) == PYTHON


def test_the_rounds_are_limited_even_when_every_round_changes_something(shop: Path) -> None:
    breaks = [
        RIGHT.replace("best = max(best, percent)", f"best = {n}").replace("min(best, percent)", before)
        for n, before in ((30, "min(best, percent)"), (40, "30"), (50, "40"))
    ]
    trace = run_fix(shop, replace(options_for(shop, *breaks), rounds=3))
    assert trace.outcome is Outcome.ROUNDS
    assert len(trace.rounds) == 3
    assert files_of(shop) == PYTHON


def test_nothing_is_written_when_the_failing_code_did_not_fit(shop: Path) -> None:
    trace = run_fix(shop, replace(options_for(shop, RIGHT), budget=10))
    assert trace.outcome is Outcome.BLOCKED
    assert trace.rounds[0].missing_critical
    assert not (shop.parent / "turns").exists(), "the model was not even asked"
    assert files_of(shop) == PYTHON


def test_a_model_command_that_fails_ends_the_fix(shop: Path) -> None:
    trace = run_fix(shop, options_for(shop, "crash"))
    assert trace.outcome is Outcome.MODEL_FAILED
    assert "no credit left" in trace.rounds[0].refused
    with pytest.raises(ModelCommandError, match="cannot run"):
        run_fix(shop, replace(options_for(shop, RIGHT), model=("no-such-model-command",)))


def test_what_is_green_already_is_left_alone(shop: Path) -> None:
    trace = run_fix(shop, options_for(shop, RIGHT, test=(sys.executable, "-c", "pass")))
    assert trace.outcome is Outcome.ALREADY_GREEN
    assert not trace.rounds


def test_secrets_of_the_output_are_masked_in_the_trace(shop: Path) -> None:
    secret = "ghp_" + "a1B2" * 9
    failing = (sys.executable, "-c", "print('token ' + 'ghp_' + 'a1B2' * 9); raise SystemExit(1)")
    trace = run_fix(shop, options_for(shop, PROSE, test=failing))
    assert "token" in trace.first.output
    assert secret not in json.dumps(trace_to_dict(trace))


def test_a_denied_file_is_never_edited(shop: Path) -> None:
    (shop / ".env").write_text("KEY=1\n")
    trace = run_fix(shop, options_for(shop, ".env\n<<<<<<< SEARCH\nKEY=1\n=======\nKEY=2\n>>>>>>> REPLACE\n"))
    assert "denies" in trace.rounds[0].refused
    assert (shop / ".env").read_text() == "KEY=1\n"


OWN_NODE = Path(__file__).parents[2] / "client-vscode" / "node_modules" / ".bin" / "node"
"""The Node that the extension's build brings along."""


def node() -> str | None:
    """A Node that runs TypeScript by itself."""
    for found in (shutil.which("node"), shutil.which(str(OWN_NODE))):
        if found is None:
            continue
        asked = [found, "-p", "process.versions.node"]
        version = subprocess.run(asked, capture_output=True, text=True, check=False).stdout
        major, minor = (int(part) for part in version.strip().split(".")[:2])
        if (major, minor) >= (22, 6):
            return found
    return None


@pytest.mark.skipif(node() is None, reason="needs Node 22.6 or newer")
def test_a_typescript_workspace_with_nodes_own_test_runner(tmp_path: Path) -> None:
    folder = workspace(tmp_path / "shop", TYPESCRIPT)
    answer = (
        "src/discount.ts\n<<<<<<< SEARCH\n    best = Math.min(best, percent);\n=======\n"
        "    best = Math.max(best, percent);\n>>>>>>> REPLACE\n"
    )
    command = (node() or "", "--experimental-strip-types", "--test", "test/price.test.ts")
    trace = run_fix(folder, options_for(folder, PROSE, answer, test=command))
    assert trace.outcome is Outcome.GREEN
    assert len(trace.rounds) == 2
    assert "export function bestDiscount" in prompt(folder, 0)
    assert "export function priceAfter" in prompt(folder, 0)


@pytest.mark.parametrize("arm", [Arm.SEARCH, Arm.SEARCH_AND_REFERENCES])
def test_arms_differ_in_the_sources_they_use(shop: Path, arm: Arm) -> None:
    trace = run_fix(shop, replace(options_for(shop, RIGHT), arm=arm))
    sources = set(trace.rounds[0].sources)
    assert ("definition" in sources) is (arm is Arm.SEARCH_AND_REFERENCES)
    assert trace.arm == str(arm)


def git(folder: Path, *arguments: str) -> str:
    settings = ["-c", "user.email=a@example.org", "-c", "user.name=A"]
    return subprocess.run(
        ["git", *settings, *arguments], cwd=folder, check=True, capture_output=True, text=True
    ).stdout.strip()


@pytest.fixture
def repository(shop: Path) -> Path:
    git(shop, "init", "-q")
    git(shop, "add", "-A")
    git(shop, "commit", "-qm", "begin")
    return shop


def test_a_worktree_holds_uncommitted_work_and_leaves_the_workspace_as_it_was(repository: Path) -> None:
    (repository / "shop/price.py").write_text(PYTHON["shop/price.py"] + "# unsaved idea\n")
    (repository / "shop/new.py").write_text("X = 1\n")
    before = git(repository, "status", "--porcelain")
    with worktree(repository) as apart:
        assert (apart / "shop/price.py").read_text().endswith("# unsaved idea\n")
        assert (apart / "shop/new.py").exists()
        trace = run_fix(apart, options_for(repository, RIGHT))
        assert trace.solved
    assert not apart.exists()
    assert git(repository, "status", "--porcelain") == before
    assert git(repository, "worktree", "list").count("\n") == 0
    assert (repository / "shop/discount.py").read_text() == PYTHON["shop/discount.py"]


def test_a_worktree_needs_a_repository(shop: Path) -> None:
    with pytest.raises(ModelCommandError, match="--in place"), worktree(shop):
        pass


def test_the_restore_point_keeps_uncommitted_work_without_touching_it(repository: Path) -> None:
    text = PYTHON["shop/price.py"] + "# idea\n"
    (repository / "shop/price.py").write_text(text)
    assert "stash entry" in restore_point(repository)
    assert (repository / "shop/price.py").read_text() == text
    assert "# idea" in git(repository, "stash", "show", "-p")


def test_a_fix_that_ended_green_is_committed_with_its_own_files_alone(repository: Path) -> None:
    git(repository, "config", "user.email", "a@example.org")
    git(repository, "config", "user.name", "A")
    (repository / "shop/idea.py").write_text("X = 1\n")
    git(repository, "add", "shop/idea.py")
    begin = git(repository, "rev-parse", "HEAD")
    command = [sys.executable, "-m", "lsp_server", "fix", "--root", str(repository), "--json", "--commit", "--quiet"]
    command += ["--test", " ".join(UNITTEST), "--in", str(Safety.PLACE)]
    command += [part for one in SETTINGS for part in ("--set", one)]
    failed = [*command, "--model", " ".join(model(repository, AMBIGUOUS)), "--rounds", "1"]
    done = subprocess.run(failed, capture_output=True, text=True, timeout=110, check=False)
    assert done.returncode == 1, done.stderr
    assert json.loads(done.stdout)["commit"] is None
    assert git(repository, "rev-parse", "HEAD") == begin, "only what succeeds is committed"
    solved = [*command, "--model", " ".join(model(repository, RIGHT))]
    done = subprocess.run(solved, capture_output=True, text=True, timeout=110, check=False)
    assert done.returncode == 0, done.stderr
    plain = json.loads(done.stdout)
    assert plain["commit"] == git(repository, "rev-parse", "HEAD")
    edited = {path for one in plain["rounds"] for path in one["edited"]}
    assert set(git(repository, "show", "--name-only", "--format=", "HEAD").split()) == edited
    assert git(repository, "diff", "--cached", "--name-only") == "shop/idea.py", "what was staged stays staged"


def test_a_commit_that_git_refuses_leaves_the_fix(repository: Path) -> None:
    from lsp_server.loop.safety import commit

    (repository / "shop/price.py").write_text("X = 1\n")
    assert commit(repository, ["no/such/file.py"], "x") is None
    (repository / ".git/hooks").mkdir(exist_ok=True)
    hook = repository / ".git/hooks/pre-commit"
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    assert commit(repository, ["shop/price.py"], "x") is None
    assert (repository / "shop/price.py").read_text() == "X = 1\n"


def test_the_command_line_writes_a_trace_people_can_read(repository: Path) -> None:
    page = repository.parent / "trace.html"
    command = [sys.executable, "-m", "lsp_server", "fix", "--root", str(repository), "--json", "--trace", str(page)]
    command += ["--test", " ".join(UNITTEST), "--model", " ".join(model(repository, AMBIGUOUS, RIGHT)), "--quiet"]
    command += [part for one in SETTINGS for part in ("--set", one)] + ["--in", str(Safety.WORKTREE)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=110, check=False)
    assert done.returncode == 0, done.stderr
    plain = json.loads(done.stdout)
    assert plain["solved"]
    assert [one["refused"] != "" for one in plain["rounds"]] == [True, False]
    assert plain["rounds"][1]["leftOut"] is not None
    text = page.read_text()
    assert "<h2>Round 2</h2>" in text
    assert "occurs 2 times" in text
    assert "<script" not in text


def test_the_page_quotes_everything_that_came_from_outside(shop: Path) -> None:
    trace = run_fix(shop, options_for(shop, "<script>alert(1)</script>\n" + AMBIGUOUS))
    assert "<script" not in trace_page(trace)
    assert trace_to_dict(trace)["outcome"] == "no-progress"


def test_commands_are_split_like_a_shell_would_and_time_is_limited(tmp_path: Path) -> None:
    assert words_of("pytest -k 'a b'") == ("pytest", "-k", "a b")
    for wrong in ("", "echo 'open"):
        with pytest.raises(ModelCommandError):
            words_of(wrong)
    script = (
        "import subprocess, sys, time; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']); "
        "print('on', flush=True); time.sleep(60)"
    )
    done = run_joined((sys.executable, "-c", script), tmp_path, 3.0)
    assert done.timed_out
    assert done.output == b"on\n"
