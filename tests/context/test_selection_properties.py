"""What holds of every selection, over random tasks with and without required items, floors, groups and caps."""

from __future__ import annotations

import itertools
import random
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from lsp_server.context.evidence import Evidence
from lsp_server.context.pack import SelectionOptions, select
from lsp_server.context.policies import FUSED, STABLE_INDEX
from lsp_server.model.candidate import Candidate, Cause
from lsp_server.model.failure import Failure, FailureKind, Location
from lsp_server.model.lines import LineRange
from lsp_server.model.pack import Selection
from lsp_server.model.request import Budget, RenderFormat, RenderOptions, Stop
from lsp_server.model.values import replace
from lsp_server.text.tokens import CharCounter, EstimateCounter

from .selection_cases import Case, cases

CHARS = CharCounter()


def failures_of(evidence: Evidence) -> list[Failure]:
    """Failures that give the evidence's lines, so that there is a list to write."""
    return [
        Failure(f"f{path}{lines}", "broken " * 9, FailureKind.EXCEPTION, locations=(Location(path, lines.start),))
        for path, ranges in evidence.lines.items()
        for lines in ranges
    ]


def selected(case: Case, budget: Budget | None = None, options: SelectionOptions | None = None) -> Selection:
    return select(
        case.candidates,
        budget or case.budget,
        CHARS,
        failures=failures_of(case.evidence),
        evidence=case.evidence,
        rejected=case.rejected,
        options=options or SelectionOptions(),
    )


@given(cases())
@settings(max_examples=200)
def test_no_two_selected_ranges_of_one_path_overlap(case: Case) -> None:
    for one, other in itertools.combinations(selected(case).items, 2):
        assert one.path != other.path or one.range.end < other.range.start or other.range.end < one.range.start


@given(cases())
@settings(max_examples=200)
def test_used_is_overhead_plus_costs_and_stays_under_ceiling_and_budget(case: Case) -> None:
    selection = selected(case)
    assert selection.used == selection.overhead + sum(item.cost for item in selection.items)
    assert selection.used <= selection.ceiling
    assert selection.overhead <= selection.budget // 5
    if not any(one.required for one in case.candidates):
        assert selection.used <= selection.budget


@given(cases())
@settings(max_examples=200)
def test_every_candidate_is_exactly_once_in_items_or_omitted(case: Case) -> None:
    selection = selected(case)
    ids = [item.id for item in selection.items] + [omission.id for omission in selection.omitted]
    assert Counter(ids) == Counter([one.id for one in case.candidates] + [one.id for one in case.rejected])
    assert selection.truncated == bool(selection.omitted)
    counts = selection.sources.values()
    assert sum(count.admitted for count in counts) == len(selection.items)
    assert sum(count.omitted for count in counts) == len(selection.omitted)


@given(cases())
@settings(max_examples=200)
def test_items_are_the_candidates_own_text_and_range_in_rank_order(case: Case) -> None:
    selection = selected(case)
    by_id = {one.id: one for one in case.candidates}
    for item in selection.items:
        source = by_id[item.id]
        assert (item.content, item.range, item.path) == (source.content, source.range, source.path)
    ranks = [item.rank for item in selection.items]
    assert ranks == sorted(ranks)
    omitted = [omission.rank for omission in selection.omitted]
    known = [rank for rank in omitted if rank is not None]
    assert omitted == sorted(known) + [None] * (len(omitted) - len(known))
    assert len({*ranks, *known}) == len(ranks) + len(known) == len(case.candidates)


@given(cases())
@settings(max_examples=200)
def test_the_input_is_unchanged(case: Case) -> None:
    candidates, rejected, failures = list(case.candidates), list(case.rejected), failures_of(case.evidence)
    before = repr((candidates, rejected, failures, case.budget, case.evidence))
    select(candidates, case.budget, CHARS, failures=failures, evidence=case.evidence, rejected=rejected)
    assert repr((candidates, rejected, failures, case.budget, case.evidence)) == before


