"""Which language a file is, and that the registry is whole."""

from __future__ import annotations

import pytest

from lsp_server.syntax.captures import LEXICAL
from lsp_server.syntax.languages import LANGUAGES, Content, language_for, language_for_lsp_id
from lsp_server.syntax.parse import grammar, query


@pytest.mark.parametrize(
    ("path", "first_line", "expected"),
    [
        ("a/b.py", "", "python"),
        ("a/B.PY", "", "python"),
        ("a.test.tsx", "", "tsx"),
        ("lib.d.ts", "", "typescript"),
        ("x.h", "", "cpp"),
        ("Rakefile", "", "ruby"),
        ("run", "#!/usr/bin/env python3.12", "python"),
        ("run", "#!/usr/bin/env -S uv run python", None),
        ("run", "#!/usr/bin/env -S node --flag", "javascript"),
        ("run", "#! /bin/bash -e", "bash"),
        ("run", "", None),
        (".bashrc", "", "bash"),
        ("notes.txt", "#!/bin/sh", None),
        ("README.md", "", "markdown"),
        ("app.vue", "", "vue"),
        ("data.unknown", "", None),
    ],
)
def test_a_file_is_known_by_its_name_or_its_first_line(path: str, first_line: str, expected: str | None) -> None:
    found = language_for(path, first_line)
    assert (found.id if found else None) == expected


def test_an_editor_s_language_is_known() -> None:
    found = language_for_lsp_id("typescriptreact")
    assert found is not None
    assert found.id == "tsx"
    assert language_for_lsp_id("no such language") is None


@pytest.mark.parametrize("kind", ["id", "extensions", "filenames", "shebangs", "lsp_ids"])
def test_no_two_languages_claim_the_same(kind: str) -> None:
    claimed: list[str] = []
    for language in LANGUAGES:
        value = getattr(language, kind)
        claimed += [value] if isinstance(value, str) else value
    assert len(claimed) == len(set(claimed))


@pytest.mark.parametrize("id", [each.id for each in LANGUAGES if each.content is Content.CODE])
def test_grammar_and_query_of_every_language_load(id: str) -> None:
    language = next(each for each in LANGUAGES if each.id == id)
    assert grammar(language).abi_version >= 14
    known = {
        "name",
        "body",
        "owner",
        "test",
        "local",
        "nonlocal",
        "result",
        "scope",
        "skip",
        "import",
        "export",
        "package",
        "bind",
        "tail",
        *LEXICAL,
    }
    found = query(language)
    for index in range(found.capture_count):
        capture = found.capture_name(index)
        assert capture in known or capture.startswith(("def.", "ref.", "bind.", "_")), capture
