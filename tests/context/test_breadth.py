"""A larger pack keeps room for files that nothing better ranked is shown of."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lsp_server.context.policies import FUSED, TIERED, some_breadth
from lsp_server.model.candidate import Candidate, Cause
from lsp_server.model.request import Budget, Unit
from lsp_server.model.values import replace

from .selection_cases import candidate, chars, chosen, packed

WIDE = replace(FUSED, breadth=lambda _budget: 20)


def sized(id: str, path: str, size: int, score: float, line: int = 1) -> Candidate:
    """A candidate of `size` characters."""
    return candidate(id, path, lines=(line, line), content="x" * size, score=score)


def one_file(count: int) -> list[Candidate]:
    """Pieces of one file of ten characters each, better than anything else."""
    return [sized(f"a{n:02}", "a.py", 10, score=100 - n, line=n + 1) for n in range(count)]


def test_a_unit_of_a_further_file_takes_the_place_of_one_more_of_the_same() -> None:
    candidates = [*one_file(40), sized("b", "b.py", 5, 2), sized("c", "c.py", 5, 1)]
    run = packed(candidates, chars(200), policy=WIDE)
    assert [name for name in chosen(run) if name[0] != "a"] == ["b", "c"]
    assert run.used == 200
    assert chosen(packed(candidates, chars(200), policy=replace(WIDE, breadth=FUSED.breadth)))[-1] == "a19"


def test_a_further_file_gets_one_unit_and_what_is_left_goes_by_rank() -> None:
    candidates = [*one_file(40), sized("b1", "b.py", 5, 2), sized("b2", "b.py", 5, 1, line=2)]
    run = packed(candidates, chars(205), policy=WIDE)
    assert "b1" in chosen(run)
    assert "b2" not in chosen(run)
    assert len([name for name in chosen(run) if name[0] == "a"]) == 20


def test_items_stay_in_the_order_of_rank() -> None:
    run = packed([*one_file(40), sized("b", "b.py", 5, 1)], chars(200), policy=WIDE)
    ranks = [unit.members[0].rank for unit in run.units]
    assert ranks == sorted(ranks)


def test_tests_and_large_units_are_no_further_files() -> None:
    test = replace(sized("t", "tests/test_a.py", 5, 2), is_test=True)
    run = packed([*one_file(40), test, sized("large", "b.py", 11, 1)], chars(200), policy=WIDE)
    assert not {"t", "large"} & set(chosen(run))


def test_who_gives_way_is_omitted_for_the_budget() -> None:
    run = packed([*one_file(40), sized("b", "b.py", 5, 1)], chars(200), policy=WIDE)
    assert run.refusals["a19"].cause is Cause.BUDGET


def test_small_packs_and_the_tiers_go_by_rank_alone() -> None:
    assert some_breadth(Budget(limit=4_000)) == some_breadth(Budget(limit=0)) == 0
    assert some_breadth(Budget(limit=8_000)) == 640
    assert some_breadth(chars(12_000)) == 0
    assert some_breadth(chars(24_000)) == 3 * 640
    assert TIERED.breadth(Budget(limit=100_000)) == 0


@given(
    st.lists(st.tuples(st.sampled_from("abcd"), st.integers(1, 40), st.integers(0, 9)), max_size=30),
    st.integers(0, 400),
    st.integers(0, 100),
)
def test_a_reserve_never_breaks_the_budget_and_every_candidate_ends_once(
    units: list[tuple[str, int, int]], room: int, reserve: int
) -> None:
    candidates = [sized(f"{n}", f"{path}.py", size, score, line=n + 1) for n, (path, size, score) in enumerate(units)]
    budget = Budget(limit=room, unit=Unit.CHARS, floors={})
    wide = packed(candidates, budget, policy=replace(FUSED, breadth=lambda _budget: reserve))
    assert wide.used <= max(0, room)
    assert len(wide.units) + len(wide.refusals) == len(candidates)