@given(cases(), st.randoms(use_true_random=False))
@settings(max_examples=200)
def test_the_result_does_not_depend_on_the_input_order(case: Case, shuffler: random.Random) -> None:
    shuffled = replace(
        case,
        candidates=tuple(shuffler.sample(case.candidates, len(case.candidates))),
        rejected=tuple(shuffler.sample(case.rejected, len(case.rejected))),
    )
    assert selected(shuffled) == selected(case)


@given(cases(), st.integers(0, 400))
@settings(max_examples=200)
def test_a_larger_budget_never_loses_the_failing_code(case: Case, more: int) -> None:
    small = replace(case.budget, ceiling=None)
    large = replace(small, limit=small.limit + more)
    if not selected(case, small).missing_critical:
        assert not selected(case, large).missing_critical


@given(cases())
@settings(max_examples=200)
def test_missing_critical_is_told_exactly_when_no_failing_line_is_shown(case: Case) -> None:
    selection = selected(case)
    shown = any(
        item.path == path and item.range.start <= line <= item.range.end
        for path, ranges in case.evidence.lines.items()
        for lines in ranges
        for line in range(lines.start, lines.end + 1)
        for item in selection.items
    )
    assert selection.missing_critical == (bool(case.evidence.lines) and not shown)


@given(cases())
@settings(max_examples=200)
def test_groups_are_whole_and_caps_hold_for_what_is_not_required(case: Case) -> None:
    selection = selected(case)
    ids = {item.id for item in selection.items}
    for group in ("g1", "g2"):
        members = {one.id for one in case.candidates if one.group == group}
        assert not members & ids or members <= ids
        if any(one.group == group for one in case.rejected):
            assert not members & ids
    if any(one.required for one in case.candidates):
        return
    budget = case.budget
    assert budget.max_items is None or len(ids) <= budget.max_items
    per_file = Counter(item.path for item in selection.items)
    assert budget.per_file is None or all(count <= budget.per_file for count in per_file.values())
    for source, quota in budget.per_source.items():
        of_source = [item for item in selection.items if item.source == source]
        assert quota.max_items is None or len(of_source) <= quota.max_items
        assert quota.max_cost is None or sum(item.cost for item in of_source) <= quota.max_cost


@given(cases())
@settings(max_examples=200)
def test_every_omission_for_budget_or_overlap_is_true(case: Case) -> None:
    selection = selected(case)
    items = {item.id: item for item in selection.items}
    for omission in selection.omitted:
        if omission.cause in (Cause.OVERLAP, Cause.DUPLICATE):
            blocker = items[omission.blocked_by or ""]
            assert blocker.path == omission.path
            assert blocker.range.overlaps(omission.range)
        elif omission.cause is Cause.BUDGET:
            assert omission.needs is not None
            assert omission.needs > 0


@given(cases())
@settings(max_examples=200)
def test_nothing_that_still_fits_is_left_out(case: Case) -> None:
    """Without groups, caps and required items, a candidate left for budget is larger than what is left."""
    plain = tuple(replace(one, group=None, required=False) for one in case.candidates)
    budget = Budget(case.budget.limit, case.budget.unit, floors={})
    selection = selected(replace(case, candidates=plain, rejected=(), budget=budget))
    left = selection.budget - selection.used
    reserved = selection.budget // 5
    for omission in selection.omitted:
        if omission.cause is Cause.BUDGET:
            assert omission.cost is not None
            assert omission.cost > left - reserved


@given(cases(), st.sampled_from([RenderFormat.MARKDOWN, RenderFormat.XML]), st.booleans())
@settings(max_examples=200)
def test_format_and_line_numbers_change_costs_not_promises(case: Case, format: RenderFormat, numbers: bool) -> None:
    selection = selected(case, options=SelectionOptions(render=RenderOptions(format, numbers)))
    assert selection.used <= selection.ceiling
    assert len(selection.items) + len(selection.omitted) == len(case.candidates) + len(case.rejected)


