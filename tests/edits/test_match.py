"""Matching: exact text, line ends apart; every place counts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsp_server.edits.match import Match, UnixText, find_matches, unix_ends
from lsp_server.edits.nearest import find_nearest

TEXT = st.text(alphabet="ab\n\r", max_size=24)


def spans(text: str, search: str) -> list[tuple[int, int]]:
    return [(match.start, match.end) for match in find_matches(UnixText.of(text), search)]


@pytest.mark.parametrize(
    ("text", "search", "expected"),
    [
        ("aaa", "aa", [(0, 2), (1, 3)]),
        ("x\nx\nx\n", "x\nx\n", [(0, 4), (2, 6)]),
        ("a\r\nb\r\n", "a\nb\n", [(0, 4)]),
        ("a\rb\r", "a\nb\n", [(0, 4)]),
        ("if a:\n    pass\n        pass\n", "    pass\n", [(6, 15)]),
        ("a\nb", "b\n", [(2, 3)]),
        ("b\nb", "b\n", [(0, 2), (2, 3)]),
        ("return f(1)\n", "f(1)\n", [(7, 12)]),
        ("return f(1) + f(2)\n", "f(1)\n", [(7, 11)]),
        ("f(1) + f(1)\n", "f(1)\n", [(7, 12)]),
        ("x", "y", []),
        ("", "x\n", []),
        ("a\u2028b\n", "a\u2028b\n", [(0, 4)]),
    ],
)
def test_places_of_a_search_text(text: str, search: str, expected: list[tuple[int, int]]) -> None:
    assert spans(text, search) == expected


def test_a_line_end_that_the_file_lacks_is_cut() -> None:
    assert find_matches(UnixText.of("a\nb"), "b\n") == (Match(2, 3, cut=True),)


@given(TEXT, st.text(alphabet="ab\n", min_size=1, max_size=4))
def test_without_a_final_line_end_every_occurrence_counts(text: str, search: str) -> None:
    if search.endswith("\n"):
        search += "a"
    plain = unix_ends(text)
    expected = [(at, at + len(search)) for at in range(len(plain)) if plain.startswith(search, at)]
    assert spans(text, search) == expected


@given(TEXT)
def test_offsets_lead_back_to_the_same_character(text: str) -> None:
    unix = UnixText.of(text)
    assert unix.text == unix_ends(text)
    for offset, char in enumerate(unix.text):
        original = text[unix.original_offset(offset)]
        assert original == char or (char == "\n" and original == "\r")
    assert unix.original_offset(len(unix.text)) == len(text)


def test_the_nearest_place_is_the_one_a_reader_would_name() -> None:
    text = "import os\n\ndef parse(text):\n    value = int(text)\n    return value\n\ndef other():\n    pass"
    lines = tuple(text.split("\n"))
    nearest = find_nearest(lines, "def parse(text):\n    value = float(text)\n    return value\n")
    assert nearest is not None
    assert (nearest.range.start, nearest.range.end) == (3, 5)
    assert nearest.text.startswith("def parse(text):")
    assert nearest.similarity > 0.9


@pytest.mark.parametrize("search", ["zzzzqqqq\n", "\n\n", ""])
def test_nothing_alike_gives_no_nearest_place(search: str) -> None:
    assert find_nearest(("import os", "x = 1"), search) is None


def test_a_search_longer_than_the_file_still_finds_the_nearest() -> None:
    nearest = find_nearest(("def f():", "    return 1"), "def f():\n    return 1\n    # gone\n")
    assert nearest is not None
    assert str(nearest.range) == "1-2"
