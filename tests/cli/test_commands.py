"""The command twins of the toolbox, run as a user runs them: arguments in, text or JSON out, exit codes."""

from __future__ import annotations

import io
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from lsp_server.cli.main import DONE, NOTHING, USAGE, run

SHOP = Path(__file__).parents[2] / "examples" / "shop"
QUIET = ["--quiet", "--set", "cache.enabled=false", "--set", "index.workers=1"]

FAILURE = """\
FAIL: test_best_code_counts (tests.test_checkout.CheckoutTest.test_best_code_counts)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "tests/test_checkout.py", line 20, in test_best_code_counts
    self.assertEqual(checkout(self.order("SPRING10", "FRIEND20")), 4284)
AssertionError: 5236 != 4284
"""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    shutil.copytree(SHOP, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / ".env").write_text("TOKEN=very-secret-value-4711\n")
    return folder


def called(shop: Path, command: str, *arguments: str, code: int = DONE) -> None:
    assert run([command, *arguments, "--root", str(shop), *QUIET]) == code


def as_json(capsys: pytest.CaptureFixture[str], shop: Path, command: str, *arguments: str, code: int = DONE) -> Any:
    called(shop, command, *arguments, "--json", code=code)
    return json.loads(capsys.readouterr().out)


def given(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(text.encode()))
    monkeypatch.setattr("sys.stdin", stdin)


