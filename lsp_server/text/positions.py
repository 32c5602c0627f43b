"""The one conversion between LSP positions and (1-based line, 0-based code point column).

An LSP position is a 0-based line and a 0-based offset in code units of the negotiated encoding. LSP
ranges are half-open; `LineRange` is closed. Positions outside the text are clamped, as LSP asks; an
offset inside a surrogate pair or a multi-byte character moves to the character's start.
"""

from __future__ import annotations

from enum import StrEnum

from lsp_server.model.lines import LineRange
from lsp_server.model.values import Ordered, Value

from .line_table import LineTable


class PositionEncoding(StrEnum):
    """What `character` counts; the values are LSP's own names."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"


class WirePosition(Ordered):
    """An LSP position: both 0-based, `character` in code units."""

    line: int
    character: int


class WireRange(Value):
    """An LSP range: half-open."""

    start: WirePosition
    end: WirePosition


def column_of(line: str, character: int, encoding: PositionEncoding) -> int:
    """Code point column of the code unit offset `character` in `line`, clamped to the line."""
    if character <= 0:
        return 0
    if encoding is PositionEncoding.UTF32 or line.isascii():
        return min(character, len(line))
    units = 0
    for column, char in enumerate(line):
        units += _width(char, encoding)
        if units > character:
            return column
    return len(line)


def character_of(line: str, column: int, encoding: PositionEncoding) -> int:
    """Code unit offset of the code point `column` in `line`, clamped to the line."""
    column = max(0, min(column, len(line)))
    if encoding is PositionEncoding.UTF32 or line.isascii():
        return column
    return sum(_width(char, encoding) for char in line[:column])


def _width(char: str, encoding: PositionEncoding) -> int:
    code = ord(char)
    if encoding is PositionEncoding.UTF16:
        return 2 if code > 0xFFFF else 1
    return 1 if code < 0x80 else 2 if code < 0x800 else 3 if code < 0x10000 else 4


def offset_of(table: LineTable, position: WirePosition, encoding: PositionEncoding) -> int:
    """Code point offset in the text of an LSP position, clamped."""
    number = position.line + 1
    if number < 1:
        return 0
    return table.offset(number, column_of(table.line(number), position.character, encoding))


def position_of(table: LineTable, offset: int, encoding: PositionEncoding) -> WirePosition:
    """LSP position of a code point offset, clamped; between `\\r` and `\\n` it is the end of the line."""
    number, column = table.locate(offset)
    return WirePosition(number - 1, character_of(table.line(number), column, encoding))


def apply_change(table: LineTable, change: WireRange, new_text: str, encoding: PositionEncoding) -> LineTable:
    """The text after one incremental LSP change. A range given backwards counts from its smaller end."""
    ends = sorted((offset_of(table, change.start, encoding), offset_of(table, change.end, encoding)))
    return table.replace(ends[0], ends[1], new_text)


def line_range_of(range: WireRange) -> LineRange:
    """The closed lines that a half-open LSP range touches.

    A range that ends at the start of a line does not touch that line, unless it is empty.
    """
    start = max(0, range.start.line) + 1
    end = max(0, range.end.line) + 1
    if range.end.character <= 0 and end > start:
        end -= 1
    return LineRange(start, max(start, end))


def wire_range_of(range: LineRange, last_line: str, encoding: PositionEncoding) -> WireRange:
    """The LSP range of whole lines, up to the end of `last_line` (the text of line `range.end`)."""
    end = character_of(last_line, len(last_line), encoding)
    return WireRange(WirePosition(range.start - 1, 0), WirePosition(range.end - 1, end))
