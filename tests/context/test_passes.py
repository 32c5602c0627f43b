"""Packing examples of the specification, by the same numbers: overlap, budget, caps, passes, groups."""

from __future__ import annotations

import pytest

from lsp_server.context.order import Priced, rank
from lsp_server.context.passes import pack
from lsp_server.context.policies import FUSED, STABLE_INDEX, TIERED
from lsp_server.model.candidate import Candidate, Cause, Reason
from lsp_server.model.request import Quota, Stop
from lsp_server.model.values import replace

from .selection_cases import candidate, chars, chosen, failing, packed


def sized(id: str, size: int, score: float = 1.0, line: int | None = None, **more: object):
    """A candidate of `size` characters on a line of its own."""
    at = line or int(id.encode().hex(), 16) % 9973 + 1
    return candidate(id, lines=(at, at), score=score, content="x" * size, **more)  # type: ignore[arg-type]


def test_what_does_not_fit_is_skipped_and_the_rest_still_tried() -> None:
    assert chosen(packed([sized("a", 4, 9), sized("b", 2, 1)], chars(3))) == ["b"]
    run = packed([sized("a", 12, 9), sized("b", 6, 5), sized("c", 4, 1)], chars(10))
    assert chosen(run) == ["b", "c"]
    assert run.used == 10


def test_an_exact_fit_is_used() -> None:
    assert chosen(packed([sized("a", 3)], chars(3))) == ["a"]


def test_an_omission_for_budget_says_how_much_more_it_needs() -> None:
    run = packed([sized("a", 6, 9), sized("b", 7, 1)], chars(10))
    assert (run.refusals["b"].cause, run.refusals["b"].needs) == (Cause.BUDGET, 3)


@pytest.mark.parametrize(
    ("first", "second", "both"),
    [((1, 10), (10, 20), False), ((10, 20), (1, 10), False), ((1, 9), (10, 20), True), ((1, 10), (11, 20), True),
     ((11, 20), (1, 10), True), ((1, 30), (10, 20), False), ((10, 20), (1, 30), False), ((5, 5), (5, 5), False)],
)  # fmt: skip
def test_ranges_are_closed_at_both_ends(first: tuple[int, int], second: tuple[int, int], both: bool) -> None:
    run = packed([candidate("better", lines=first, score=2), candidate("worse", lines=second, score=1)], chars(999))
    assert chosen(run) == (["better", "worse"] if both else ["better"])


def test_of_three_windows_the_first_and_the_third_survive() -> None:
    windows = [candidate(f"{start}", lines=(start, end), score=-start) for start, end in ((1, 10), (5, 12), (11, 20))]
    run = packed(windows, chars(999))
    assert chosen(run) == ["1", "11"]
    assert (run.refusals["5"].cause, run.refusals["5"].blocked_by) == (Cause.OVERLAP, "1")


def test_overlap_is_keyed_by_path_not_by_text() -> None:
    same = [candidate("a", "a.py", (1, 9), content="same"), candidate("b", "b.py", (1, 9), content="same")]
    assert len(chosen(packed(same, chars(99)))) == 2


def test_a_better_item_that_did_not_fit_blocks_no_smaller_overlapping_one() -> None:
    big = candidate("big", lines=(1, 50), score=9, content="x" * 50)
    small = candidate("small", lines=(10, 12), score=1, content="x" * 5)
    run = packed([big, small], chars(10))
    assert chosen(run) == ["small"]
    assert run.refusals["big"].cause is Cause.BUDGET


def test_overlap_is_checked_before_caps_and_budget() -> None:
    better = candidate("better", lines=(1, 10), score=9, content="x" * 8)
    loser = candidate("loser", lines=(10, 20), score=1, content="x" * 80)
    for budget in (chars(10), chars(10, max_items=1), chars(10, per_file=1)):
        run = packed([better, loser], budget)
        assert (run.refusals["loser"].cause, run.refusals["loser"].blocked_by) == (Cause.OVERLAP, "better")


def test_the_same_place_and_text_twice_is_a_duplicate() -> None:
    run = packed([candidate("a", score=2, content="x"), candidate("b", score=1, content="x")], chars(9))
    assert (run.refusals["b"].cause, run.refusals["b"].blocked_by) == (Cause.DUPLICATE, "a")


