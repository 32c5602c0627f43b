"""Where an automatic stop ends a pack: early when the first units are likely and short, else late or nowhere."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsp_server.context.stopping import SMALL, STOP_RULE, Piece, chances, pieces_kept, prospects
from lsp_server.model.values import replace
from lsp_server.retrieval.odds import ODDS

LARGE = SMALL + 1


def piece(score: float, lines: int = 20, log_odds: float = 0.0, fixed: bool = False, silent: bool = False) -> Piece:
    return Piece(score, log_odds, 30 * lines, lines, fixed, silent)


PIECES = st.lists(
    st.builds(
        Piece,
        score=st.floats(-1, 5),
        log_odds=st.floats(-5, 5),
        bytes=st.integers(0, 9_000),
        lines=st.integers(1, 300),
        fixed=st.booleans(),
        silent=st.booleans(),
    ),
    max_size=30,
)


@given(PIECES)
def test_chances_sum_to_one_unless_nothing_can_hold_the_fix(pieces: list[Piece]) -> None:
    found = chances(pieces, ODDS)
    assert all(0.0 <= chance <= 1.0 for chance in found)
    assert sum(found) == pytest.approx(0.0 if all(one.silent for one in pieces) else 1.0)


@given(PIECES)
def test_the_stop_leaves_a_part_of_the_pack_and_recall_only_grows(pieces: list[Piece]) -> None:
    free = sum(not one.fixed for one in pieces)
    ends = prospects(pieces, STOP_RULE)
    assert len(ends) == free + 1
    assert 0 <= pieces_kept(pieces) <= free
    assert all(one.recall <= other.recall for one, other in pairwise(ends))
    assert all(0.0 <= end.f1 <= 1.0 + 1e-9 and 0.0 <= end.recall <= 1.0 for end in ends)


@given(PIECES, st.floats(0.5, 40))
def test_only_scores_relative_to_the_best_matter(pieces: list[Piece], by: float) -> None:
    given = [replace(one, score=round(one.score, 3)) for one in pieces]
    scaled = [replace(one, score=one.score * by) for one in given]
    assert chances(scaled, ODDS) == pytest.approx(chances(given, ODDS))


def test_a_short_unit_that_stands_out_ends_the_pack() -> None:
    rest = [piece(0.3) for _ in range(30)]
    assert pieces_kept([piece(2.0, lines=5, log_odds=3.0), *rest]) == 1


def test_where_nothing_stands_out_the_pack_stays_nearly_whole() -> None:
    assert pieces_kept([piece(1.0) for _ in range(30)]) > 25


def test_the_same_certainty_ends_a_pack_of_short_units_before_one_of_long_units() -> None:
    def kept(lines: int) -> int:
        likely = replace(piece(2.0, lines, log_odds=2.5), bytes=600)
        return pieces_kept([likely, *[piece(1.2) for _ in range(12)]])

    assert kept(4) < kept(400)


def test_failing_code_that_breaks_by_itself_is_enough_and_one_that_does_not_is_followed_by_more() -> None:
    rest = [piece(1.0) for _ in range(30)]
    broken = piece(1.0, lines=6, log_odds=ODDS.breaks + 3, fixed=True)
    assert pieces_kept([broken, *rest]) == 0
    assert pieces_kept([replace(broken, log_odds=-2.0), *rest]) > 20


def test_failing_tests_hold_no_fix_and_cost_nothing() -> None:
    rest = [piece(1.0) for _ in range(30)]
    silent = piece(9.0, lines=500, log_odds=9.0, fixed=True, silent=True)
    assert chances([silent, *rest], ODDS)[0] == 0.0
    assert pieces_kept([silent, *rest]) == pieces_kept(rest)


def test_a_pack_that_is_small_anyway_is_not_ended() -> None:
    pieces = [piece(2.0, lines=5, log_odds=5.0), *[piece(0.1, lines=5) for _ in range(9)]]
    assert sum(one.lines for one in pieces) <= SMALL
    assert pieces_kept(pieces) == len(pieces)
    assert pieces_kept([*pieces, *[piece(0.1) for _ in range(20)]]) == 1


def test_recall_that_is_worth_more_shows_more() -> None:
    pieces = [piece(2.0 - at / 20, lines=10) for at in range(30)]
    kept = [pieces_kept(pieces, replace(STOP_RULE, recall_worth=worth)) for worth in (0.01, 0.3, 1.0, 50.0)]
    assert kept == sorted(kept)
    assert kept[0] < 10
    assert kept[-1] == 30


def test_an_empty_pack_and_one_of_failing_tests_alone_have_an_end() -> None:
    assert pieces_kept([]) == 0
    assert pieces_kept([piece(1.0, LARGE, fixed=True, silent=True)]) == 0
