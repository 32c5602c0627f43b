"""The pages on robustness and licences are true: the tests they name exist, and no dependency is left out."""

from __future__ import annotations

import re
from importlib.metadata import requires
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "robustness.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)))
ROWS = [line for line in PAGE.partition("\n## ")[0].splitlines() if line.startswith("| ") and "---" not in line][1:]


@pytest.mark.parametrize(("file", "name"), NAMED)
def test_a_named_test_exists(file: str, name: str) -> None:
    text = (ROOT / file).read_text(encoding="utf-8")
    assert re.search(rf"^(async )?def {name}\(|^{name} = ", text, re.MULTILINE)


def test_every_row_names_a_test() -> None:
    assert len(ROWS) >= 21
    for row in ROWS:
        assert "::" in row, row


def test_every_dependency_has_its_licence_listed() -> None:
    page = (ROOT / "docs" / "licences.md").read_text(encoding="utf-8")
    assert "not stated" not in page
    for line in requires("repo-context-lsp") or ():
        if "extra ==" not in line:
            name = re.match(r"[\w.-]+", line)
            assert name is not None
            assert f"| {name[0].lower().replace('_', '-')} |" in page