def test_each_cap_is_named_and_caps_come_before_the_budget() -> None:
    given = [sized("a", 1, 9), sized("b", 99, 1)]
    assert packed(given, chars(9, max_items=1)).refusals["b"].cause is Cause.MAX_ITEMS
    assert packed(given, chars(9, per_file=1)).refusals["b"].cause is Cause.FILE_QUOTA
    assert packed(given, chars(9, per_source={"bm25": Quota(max_items=1)})).refusals["b"].cause is Cause.SOURCE_QUOTA
    assert packed(given, chars(999, per_source={"bm25": Quota(max_cost=99)})).refusals["b"].cause is Cause.SOURCE_QUOTA
    assert packed(given, chars(999, max_items=1, per_file=1)).refusals["b"].cause is Cause.MAX_ITEMS


def test_a_cap_stops_only_what_it_caps() -> None:
    given = [sized("a", 1, 9, source="definition"), sized("b", 1, 8, source="definition"), sized("c", 1, 7)]
    assert chosen(packed(given, chars(9, per_source={"definition": Quota(max_items=1)}))) == ["a", "c"]


def test_required_items_bypass_caps_and_count_towards_them() -> None:
    given = [sized("a", 1, required=True), sized("b", 1, required=True), sized("c", 1)]
    run = packed(given, chars(9, max_items=2, per_file=1))
    assert sorted(chosen(run)) == ["a", "b"]
    assert run.refusals["c"].cause is Cause.MAX_ITEMS


def test_required_items_may_exceed_the_budget_up_to_the_ceiling_never_beyond() -> None:
    given = [sized("a", 8, 3, required=True), sized("b", 7, 2, required=True), sized("c", 9, 1, required=True)]
    run = packed(given, chars(10, ceiling=15))
    assert (chosen(run), run.used) == (["a", "b"], 15)
    assert run.refusals["c"].needs == 9
    assert chosen(packed(given, chars(10))) == ["a"]


def test_a_zero_budget_is_always_empty_even_under_a_ceiling() -> None:
    run = packed([sized("a", 1, required=True)], chars(0, ceiling=10), failing(("src/a.py", 1)))
    assert (chosen(run), run.used) == ([], 0)


def test_the_failing_line_is_admitted_before_anything_that_outranks_it() -> None:
    required = sized("required", 8, required=True, line=50)
    critical = candidate("critical", lines=(1, 5), content="x" * 6)
    run = packed([required, critical], chars(10), failing(("src/a.py", 3)))
    assert chosen(run) == ["critical"]
    assert run.refusals["required"].cause is Cause.BUDGET


def test_pass_0_takes_the_best_ranked_failing_candidate_that_fits() -> None:
    given = [
        candidate("big", lines=(1, 9), reason="failure", content="x" * 11),
        candidate("best", lines=(2, 8), reason="reference", content="x" * 6),
        candidate("next", lines=(3, 7), reason="search", content="x" * 2),
    ]
    run = packed(given, chars(10), failing(("src/a.py", 5)))
    assert chosen(run) == ["best"]


def test_a_floor_keeps_its_share_from_a_noisy_failing_file() -> None:
    noise = [candidate(f"n{line}", "a.py", (line, line), "failure", 9, "x" * 10) for line in range(1, 11)]
    definition = candidate("definition", "b.py", (1, 5), "reference", 1, "x" * 25)
    evidence = failing(("a.py", None))
    assert "definition" not in chosen(packed([*noise, definition], chars(100), evidence))
    run = packed([*noise, definition], chars(100, floors={"reference": 0.25}), evidence)
    assert "definition" in chosen(run)
    assert run.used == 95


def test_a_floor_is_no_more_than_its_share_and_the_rest_is_given_back() -> None:
    noise = [candidate(f"n{line}", "a.py", (line, line), "failure", 9, "x" * 10) for line in range(1, 11)]
    too_big = candidate("big", "b.py", (1, 5), "reference", 1, "x" * 26)
    run = packed([*noise, too_big], chars(100, floors={"reference": 0.25}), failing(("a.py", None)))
    assert len(chosen(run)) == 10
    assert run.refusals["big"].cause is Cause.BUDGET


def test_items_are_listed_in_rank_order_whatever_pass_admitted_them() -> None:
    given = [
        candidate("reference", "b.py", (1, 1), "reference", 1, "x" * 5),
        candidate("failing", "a.py", (1, 1), "failure", 1, "x" * 5),
        candidate("required", "c.py", (1, 1), "search", 1, "x" * 5, required=True),
    ]
    run = packed(given, chars(100, floors={"reference": 0.5}), failing(("a.py", 1)))
    assert chosen(run) == ["required", "failing", "reference"]