def test_map_prints_signatures_within_its_budget(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    called(shop, "map", "--budget", "300", "--folder", "shop")
    text = capsys.readouterr().out
    assert "shop/discounts.py\n" in text
    assert "  def code_discount(order: Order) -> int\n" in text
    assert "best = " not in text
    plain = as_json(capsys, shop, "map", "--budget", "300", "--folder", "shop")
    assert plain["rendered"] == text
    assert plain["used"] <= plain["budget"] == 300
    assert as_json(capsys, shop, "map", "--budget", "0", code=NOTHING)["files"] == []


@pytest.mark.parametrize(("format", "begins"), [("dot", "digraph"), ("graphml", "<?xml"), ("html", "<!doctype html>")])
def test_map_writes_the_graph(shop: Path, tmp_path: Path, format: str, begins: str) -> None:
    out = tmp_path / "graph"
    called(shop, "map", "--graph", format, "--output", str(out))
    assert out.read_text().startswith(begins)
    assert "shop/discounts.py" in out.read_text()


def test_search_finds_by_words(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain = as_json(capsys, shop, "search", "best", "code", "discount", "--limit", "3")
    assert plain["hits"][0]["symbol"] == "code_discount"
    called(shop, "search", "best code discount")
    assert capsys.readouterr().out.startswith("shop/discounts.py:")
    called(shop, "search", "zzzznothing", code=NOTHING)


def test_grep_finds_exact_text_and_never_secrets(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    called(shop, "grep", "-E", r"def \w+_discount", "--include", "shop/**")
    assert [line.split(":")[0] for line in capsys.readouterr().out.splitlines()] == ["shop/discounts.py"] * 2
    called(shop, "grep", "very-secret", code=NOTHING)
    assert run(["grep", "-E", "(", "--root", str(shop), *QUIET]) == USAGE
    assert "regular expression" in capsys.readouterr().err


def test_related_names_callers_with_their_reason(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain = as_json(capsys, shop, "related", "code_discount")
    relations = {(item["relation"], item["symbol"]) for item in plain["items"]}
    assert ("definition", "code_discount") in relations
    assert ("caller", "net_total") in relations
    at = as_json(capsys, shop, "related", "shop/discounts.py:18")
    assert at["items"][0]["symbol"] == "code_discount"
    called(shop, "related", "no_such_symbol", code=NOTHING)


def test_expand_shows_the_whole_unit(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain = as_json(capsys, shop, "expand", "shop/discounts.py:20")
    assert plain["symbol"] == "code_discount"
    assert plain["content"].startswith("def code_discount")
    assert as_json(capsys, shop, "expand", "shop/discounts.py:20", "--extent", "range")["lines"]["end"] == 20
    for wrong in ("shop/none.py:1", "shop/discounts.py:9999", ".env:1", "../x:1", "shop/discounts.py"):
        assert run(["expand", wrong, "--root", str(shop), *QUIET]) == USAGE
        assert capsys.readouterr().err


def test_verify_tells_what_changed_since(shop: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    failure, pack = tmp_path / "failure.txt", tmp_path / "pack.json"
    failure.write_text(FAILURE)
    pack.write_text(json.dumps(as_json(capsys, shop, "build", "--failure", str(failure))))
    assert as_json(capsys, shop, "verify", str(pack))["valid"]
    code = (shop / "shop/discounts.py").read_text()
    (shop / "shop/discounts.py").write_text("# moved\n" + code.replace("min(best", "max(best"))
    plain = as_json(capsys, shop, "verify", str(pack), code=NOTHING)
    states = {item["state"] for item in plain["items"] if item["path"] == "shop/discounts.py"}
    assert "changed" in states
    pack.write_text("[]")
    assert run(["verify", str(pack), "--root", str(shop), *QUIET]) == USAGE


def test_explain_says_why_or_why_not(shop: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    failure = tmp_path / "failure.txt"
    failure.write_text(FAILURE)

    def verdict(place: str, *more: str) -> tuple[str, str]:
        plain = as_json(capsys, shop, "explain", place, "--failure", str(failure), *more)
        return plain["verdict"], plain["stage"]

    assert verdict("tests/test_checkout.py:20") == ("included", "included")
    assert verdict("code_discount", "--budget", "250") == ("budget", "over-budget")
    assert verdict(".env:1") == ("denied", "denied")
    assert verdict("no_such_name") == ("unknown-symbol", "unknown")
    assert verdict("shop/none.py:3") == ("not-indexed", "unknown")
    called(shop, "explain", "tests/test_checkout.py:20", "--failure", str(failure))
    assert capsys.readouterr().out.startswith("included: ")


BLOCK = """\
shop/discounts.py
<<<<<<< SEARCH
        best = min(best, PERCENT_CODES.get(code.upper(), 0))
=======
        best = max(best, PERCENT_CODES.get(code.upper(), 0))
>>>>>>> REPLACE
"""


def test_apply_shows_then_writes(
    shop: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = (shop / "shop/discounts.py").read_text()
    given(monkeypatch, BLOCK)
    called(shop, "apply", "--dry-run")
    assert "+        best = max(best" in capsys.readouterr().out
    assert (shop / "shop/discounts.py").read_text() == before
    given(monkeypatch, BLOCK)
    assert as_json(capsys, shop, "apply", "-")["applied"]
    assert (shop / "shop/discounts.py").read_text() == before.replace("min(best", "max(best")


@pytest.mark.parametrize(
    ("blocks", "code"),
    [
        (BLOCK + BLOCK, "no-match"),
        ("shop/tax.py\n<<<<<<< SEARCH\nnet\n=======\nx\n>>>>>>> REPLACE\n", "ambiguous"),
        ("../out.py\n<<<<<<< SEARCH\n=======\nx\n>>>>>>> REPLACE\n", "outside-workspace"),
        (".env\n<<<<<<< SEARCH\nTOKEN\n=======\nx\n>>>>>>> REPLACE\n", "denied"),
        ("nothing here", "no-blocks"),
        ("", "no-blocks"),
    ],
)
def test_apply_refuses_as_a_whole(
    shop: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, blocks: str, code: str
) -> None:
    before = {path: path.read_bytes() for path in shop.rglob("*") if path.is_file()}
    given(monkeypatch, blocks)
    plain = as_json(capsys, shop, "apply", code=USAGE)
    assert plain["error"]["code"] == code
    assert {path: path.read_bytes() for path in shop.rglob("*") if path.is_file()} == before


def test_build_pins_goal_and_state(shop: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = tmp_path / "state.md"
    state.write_text("Looked at tax.py; it is right.\n")
    called(shop, "build", "--task", "discount", "--goal", "Fix the discount", "--state", str(state), "--budget", "900")
    text = capsys.readouterr().out
    assert text.index("Fix the discount") < text.index("Looked at tax.py") < text.index("# Context")
