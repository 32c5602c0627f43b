"""Reparsing after edits gives what parsing from the start gives."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from lsp_server.syntax.extract import extract
from lsp_server.syntax.languages import BY_ID
from lsp_server.syntax.parse import ByteEdit, encode, parse, reparse

FIXTURES = Path(__file__).parent / "fixtures"
TEXTS = {
    each: next(path for path in sorted((FIXTURES / each).iterdir()) if path.suffix != ".facts").read_text("utf-8")
    for each in ("python", "javascript", "typescript", "tsx", "go")
}
PIECES = ["", "x", "\n", "\r", "\r\n", "    ", "(", ")", "{", "}", '"', "'", "def f():\n    return é\n", "// c\n", "🙂"]

Change = tuple[float, float, str]


def changed(text: str, change: Change) -> tuple[str, ByteEdit]:
    start, end = sorted((int(len(text) * change[0]), int(len(text) * change[1])))
    end = min(end, start + 80)
    first = len(encode(text[:start]))
    old_end = first + len(encode(text[start:end]))
    return text[:start] + change[2] + text[end:], ByteEdit(first, old_end, first + len(encode(change[2])))


changes = st.tuples(st.floats(0, 1), st.floats(0, 1), st.sampled_from(PIECES))


@settings(max_examples=80, deadline=None)
@given(id=st.sampled_from(sorted(TEXTS)), steps=st.lists(changes, min_size=1, max_size=5))
def test_one_edit_after_another_equals_a_full_parse(id: str, steps: list[Change]) -> None:
    language = BY_ID[id]
    text = TEXTS[id]
    parsed = parse(language, encode(text))
    for step in steps:
        text, edit = changed(text, step)
        parsed = reparse(parsed, encode(text), [edit])
        assert str(parsed.tree.root_node) == str(parse(language, encode(text)).tree.root_node)
        assert extract(language, text, parsed) == extract(language, text)


@settings(max_examples=40, deadline=None)
@given(id=st.sampled_from(sorted(TEXTS)), steps=st.lists(changes, min_size=2, max_size=5))
def test_several_edits_at_once_equal_a_full_parse(id: str, steps: list[Change]) -> None:
    language = BY_ID[id]
    text = TEXTS[id]
    parsed = parse(language, encode(text))
    edits: list[ByteEdit] = []
    for step in steps:
        text, edit = changed(text, step)
        edits.append(edit)
    assert extract(language, text, reparse(parsed, encode(text), edits)) == extract(language, text)


def test_reparsing_leaves_the_older_tree_alone() -> None:
    language = BY_ID["python"]
    before = parse(language, b"x = 1\n")
    shown = str(before.tree.root_node)
    after = reparse(before, b"def x(): pass\n", [ByteEdit(0, 5, 13)])
    assert str(before.tree.root_node) == shown
    assert extract(language, "def x(): pass\n", after).symbols.name[0] == 1


def test_no_edit_gives_the_same_tree() -> None:
    parsed = parse(BY_ID["go"], b"package m\n")
    assert str(reparse(parsed, b"package m\n", []).tree.root_node) == str(parsed.tree.root_node)
