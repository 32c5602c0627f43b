"""Incremental extraction gives what a whole one gives."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from lsp_server.model.values import replace
from lsp_server.session.documents import Document
from lsp_server.session.extraction import (
    BufferExtractor,
    Refused,
    facts_of_bytes,
    facts_of_text,
    single_edit,
    too_deep,
)
from lsp_server.text.line_table import LineTable

PIECE = st.text(st.sampled_from("ab(é😀\n):"), max_size=12)


@given(PIECE, PIECE, PIECE, PIECE)
def test_the_edit_found_turns_old_into_new(before: str, old: str, new: str, after: str) -> None:
    first, second = (before + old + after).encode(), (before + new + after).encode()
    edit = single_edit(first, second)
    if edit is None:
        assert first == second
        return
    made = first[: edit.start] + second[edit.start : edit.new_end] + first[edit.old_end :]
    assert made == second
    assert edit.start <= edit.old_end
    assert edit.start <= edit.new_end
    for part in (first[: edit.start], first[edit.old_end :], second[edit.start : edit.new_end]):
        part.decode()


LINES = st.sampled_from(
    [
        "def f(a):\n",
        "    return g(a)\n",
        "class C:\n",
        "    x = 1\n",
        "import os\n",
        "\n",
        ")(\n",
        '"""\n',
        "é = f(2)\n",
    ]
)
NEW_TEXT = st.sampled_from(["", "x", "(", "\n", "def g(): pass\n", '"""'])
EDITS = st.lists(st.tuples(st.integers(0, 200), st.integers(0, 12), NEW_TEXT), max_size=8)


@settings(deadline=None, max_examples=60)
@given(st.lists(LINES, max_size=12), EDITS)
def test_reparsed_facts_equal_whole_ones(lines: list[str], edits: list[tuple[int, int, str]]) -> None:
    text = "".join(lines)
    extractor = BufferExtractor()
    document = Document("u", "a.py", "python", 1, LineTable.of(text))
    assert extractor.facts(document, 1_000_000) == facts_of_text("a.py", text)
    for at, size, new in edits:
        at = min(at, len(text))
        text = text[:at] + new + text[at + size :]
        document = replace(document, table=LineTable.of(text))
        assert extractor.facts(document, 1_000_000) == facts_of_text("a.py", text)


def test_depth_is_counted_without_closing_what_was_not_opened() -> None:
    assert not too_deep("()" * 10_000)
    assert not too_deep(")" * 10_000)
    assert too_deep("[" * 3_000)


def test_deep_nesting_is_searched_by_lines() -> None:
    facts = facts_of_text("a.py", "needle = " + "(" * 200_000)
    assert facts.language == ""
    assert len(facts.symbols) == 0


def test_binary_and_minified_files_are_refused() -> None:
    assert facts_of_bytes("a.py", b"\x7fELF\x02\x01" + bytes(range(256))) == Refused("binary")
    assert facts_of_bytes("a.js", b"var a=1;" * 20_000) == Refused("minified")


def test_broken_code_gives_what_parses() -> None:
    facts = facts_of_bytes("a.py", b"def good():\n    pass\n\ndef broken(:\n")
    assert not isinstance(facts, Refused)
    assert "good" in [symbol.name for symbol in facts.iter_symbols()]


def test_the_editors_word_counts_when_the_name_says_nothing() -> None:
    assert facts_of_text("untitled:Untitled-1", "def f(): pass\n", "python").language == "python"
