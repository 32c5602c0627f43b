"""What a parser was given does not stay behind."""

from __future__ import annotations

import gc
import tracemalloc

from hypothesis import given
from hypothesis import strategies as st

from lsp_server.syntax.languages import language_for
from lsp_server.syntax.parse import ByteEdit, parse, reparse
from lsp_server.syntax.text_reader import TextReader

SOURCE = b"def total(items):\n    return sum(items)\n" * 2_500


def no_stop() -> None:
    """Lets every parse go on."""


def test_edits_that_may_be_stopped_leave_no_text_behind() -> None:
    language = language_for("shop.py")
    assert language is not None
    parsed = parse(language, SOURCE, no_stop)
    longer = SOURCE[:18] + b"q " + SOURCE[18:]
    tracemalloc.start()
    try:
        for _ in range(10):
            parsed = reparse(parsed, longer, [ByteEdit(18, 18, 20)], no_stop)
            parsed = reparse(parsed, SOURCE, [ByteEdit(18, 20, 18)], no_stop)
        del parsed  # the nodes of the last tree are held rightly
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] < len(SOURCE)
    finally:
        tracemalloc.stop()


def test_nodes_know_their_text_after_a_parse_that_may_be_stopped() -> None:
    language = language_for("shop.py")
    assert language is not None
    root = parse(language, SOURCE, no_stop).tree.root_node
    assert root.text == SOURCE
    assert root.children[1].text == SOURCE[: SOURCE.index(b"\ndef")]


@given(st.binary(max_size=400), st.integers(0, 400))
def test_pieces_are_the_text_before_and_after_the_parse(source: bytes, offset: int) -> None:
    reader = TextReader(source)
    assert bytes(reader(offset, None)) == source[offset:]
    reader.done()
    pieces = b""
    while piece := reader(offset + len(pieces), None):
        assert type(piece) is bytes
        pieces += piece
    assert pieces == source[offset:]