@given(cases())
@settings(max_examples=200)
def test_a_zero_budget_is_empty_and_truncated_exactly_when_there_was_a_candidate(case: Case) -> None:
    selection = selected(case, Budget(0, case.budget.unit, ceiling=500))
    assert (selection.items, selection.used) == ((), 0)
    assert selection.truncated == bool(case.candidates or case.rejected)


@given(cases())
@settings(max_examples=200)
def test_a_denied_file_is_never_admitted_not_even_as_the_failing_file(case: Case) -> None:
    budget = Budget(100_000, case.budget.unit)
    selection = selected(case, budget, SelectionOptions(allowed=lambda path: path != "src/a.py"))
    assert all(item.path != "src/a.py" for item in selection.items)
    denied = {one.id for one in case.candidates if one.path == "src/a.py"}
    told = {one.id: one for one in selection.omitted if one.cause is Cause.POLICY and one.id in denied}
    assert told.keys() == denied
    assert all(one.range == LineRange(1, 1) and one.rank is None and one.cost is None for one in told.values())


@given(cases())
@settings(max_examples=200)
def test_stable_index_ranks_singles_in_input_order(case: Case) -> None:
    singles = tuple(replace(one, group=None) for one in case.candidates)
    selection = selected(replace(case, candidates=singles), options=SelectionOptions(policy=STABLE_INDEX))
    ranks = {one.id: one.rank for one in (*selection.items, *selection.omitted)}
    assert [ranks[one.id] for one in singles] == list(range(1, len(singles) + 1))


@given(st.text(), st.text())
def test_the_estimate_never_counts_a_whole_higher_than_its_parts(one: str, other: str) -> None:
    counter = EstimateCounter()
    assert counter.count(one + other) <= counter.count(one) + counter.count(other)


class Superadditive:
    """Counts a long text higher than its parts, as no sane counter does."""

    id = "superadditive"

    def count(self, text: str) -> int:
        return len(text) + max(0, len(text) - 300) // 2


@given(cases())
@settings(max_examples=200)
def test_a_counter_that_is_not_additive_makes_whole_items_leave_from_the_lowest_rank(case: Case) -> None:
    plain: tuple[Candidate, ...] = tuple(replace(one, required=False) for one in case.candidates)
    selection = select(plain, case.budget, Superadditive(), evidence=case.evidence)
    assert selection.used <= selection.budget
    assert len(selection.items) + len(selection.omitted) == len(plain)
    leaving = [one.rank for one in selection.omitted if one.detail == "over the budget as rendered"]
    kept = [item.rank for item in selection.items]
    assert not leaving or not kept or min(rank for rank in leaving if rank is not None) > max(kept)


@given(cases(), st.integers(0, 1 << 32))
@settings(max_examples=200)
def test_an_automatic_stop_shows_a_part_of_the_filled_pack_in_its_order_with_every_failing_line(
    case: Case, seed: int
) -> None:
    dice = random.Random(seed)
    spread = replace(
        case,
        candidates=tuple(
            replace(one, log_odds=dice.uniform(-6, 6), range=LineRange(one.range.start * 40, one.range.end * 40))
            for one in case.candidates
        ),
    )
    options = SelectionOptions(policy=FUSED)
    filled, stopped = (selected(spread, replace(case.budget, stop=stop), options) for stop in (Stop.FILL, Stop.AUTO))
    shown = [item.id for item in stopped.items]
    assert shown == [item.id for item in filled.items if item.id in set(shown)]
    left_out = [item for item in filled.items if item.id not in set(shown)]
    assert not any(item.required or case.evidence.holds_failing_line(item.path, item.range) for item in left_out)
    assert stopped.missing_critical == filled.missing_critical
    assert stopped.missing_required == filled.missing_required
    assert len(stopped.items) + len(stopped.omitted) == len(filled.items) + len(filled.omitted)
    assert selected(spread, replace(case.budget, stop=Stop.AUTO), options) == stopped
