"""Open documents: what the editor shows, edit by edit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsp_server.model.candidate import Origin
from lsp_server.model.errors import RequestError
from lsp_server.session.documents import OpenDocuments, TextChange
from lsp_server.text.positions import PositionEncoding, WirePosition, WireRange

UTF16 = PositionEncoding.UTF16


def span(a: int, b: int, c: int, d: int) -> WireRange:
    return WireRange(WirePosition(a, b), WirePosition(c, d))


def test_a_form_feed_does_not_end_a_line() -> None:
    documents = OpenDocuments()
    documents.open("u", "k", "python", 1, "a\fb\u2028c\nsecond\n")
    changed = documents.change("u", 2, [TextChange(span(1, 0, 1, 6), "2nd")], UTF16)
    assert changed.text == "a\fb\u2028c\n2nd\n"


def test_changes_of_one_message_apply_in_order_or_not_at_all() -> None:
    documents = OpenDocuments()
    documents.open("u", "k", "python", 1, "abc")
    changes = [TextChange(span(0, 0, 0, 1), ""), TextChange(span(0, 0, 0, 1), "X")]
    assert documents.change("u", 2, changes, UTF16).text == "Xc"
    with pytest.raises(RequestError):
        documents.change("unknown", 1, changes, UTF16)


def test_a_change_without_a_range_is_the_whole_text() -> None:
    documents = OpenDocuments()
    documents.open("u", "k", "python", 1, "abc")
    assert documents.change("u", 2, [TextChange(None, "new")], UTF16).text == "new"


def test_the_source_is_a_buffer_with_its_version() -> None:
    documents = OpenDocuments()
    source = documents.open("u", "k", "python", 7, "a\r\nb").source()
    assert (source.origin, source.version, source.lines, source.ends) == (Origin.BUFFER, 7, ("a", "b"), ("\r\n", ""))


def test_two_uris_of_one_file_show_the_last_change_until_closed() -> None:
    documents = OpenDocuments()
    documents.open("u1", "k", "python", 1, "one")
    documents.open("u2", "k", "python", 1, "two")
    assert documents.by_key("k") is documents.get("u2")
    documents.change("u1", 2, [TextChange(None, "one again")], UTF16)
    found = documents.by_key("k")
    assert found is not None
    assert found.text == "one again"
    documents.close("u1")
    documents.close("u2")
    assert documents.by_key("k") is None
    assert documents.close("u2") is None


def test_new_roots_give_new_keys() -> None:
    documents = OpenDocuments()
    documents.open("u", "old", "python", 1, "x")
    documents.rekey({"u": "new"})
    assert documents.keys() == {"new"}


TEXT = st.text(st.sampled_from("ab\n\r\u2028é😀\f"), max_size=20)
POSITION = st.tuples(st.integers(0, 6), st.integers(0, 12))


def naive(text: str, start: tuple[int, int], end: tuple[int, int], new: str) -> str:
    """Line ends as LSP has them, positions in UTF-16 units, clamped; nothing clever."""
    starts = [0]
    at = 0
    while at < len(text):
        if text[at] == "\r" and text[at + 1 : at + 2] == "\n":
            at += 1
        if text[at] in "\r\n":
            starts.append(at + 1)
        at += 1

    def offset(place: tuple[int, int]) -> int:
        line, character = place
        if line >= len(starts):
            return len(text)
        at, units = starts[line], 0
        limit = starts[line + 1] if line + 1 < len(starts) else len(text)
        while at < limit and text[at] not in "\r\n":
            units += 2 if ord(text[at]) > 0xFFFF else 1
            if units > character:
                break
            at += 1
        return at

    ends = sorted((offset(start), offset(end)))
    return text[: ends[0]] + new + text[ends[1] :]


@given(TEXT, st.lists(st.tuples(POSITION, POSITION, TEXT), max_size=6))
def test_edits_match_a_naive_editor(text: str, edits: list[tuple[tuple[int, int], tuple[int, int], str]]) -> None:
    documents = OpenDocuments()
    documents.open("u", "k", "python", 1, text)
    for version, (start, end, new) in enumerate(edits, 2):
        text = naive(text, start, end, new)
        change = TextChange(span(*start, *end), new)
        assert documents.change("u", version, [change], UTF16).text == text