def test_a_group_is_admitted_whole_or_not_at_all() -> None:
    group = [sized("g1", 6, 9, line=1, group="g"), sized("g2", 6, 1, line=2, group="g")]
    run = packed([*group, sized("alone", 5, 5, line=3)], chars(10))
    assert chosen(run) == ["alone"]
    assert {run.refusals[name].cause for name in ("g1", "g2")} == {Cause.BUDGET}
    assert chosen(packed(group, chars(12))) == ["g1", "g2"]


def test_a_capped_or_overlapped_member_keeps_its_whole_group_out() -> None:
    winner = candidate("winner", lines=(1, 10), score=99)
    group = [candidate("g1", lines=(10, 12), score=9, group="g"), candidate("g2", "b.py", score=9, group="g")]
    run = packed([winner, *group], chars(999))
    assert chosen(run) == ["winner"]
    assert (run.refusals["g1"].cause, run.refusals["g1"].blocked_by) == (Cause.OVERLAP, "winner")
    assert (run.refusals["g2"].cause, run.refusals["g2"].blocked_by) == (Cause.GROUP, "g1")


def test_a_member_that_was_rejected_before_ranking_keeps_its_whole_group_out() -> None:
    run = packed([candidate("g1", group="g")], chars(999), broken_groups={"g": "denied"})
    assert (run.refusals["g1"].cause, run.refusals["g1"].blocked_by) == (Cause.GROUP, "denied")


def stopping(*scores: float, lines: int = 30) -> list[Candidate]:
    """Candidates of `lines` lines one below the other, each with its score; named by their place."""
    places = [(at * 2 * lines + 1, at * 2 * lines + lines) for at in range(len(scores))]
    return [
        candidate(f"c{at}", lines=place, score=score, content="x" * 10)
        for at, (place, score) in enumerate(zip(places, scores, strict=True))
    ]


def test_an_automatic_stop_ends_the_pack_behind_what_stands_out() -> None:
    given = [replace(stopping(3.0)[0], log_odds=6.0), *stopping(*[0.0] * 9)[1:]]
    run = packed(given, chars(999, stop=Stop.AUTO), policy=FUSED)
    assert chosen(run) == ["c0"]
    assert run.refusals["c1"].cause is Cause.BUDGET
    assert run.refusals["c1"].detail == "stopped after rank 1: more is not likely to help"
    assert len(chosen(packed(given, chars(999), policy=FUSED))) == 9


def test_an_automatic_stop_leaves_out_neither_failing_lines_nor_what_is_required_or_asked_for() -> None:
    given = [replace(stopping(3.0)[0], log_odds=6.0), *stopping(*[0.0] * 9)[1:]]
    given[3] = replace(given[3], required=True)
    given[5] = replace(given[5], reason=Reason.MENTION)
    given[7:] = [replace(one, is_test=True) for one in given[7:]]
    evidence = failing(*[("src/a.py", one.range.start + 2) for one in given[7:]])
    run = packed(given, chars(999, stop=Stop.AUTO), evidence, FUSED)
    assert sorted(chosen(run)) == ["c0", "c3", "c5", "c7", "c8"]


def test_what_did_not_fit_when_filled_is_not_let_in_by_stopping_early() -> None:
    given = [replace(stopping(3.0)[0], log_odds=6.0), *stopping(*[0.0] * 9)[1:]]
    late = candidate("late", "src/z.py", (1, 5), score=-1.0, content="x" * 50)
    run = packed([*given, late], chars(100, stop=Stop.AUTO), policy=FUSED)
    assert chosen(run) == ["c0"]
    assert run.refusals["late"].cause is Cause.BUDGET


def test_policies_whose_scores_cannot_be_compared_fill_the_budget() -> None:
    given = [replace(stopping(3.0)[0], log_odds=6.0), *stopping(*[0.0] * 9)[1:]]
    for policy in (TIERED, STABLE_INDEX):
        assert len(chosen(packed(given, chars(999, stop=Stop.AUTO), policy=policy))) == 9


def test_the_overhead_is_offered_a_fifth_of_the_budget_and_never_displaces_the_failing_code() -> None:
    offered: list[int] = []

    def greedy(limit: int) -> int:
        offered.append(limit)
        return limit

    critical = candidate("critical", lines=(1, 5), content="x" * 90)
    units = rank([Priced(critical, 90)], failing(("src/a.py", 3)), TIERED)
    run = pack(units, chars(100), failing(("src/a.py", 3)), TIERED, overhead=greedy)
    assert (chosen(run), offered, run.used) == (["critical"], [10], 100)
    pack(units, chars(1000), failing(("src/a.py", 3)), TIERED, overhead=greedy)
    assert offered == [10, 200]
