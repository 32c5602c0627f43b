"""Slices of units too large to be shown whole."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lsp_server.model.candidate import Reason
from lsp_server.model.facts import ChunkKind
from lsp_server.model.lines import LineRange
from lsp_server.retrieval.lead import Lead
from lsp_server.retrieval.slicing import HEAD_LINES, slices


def lead(first: int, last: int, size: int, lines: tuple[int, ...], kind: ChunkKind = ChunkKind.FUNCTION) -> Lead:
    return Lead(
        path="a.py",
        range=LineRange(first, last),
        reason=Reason.SEARCH,
        source="bm25",
        score=1.0,
        why="",
        parts={"bm25": 1.0},
        lines=lines,
        kind=kind,
        bytes=size,
    )


def test_a_unit_that_fits_stays_whole() -> None:
    whole = lead(10, 200, 5_000, (50,))
    assert slices(whole, 5_000) == [whole]


def test_a_large_unit_becomes_its_beginning_the_window_and_the_rest() -> None:
    parts = slices(lead(1, 300, 30_000, (150,)), 6_000)
    assert parts[0].range == LineRange(1, HEAD_LINES)
    window = next(part for part in parts if part.range.contains(150))
    assert window.parts["bm25"] == 1.0
    assert all(part.parent == "a.py:1-300" for part in parts)
    rest = next(part for part in parts if part.range.contains(299))
    assert rest.parts["bm25"] < 1.0
    assert rest.score < 1.0


def test_loose_blocks_are_sliced_sooner_than_functions() -> None:
    size = 5_000
    assert len(slices(lead(1, 200, size, (90,)), size)) == 1
    assert len(slices(lead(1, 200, size, (90,), ChunkKind.BLOCK), size)) > 1


@given(
    first=st.integers(1, 1_000),
    length=st.integers(1, 600),
    a_line=st.integers(1, 120),
    lines=st.lists(st.integers(1, 2_000), max_size=6),
    limit=st.integers(400, 40_000),
)
def test_slices_cover_every_line_of_the_unit_once(
    first: int, length: int, a_line: int, lines: list[int], limit: int
) -> None:
    whole = lead(first, first + length - 1, a_line * length, tuple(lines))
    covered = [line for part in slices(whole, limit) for line in range(part.range.start, part.range.end + 1)]
    assert sorted(covered) == list(range(first, first + length))
