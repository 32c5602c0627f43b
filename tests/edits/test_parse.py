"""Blocks as models write them; what is no block says which and why."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsp_server.edits.errors import BlockError, MalformedBlock, MissingPath, NoBlocks
from lsp_server.edits.parse import parse_blocks

BODY = "<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n"


@pytest.mark.parametrize(
    "before",
    [
        "src/a.py\n", "src/a.py\n```python\n", "```python\nsrc/a.py\n", "````\nsrc/a.py\n", "~~~~python\nsrc/a.py\n",
        "`src/a.py`\n\n```diff\n", "**src/a.py**\n```\n", "### src/a.py\n\n```py\n", "File: src/a.py\n```\n",
        "# src/a.py\n", "// src/a.py\n", "<!-- src/a.py -->\n", "Update `src/a.py`:\n\n```python\n", "1. `src/a.py`\n",
        "```python path=src/a.py\n", "```python:src/a.py\n", "```src/a.py\n", '```python title="src/a.py"\n',
        "--- a/src/a.py\n+++ b/src/a.py\n", "```diff\n--- a/src/a.py\n+++ b/src/a.py\n",
        "I changed this.\n\nsrc/a.py:\n```\n",
        "- src/a.py\n```\n", "filename: src/a.py\n", "\ufeffsrc/a.py\n",
        "Look at b/other.py first.\n\nsrc/a.py\n\n```\n\n",
    ],
)  # fmt: skip
def test_the_path_is_found_where_models_put_it(before: str) -> None:
    (block,) = parse_blocks(before + BODY + "```\n")
    assert (block.path, block.search, block.replace) == ("src/a.py", "old\n", "new\n")


@pytest.mark.parametrize(
    "text",
    [
        BODY.replace("<<<<<<< SEARCH", "<<<<<<< SEARCH src/a.py"),
        "src/a.py\n" + BODY.replace("\n", "\r\n"),
        "src/a.py\n" + BODY.replace("<<<<<<<", "<<<<<").replace(">>>>>>>", ">>>>>").replace("=======", "====="),
        "src/a.py\n" + BODY.replace("SEARCH", "ORIGINAL").replace("REPLACE", "UPDATED"),
        "src/a.py\n------- SEARCH\nold\n=======\nnew\n+++++++ REPLACE\n",
        "src/a.py\n"
        + BODY.replace("<<<<<<< SEARCH", "<<<<<<<SEARCH  ").replace(">>>>>>> REPLACE", ">>>>>>> REPLACE \t"),
        "- src/a.py\n\n" + "".join(f"    {line}\n" for line in BODY.splitlines()),
        "src/a.py\n" + BODY.replace("<<<<<<<", "<<<<<<<<"),
        "src/a.py\n" + BODY[:-1],
    ],
)
def test_variants_of_the_markers_mean_the_same(text: str) -> None:
    (block,) = parse_blocks(text)
    assert (block.path, block.search, block.replace) == ("src/a.py", "old\n", "new\n")


def test_several_blocks_keep_their_order_and_share_a_path() -> None:
    text = "a.py\n```\n" + BODY + BODY.replace("old", "two") + "```\nand\n\nb.py\n" + BODY
    assert [(block.path, block.search) for block in parse_blocks(text)] == [
        ("a.py", "old\n"), ("a.py", "two\n"), ("b.py", "old\n"),
    ]  # fmt: skip


def test_empty_sides_and_blank_lines_are_kept() -> None:
    (block,) = parse_blocks("a.py\n<<<<<<< SEARCH\n=======\n\n  x\n\n>>>>>>> REPLACE\n")
    assert (block.search, block.replace) == ("", "\n  x\n\n")
    (block,) = parse_blocks("a.py\n<<<<<<< SEARCH\nx\n=======\n>>>>>>> REPLACE\n")
    assert (block.search, block.replace) == ("x\n", "")


def test_longer_markers_carry_text_that_holds_markers() -> None:
    inner = "x.py\n" + BODY
    text = f"docs/a.md\n<<<<<<<<< SEARCH\n{inner}=========\nnothing\n>>>>>>>>> REPLACE\n"
    (block,) = parse_blocks(text)
    assert (block.path, block.search, block.replace) == ("docs/a.md", inner, "nothing\n")


def test_fences_inside_a_block_are_content() -> None:
    text = "a.md\n`````\n<<<<<<< SEARCH\n```py\nx\n```\n=======\n````\ny\n````\n>>>>>>> REPLACE\n`````\n"
    (block,) = parse_blocks(text)
    assert (block.search, block.replace) == ("```py\nx\n```\n", "````\ny\n````\n")


def test_a_path_with_spaces_needs_quotes_or_a_label() -> None:
    assert parse_blocks("`My Docs/a file.md`\n" + BODY)[0].path == "My Docs/a file.md"
    assert parse_blocks("File: My Docs/a file.md\n" + BODY)[0].path == "My Docs/a file.md"


@pytest.mark.parametrize(
    ("text", "error", "block", "line", "words"),
    [
        ("just prose", NoBlocks, 0, 0, "no SEARCH/REPLACE"),
        ("", NoBlocks, 0, 0, "no SEARCH/REPLACE"),
        (BODY, MissingPath, 1, 1, "no file path"),
        ("Please change this function here.\n" + BODY, MissingPath, 1, 2, "no file path"),
        ("a.py\n<<<<<<< SEARCH\nx\n=======\ny\n", MalformedBlock, 1, 2, "no '>>>>>>> REPLACE'"),
        ("a.py\n<<<<<<< SEARCH\nx\n>>>>>>> REPLACE\n", MalformedBlock, 1, 2, "no '======='"),
        ("a.py\n" + BODY + "\n>>>>>>> REPLACE\n", MalformedBlock, 2, 8, "without a SEARCH"),
        ("a.py\n<<<<<<< SEARCH\nx\n=======\ny\n" + BODY, MalformedBlock, 1, 2, "before the next block"),
        ("a.py\n<<<<<<< SEARCH\nT\n=======\nx\n=======\ny\n>>>>>>> REPLACE", MalformedBlock, 1, 6, "longer markers"),
        ("a.py\n" + BODY + "b.py\n<<<<<<< SEARCH\nx\n", MalformedBlock, 2, 8, "no '>>>>>>> REPLACE'"),
    ],
)
def test_malformed_text_says_which_block_and_why(
    text: str, error: type[BlockError], block: int, line: int, words: str
) -> None:
    with pytest.raises(error, match=words) as caught:
        parse_blocks(text)
    assert caught.value.block == block
    if isinstance(caught.value, MalformedBlock):
        assert caught.value.line == line


CONTENT = st.lists(st.text(alphabet="ab =<>`#\f\u2028é", max_size=8), max_size=5).map(
    lambda lines: "".join(f"{line}\n" for line in lines if not line.strip().startswith(("=====", "<<<<<", ">>>>>")))
)


@given(st.lists(st.tuples(st.sampled_from(["a.py", "src/b c.py", "x/y.md"]), CONTENT, CONTENT), min_size=1, max_size=4),
       st.sampled_from(["\n", "\r\n"]), st.sampled_from(["", "```", "`````"]))  # fmt: skip
def test_what_is_written_as_blocks_is_read_back(edits: list[tuple[str, str, str]], line_end: str, fence: str) -> None:
    text = "".join(
        f"`{path}`\n{fence}\n<<<<<<< SEARCH\n{search}=======\n{replace}>>>>>>> REPLACE\n{fence}\n\n"
        for path, search, replace in edits
    ).replace("\n", line_end)
    assert [(block.path, block.search, block.replace) for block in parse_blocks(text)] == edits


@given(st.lists(st.sampled_from(["<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE", "a.py", "```", "x", "", "<<<<<<<< SEARCH"]), max_size=12))  # noqa: E501  # fmt: skip
def test_any_sequence_of_markers_is_blocks_or_a_typed_error(lines: list[str]) -> None:
    try:
        blocks = parse_blocks("\n".join(lines))
    except BlockError:
        return
    assert blocks
    assert all(block.path for block in blocks)
