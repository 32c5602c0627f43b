"""Reparsing after edits gives what parsing from the start gives."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lsp_server.model.errors import Cancelled
from lsp_server.model.source import no_checkpoint
from lsp_server.syntax.extract import extract
from lsp_server.syntax.languages import BY_ID, language_for
from lsp_server.syntax.parse import ByteEdit, encode, parse, reparse

FIXTURES = Path(__file__).parent / "fixtures"
TEXTS = {
    each: next(path for path in sorted((FIXTURES / each).iterdir()) if path.suffix != ".facts").read_text("utf-8")
    for each in ("python", "javascript", "typescript", "tsx", "go", "c", "cpp")
}
PIECES = [
    "",
    "x",
    "\n",
    "\r",
    "\r\n",
    "    ",
    "(",
    ")",
    "{",
    "}",
    '"',
    "'",
    "def f():\n    return é\n",
    "// c\n",
    "🙂",
    "#if A\n",
    "#endif\n",
    "A_B\n",
]

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


def test_a_parse_with_a_checkpoint_gives_the_same_facts_in_every_language() -> None:
    paths = [path for path in sorted(FIXTURES.glob("*/*")) if path.suffix != ".facts"]
    texts = [(path, path.read_text("utf-8")) for path in paths]
    for path, text in [*texts, (Path("long.py"), "def f(x):\n    return [x, 'é🙂']\n" * 5_000)]:
        language = language_for(path.name, text.partition("\n")[0])
        assert extract(language, text, None, no_checkpoint) == extract(language, text), path


def test_a_checkpoint_ends_a_parse_that_goes_on_and_on() -> None:
    """The text is large enough that a parse without an end would be seen: a call for about each 30 microseconds."""
    source = b"x = [1, 2, (3,)]\n" * 20_000
    calls = 0

    def stop_soon() -> None:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise Cancelled

    for begin in (parse(BY_ID["python"], b""), parse(BY_ID["python"], b"x = (\n")):
        calls = 0
        with pytest.raises(Cancelled):
            reparse(begin, source, [ByteEdit(0, len(begin.source), len(source))], stop_soon)
        assert calls == 3
    calls = 0
    with pytest.raises(Cancelled):
        parse(BY_ID["python"], source, stop_soon)
    assert calls == 3
