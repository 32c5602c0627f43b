"""Pages derived from the code are up to date (`scripts/generate-docs` writes them); links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lsp_server.failures.formats import format_table
from lsp_server.session.settings_pages import docs_page
from lsp_server.syntax.languages_table import language_table

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize(
    ("name", "text"),
    [("settings.md", docs_page()), ("languages.md", language_table()), ("failure-formats.md", format_table())],
)
def test_a_generated_page_says_what_the_code_says(name: str, text: str) -> None:
    assert (ROOT / "docs" / name).read_text(encoding="utf-8").endswith(text)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_relative_link_leads_to_a_file(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.S)
    targets = re.findall(r"\]\((?!https?:|#|mailto:)([^)#\s]+)", text)
    missing = [target for target in targets if not (page.parent / target).exists()]
    assert missing == []
