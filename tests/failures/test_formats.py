"""The page of formats says what is registered."""

from __future__ import annotations

from pathlib import Path

from lsp_server.failures.formats import format_table
from lsp_server.failures.grammars import GRAMMARS
from lsp_server.failures.structured import STRUCTURES

PAGE = Path(__file__).parents[2] / "docs" / "failure-formats.md"


def test_the_page_is_up_to_date(update: bool) -> None:
    if update:
        PAGE.write_text(format_table(), encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == format_table()


def test_ids_are_unique_and_every_format_is_listed() -> None:
    ids = [grammar.id for grammar in GRAMMARS] + [structure.id for structure in STRUCTURES]
    assert len(ids) == len(set(ids))
    page = format_table()
    assert all(f"`{one}`" in page for one in ids)


def test_every_grammar_has_triggers_tools_and_an_example() -> None:
    for grammar in GRAMMARS:
        assert grammar.triggers
        assert grammar.tools
        assert grammar.example
