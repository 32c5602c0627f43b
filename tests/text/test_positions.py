"""Positions: right in utf-8, utf-16 and utf-32, checked against counting encoded units one by one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsp_server.model.lines import LineRange
from lsp_server.text.line_table import LineTable
from lsp_server.text.positions import (
    PositionEncoding,
    WirePosition,
    WireRange,
    apply_change,
    character_of,
    column_of,
    line_range_of,
    offset_of,
    position_of,
    wire_range_of,
)

ENCODINGS = st.sampled_from(PositionEncoding)
LINE = st.text(alphabet="aé漢😀\u0301\f\u2028\t", max_size=20)
TEXT = st.text(alphabet="aé漢😀\u0301\f\u2028\n\r", max_size=40)


def units(text: str, encoding: PositionEncoding) -> int:
    """Code units of `text`, by really encoding it."""
    return {
        PositionEncoding.UTF8: lambda: len(text.encode("utf-8")),
        PositionEncoding.UTF16: lambda: len(text.encode("utf-16-le")) // 2,
        PositionEncoding.UTF32: lambda: len(text.encode("utf-32-le")) // 4,
    }[encoding]()


def naive_position(text: str, offset: int, encoding: PositionEncoding) -> WirePosition:
    """Walks the text character by character."""
    line, start = 0, 0
    at = 0
    while at < offset:
        if text[at] == "\n" or (text[at] == "\r" and text[at + 1 : at + 2] != "\n"):
            line, start = line + 1, at + 1
        at += 1
    return WirePosition(line, units(text[start:offset], encoding))


@given(LINE, ENCODINGS)
def test_a_column_survives_the_way_out_and_back(line: str, encoding: PositionEncoding) -> None:
    for column in range(len(line) + 1):
        character = character_of(line, column, encoding)
        assert character == units(line[:column], encoding)
        assert column_of(line, character, encoding) == column


@given(LINE, st.integers(-3, 120), ENCODINGS)
def test_any_character_offset_gives_a_column_at_or_before_it(
    line: str, character: int, encoding: PositionEncoding
) -> None:
    column = column_of(line, character, encoding)
    assert 0 <= column <= len(line)
    assert units(line[:column], encoding) <= max(0, character)
    if column < len(line):
        assert units(line[: column + 1], encoding) > character


@given(TEXT, ENCODINGS)
def test_positions_equal_a_naive_walk(text: str, encoding: PositionEncoding) -> None:
    table = LineTable.of(text)
    for offset in range(len(text) + 1):
        if text[offset - 1 : offset + 1] == "\r\n":
            continue  # between the two there is no position
        position = position_of(table, offset, encoding)
        assert position == naive_position(text, offset, encoding)
        assert offset_of(table, position, encoding) == offset


@given(TEXT, TEXT, ENCODINGS, st.data())
def test_a_change_in_wire_positions_edits_the_same_place(
    text: str, new: str, encoding: PositionEncoding, data: st.DataObject
) -> None:
    places = [n for n in range(len(text) + 1) if text[n - 1 : n + 1] != "\r\n"]
    start, end = sorted((data.draw(st.sampled_from(places)), data.draw(st.sampled_from(places))))
    change = WireRange(naive_position(text, start, encoding), naive_position(text, end, encoding))
    after = apply_change(LineTable.of(text), change, new, encoding)
    assert after == LineTable.of(text[:start] + new + text[end:])


def test_a_position_inside_a_surrogate_pair_moves_to_its_start() -> None:
    assert column_of("😀x", 1, PositionEncoding.UTF16) == 0
    assert column_of("😀x", 2, PositionEncoding.UTF16) == 1


def test_a_backward_range_is_taken_from_its_smaller_end() -> None:
    backward = WireRange(WirePosition(0, 2), WirePosition(0, 1))
    assert apply_change(LineTable.of("abc"), backward, "-", PositionEncoding.UTF16).text == "a-c"


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        ((0, 0), (0, 5), LineRange(1, 1)),
        ((0, 3), (1, 0), LineRange(1, 1)),
        ((4, 0), (4, 0), LineRange(5, 5)),
        ((4, 2), (6, 1), LineRange(5, 7)),
        ((-3, 0), (-1, 0), LineRange(1, 1)),
        ((5, 0), (2, 0), LineRange(6, 6)),
    ],
)
def test_half_open_ranges_become_closed_lines(
    start: tuple[int, int], end: tuple[int, int], expected: LineRange
) -> None:
    assert line_range_of(WireRange(WirePosition(*start), WirePosition(*end))) == expected


@given(st.integers(1, 50), st.integers(0, 50), LINE, ENCODINGS)
def test_closed_lines_survive_the_way_out_and_back(
    start: int, more: int, last: str, encoding: PositionEncoding
) -> None:
    lines = LineRange(start, start + more)
    out = wire_range_of(lines, last or "x", encoding)
    assert line_range_of(out) == lines
