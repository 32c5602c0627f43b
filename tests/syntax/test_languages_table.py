"""The languages page says what the registry and the queries say."""

from __future__ import annotations

from lsp_server.model.facts import SymbolKind
from lsp_server.syntax.languages import BY_ID, LANGUAGES
from lsp_server.syntax.languages_table import captures_of, language_table


def test_each_language_has_one_row_of_as_many_cells_as_the_head() -> None:
    rows = language_table().splitlines()
    assert len(rows) == len(LANGUAGES) + 2
    assert {row.count("|") for row in rows} == {rows[0].count("|")}
    assert [row.split("|")[1].strip() for row in rows[2:]] == [language.title for language in LANGUAGES]


def test_a_row_says_what_the_query_captures() -> None:
    row = next(row for row in language_table().splitlines() if row.startswith("| Java "))
    assert "`.java`" in row
    assert "constructor" in row
    assert row.count("| yes") == 4


def test_captures_in_comments_are_not_counted() -> None:
    assert all(not capture.startswith("_") for language in LANGUAGES for capture in captures_of(language))
    assert "scope" in captures_of(BY_ID["rust"])


def test_queries_use_no_capture_that_the_engine_does_not_know() -> None:
    known = {f"def.{kind.name.lower()}" for kind in SymbolKind}
    known |= {f"ref.{kind}" for kind in ("call", "read", "type", "inherit", "attribute", "decorator")}
    known |= {
        "name",
        "body",
        "tail",
        "result",
        "owner",
        "test",
        "local",
        "nonlocal",
        "scope",
        "skip",
        "bind",
        "bind.name",
        "bind.type",
    }
    known |= {"import", "package", "export"}
    for language in LANGUAGES:
        assert captures_of(language) <= known, language.id
