"""Lines: only \\n, \\r\\n and \\r end one; every table equals a freshly made one."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsp_server.text.line_table import LineTable, count_lines, join_lines, split_lines

ODD = st.text(alphabet="ab\n\r\f\v\u2028\u0085é😀 ", max_size=40)


def naive_lines(text: str) -> list[str]:
    """Lines with their ends, found one character at a time."""
    lines, current = [], ""
    for at, char in enumerate(text):
        current += char
        if char == "\n" or (char == "\r" and text[at + 1 : at + 2] != "\n"):
            lines.append(current)
            current = ""
    return lines + ([current] if current else [])


@pytest.mark.parametrize(
    ("text", "lines", "ends"),
    [
        ("", (), ()),
        ("a", ("a",), ("",)),
        ("a\n", ("a",), ("\n",)),
        ("\n", ("",), ("\n",)),
        ("a\r\nb\rc\n\n", ("a", "b", "c", ""), ("\r\n", "\r", "\n", "\n")),
        ("a\fb\u2028c\u0085d\ve", ("a\fb\u2028c\u0085d\ve",), ("",)),
        ("\r\r\n", ("", ""), ("\r", "\r\n")),
    ],
)
def test_only_three_line_ends_count(text: str, lines: tuple[str, ...], ends: tuple[str, ...]) -> None:
    assert split_lines(text) == (lines, ends)


@given(ODD)
def test_split_lines_equals_a_naive_scan_and_joins_back(text: str) -> None:
    lines, ends = split_lines(text)
    assert [line + end for line, end in zip(lines, ends, strict=True)] == naive_lines(text)
    assert join_lines(lines, ends) == text
    assert count_lines(text) == len(lines)


@given(ODD)
def test_locate_and_offset_are_inverse(text: str) -> None:
    table = LineTable.of(text)
    for offset in range(len(text) + 1):
        line, column = table.locate(offset)
        assert table.starts[line - 1] + column == offset
        if column <= len(table.line(line)):
            assert table.offset(line, column) == offset


@given(ODD)
def test_lines_and_their_ends_make_the_text(text: str) -> None:
    table = LineTable.of(text)
    whole = "".join(table.line(n) + table.line_end(n) for n in range(1, len(table) + 1))
    assert whole == text
    assert not any(re.search(r"[\r\n]", table.line(n)) for n in range(1, len(table) + 1))


@given(ODD, ODD, st.data())
def test_an_edited_table_equals_a_fresh_one(text: str, new: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    edited = LineTable.of(text).replace(start, end, new)
    assert edited == LineTable.of(text[:start] + new + text[end:])


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1), ODD), max_size=12))
def test_many_edits_in_a_row_lose_nothing(edits: list[tuple[float, float, str]]) -> None:
    table = LineTable.of("start\r\n")
    text = table.text
    for first, second, new in edits:
        start, end = sorted((int(first * len(text)), int(second * len(text))))
        text = text[:start] + new + text[end:]
        table = table.replace(start, end, new)
    assert table == LineTable.of(text)


@pytest.mark.parametrize(("start", "end"), [(-1, 0), (1, 0), (0, 4)])
def test_an_edit_outside_the_text_is_an_error(start: int, end: int) -> None:
    with pytest.raises(ValueError, match="outside"):
        LineTable.of("abc").replace(start, end, "")


def test_places_outside_are_clamped() -> None:
    table = LineTable.of("ab\ncd")
    assert table.offset(1, 99) == 2
    assert table.offset(99, 0) == 5
    assert table.offset(0, 3) == 0
    assert table.line(0) == table.line(3) == ""
    assert table.locate(99) == (2, 2)
