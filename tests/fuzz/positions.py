"""Positions in three encodings against a walk character by character."""

from __future__ import annotations

import random
from collections.abc import Callable

from lsp_server.text.line_table import LineTable
from lsp_server.text.positions import PositionEncoding, offset_of, position_of

from .tally import Tally

LETTERS = "ab (\té漢😀\u0301\u200d\ufeff\x0c\u2028\x85\n\n\r"
UNITS = {
    PositionEncoding.UTF8: ("utf-8", 1),
    PositionEncoding.UTF16: ("utf-16-le", 2),
    PositionEncoding.UTF32: ("utf-32-le", 4),
}


def _naive(text: str, offset: int, encoding: PositionEncoding) -> tuple[int, int]:
    line, start = 0, 0
    for at in range(offset):
        if text[at] == "\n" or (text[at] == "\r" and text[at + 1 : at + 2] != "\n"):
            line, start = line + 1, at + 1
    codec, size = UNITS[encoding]
    return line, len(text[start:offset].encode(codec)) // size


def fuzz(choose: random.Random, stop: Callable[[], bool], tally: Tally) -> None:
    """A case is one text, all its offsets, one encoding."""
    while not stop():
        text = "".join(choose.choice(LETTERS) for _ in range(choose.randrange(60)))
        encoding = choose.choice(list(PositionEncoding))
        table = LineTable.of(text)
        for offset in range(len(text) + 1):
            if text[offset - 1 : offset + 1] == "\r\n":
                continue  # no place between the two halves of a line end
            try:
                found = position_of(table, offset, encoding)
                assert (found.line, found.character) == _naive(text, offset, encoding)
                assert offset_of(table, found, encoding) == offset
            except Exception as error:
                tally.crash(f"{type(error).__name__} at {offset} of {text!r} in {encoding}")
        tally.cases += 1
