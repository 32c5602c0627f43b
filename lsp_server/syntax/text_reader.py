"""TextReader: hands a parser its text piece by piece, and gets the memory back."""

from __future__ import annotations

from contextlib import suppress

_PIECE = 1 << 16
"""Bytes a parser is given at once."""

_SHORT = 128
"""Bytes a node is given at once when it asks for its own text, for a predicate of a query."""


class TextReader:
    """The read callback of one parse; call `done` when the parser has returned.

    py-tree-sitter (0.25, 0.26.1) never lets go of what a read callback gives: in `parser_read_wrapper` of its
    binding/parser.c, and in `node_get_text` of binding/node.c, nothing gives the result's reference back. So each
    edit of an open document would leave its text behind. A parser reads from one buffer, which is emptied in the
    end: what stays is its head. Nodes are given short pieces; they take nothing but bytes.
    """

    __slots__ = ("_buffer", "_source")

    def __init__(self, source: bytes) -> None:
        self._source = source
        self._buffer: bytearray | None = bytearray()

    def __call__(self, offset: int, _point: object) -> bytes | bytearray:
        """The text from `offset` on, as far as a piece goes; empty at the end."""
        buffer = self._buffer
        if buffer is None:
            return self._source[offset : offset + _SHORT]
        # The parser is through with the piece before when it asks for the next one.
        buffer[:] = self._source[offset : offset + _PIECE]
        return buffer

    def done(self) -> None:
        """The parser has returned: from now on only nodes ask."""
        buffer, self._buffer = self._buffer, None
        if buffer is not None:
            with suppress(BufferError):  # a binding that holds on to it
                buffer.clear()
