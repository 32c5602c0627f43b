"""Lines that past changes touched are found where they are now."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lsp_server.model.lines import LineRange
from lsp_server.workspace.hunks import FileDiff, Hunk
from lsp_server.workspace.touched import MOST_HELD, MOST_HUNKS, MOST_IN_FILE, Diff, Touched, in_order, moved
from lsp_server.workspace.touched import touched as held


def diff(*hunks: tuple[int, int, int, int], path: str = "a.py") -> Diff:
    return {path: FileDiff(tuple(Hunk(*hunk) for hunk in hunks), deleted=False)}


def touched(commits: list[Diff], uncommitted: Diff) -> tuple[Touched, ...]:
    after = moved(held(commits), uncommitted, 0)
    return tuple(in_order(one for each in after.values() for one in each))


def spans(found: tuple[Touched, ...]) -> list[tuple[int, int, int]]:
    return [(one.age, one.range.start, one.range.end) for one in found]


def test_the_newest_change_is_where_it_says() -> None:
    assert touched([diff((4, 1, 4, 2))], {}) == (Touched("a.py", LineRange(4, 5), 1, 1),)


def test_lines_inserted_above_move_an_older_change_down() -> None:
    newer, older = diff((2, 0, 3, 5)), diff((10, 1, 10, 1))
    assert spans(touched([newer, older], {})) == [(1, 3, 7), (2, 15, 15)]


def test_what_is_not_committed_moves_lines_too_and_has_age_0() -> None:
    assert spans(touched([diff((10, 1, 10, 1))], diff((1, 2, 0, 0)))) == [(0, 1, 1), (1, 8, 8)]


def test_a_line_that_was_changed_again_belongs_to_the_later_change() -> None:
    assert spans(touched([diff((10, 1, 10, 1)), diff((10, 1, 10, 1))], {})) == [(1, 10, 10)]


def test_a_later_change_cuts_off_what_it_replaced() -> None:
    assert spans(touched([diff((1, 10, 1, 4)), diff((8, 5, 8, 5))], {})) == [(1, 1, 4), (2, 5, 6)]
    assert spans(touched([diff((10, 9, 10, 1)), diff((8, 5, 8, 5))], {})) == [(1, 10, 10), (2, 8, 9)]


def test_a_deleted_file_has_no_lines() -> None:
    gone: Diff = {"a.py": FileDiff((Hunk(1, 10, 0, 0),), deleted=True)}
    assert touched([gone, diff((4, 1, 4, 1))], {}) == ()


def test_a_change_of_thousands_of_places_moves_lines_and_says_nothing() -> None:
    large: dict[str, FileDiff] = {f"{n}.py": FileDiff((Hunk(1, 0, 2, 1),), deleted=False) for n in range(MOST_HUNKS)}
    large |= diff((1, 0, 2, 1))
    assert touched([large, diff((5, 1, 5, 1))], {}) == (Touched("a.py", LineRange(6, 6), 2, 1),)


def test_a_file_written_anew_forgets_what_touched_it() -> None:
    hunks = [(line, 1, line, 1) for line in range(2, 2 * MOST_IN_FILE + 4, 2)]
    found = touched([diff(*hunks), diff((1, 1, 1, 1))], {})
    assert {one.age for one in found} == {1}


def test_of_a_file_that_every_commit_rewrites_the_youngest_ranges_are_kept() -> None:
    commits = [diff(*[(line, 1, line, 1) for line in range(n, 20_000 + n, 101)]) for n in range(1, 51)]
    found = touched(commits, {})
    assert len(found) == MOST_HELD
    assert {one.age for one in found} == {1, 2}


@st.composite
def histories(draw: st.DrawFn) -> tuple[list[Diff], list[int]]:
    """Changes, newest first, and for each line of the present text the change that wrote it (0: none)."""
    count = draw(st.integers(1, 5))
    text = [0] * draw(st.integers(0, 12))
    changes: list[Diff] = []
    for age in range(count, 0, -1):
        hunks: list[tuple[int, int, int, int]] = []
        after: list[int] = []
        at = 0
        while at <= len(text):
            gap = draw(st.integers(1, 4))
            after += text[at : at + gap]
            at += gap
            if at > len(text) or not draw(st.booleans()):
                continue
            removed = draw(st.integers(0, min(3, len(text) - at)))
            added = draw(st.integers(0 if removed else 1, 3))
            hunks.append((at + 1 if removed else at, removed, len(after) + 1 if added else len(after), added))
            after += [age] * added
            at += removed
        changes.insert(0, diff(*hunks))
        text = after
    return changes, text


@given(histories())
def test_every_line_lies_in_a_range_of_the_change_that_wrote_it(history: tuple[list[Diff], list[int]]) -> None:
    changes, text = history
    found = touched(changes, {})
    for number, age in enumerate(text, 1):
        if age:
            assert any(one.age == age and one.range.start <= number <= one.range.end for one in found)
    assert all(1 <= one.range.start <= one.range.end <= max(1, len(text)) for one in found)
