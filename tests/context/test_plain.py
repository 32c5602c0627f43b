"""The two plain functions: characters, no floors, no overhead; bad input raises typed errors."""

from __future__ import annotations

import itertools
import subprocess
import sys
from collections.abc import Mapping
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsp_server import BuildResult, PackResult, PlainCandidate, RepoContextBuilder, Snippet, pack_context
from lsp_server.model.candidate import Reason
from lsp_server.model.errors import (
    BudgetError,
    ContentError,
    DuplicateIdError,
    PathError,
    RangeError,
    ReasonError,
    RequestError,
    ScoreError,
)

BUILD = RepoContextBuilder().build


def snippet(id: str, content: str = "xx", score: object = 1.0) -> dict[str, object]:
    return {"id": id, "content": content, "score": score}


def raw(
    path: str = "a.py",
    lines: tuple[int, int] = (1, 2),
    content: str = "xx",
    reason: str = "search",
    score: object = 1.0,
) -> dict[str, object]:
    return {"path": path, "start": lines[0], "end": lines[1], "content": content, "reason": reason, "score": score}


def ids(result: PackResult) -> list[str]:
    return [one.id for one in result.selected]


def places(result: BuildResult) -> list[str]:
    return [f"{one.path}:{one.start}-{one.end}" for one in result.items]


def test_best_score_first_ties_in_input_order() -> None:
    result = pack_context([snippet("b", score=1), snippet("a", score=2), snippet("c", score=2)], 100)
    assert result == PackResult((Snippet("a", "xx", 2), Snippet("c", "xx", 2), Snippet("b", "xx", 1)), 6, False)


def test_examples_of_the_budget() -> None:
    assert ids(pack_context([snippet("four", "xxxx", 2), snippet("two", "xx", 1)], 3)) == ["two"]
    sizes = [snippet("12", "x" * 12, 3), snippet("6", "x" * 6, 2), snippet("4", "x" * 4, 1)]
    result = pack_context(sizes, 10)
    assert (ids(result), result.used_chars, result.truncated) == (["6", "4"], 10, True)


def test_a_failing_snippet_that_does_not_fit_leaves_room_for_a_reference() -> None:
    given = [raw("f.py", content="ffff", reason="failure"), raw("r.py", content="rr", reason="reference")]
    result = BUILD(given, 3, "f.py")
    assert (places(result), result.used_chars, result.truncated) == (["r.py:1-2"], 2, True)


def test_characters_are_code_points() -> None:
    assert pack_context([snippet("emoji", "👩‍👩")], 3).used_chars == 3
    assert ids(pack_context([snippet("emoji", "日本")], 2)) == ["emoji"]


def test_a_zero_budget_is_legal() -> None:
    assert pack_context([], 0) == PackResult((), 0, False)
    assert pack_context([snippet("a")], 0) == PackResult((), 0, True)
    assert BUILD([raw()], 0) == BuildResult((), 0, True)


def test_the_failing_file_first_then_reference_failure_search() -> None:
    given = [
        raw("s.py", reason="search", score=9),
        raw("f.py", reason="failure", score=9),
        raw("r.py", reason="reference", score=1),
        raw("x.py", (30, 40), reason="search", score=9),
        raw("x.py", (20, 21), reason="reference", score=9),
        raw("x.py", (10, 11), reason="failure", score=1),
    ]
    order = ["x.py:10-11", "x.py:20-21", "x.py:30-40", "r.py:1-2", "f.py:1-2", "s.py:1-2"]
    assert places(BUILD(given, 100, "./x.py")) == order


def test_failing_files_may_be_an_ordered_list() -> None:
    given = [raw("a.py"), raw("b.py"), raw("c.py")]
    assert places(BUILD(given, 100, ["c.py", "b.py"])) == ["c.py:1-2", "b.py:1-2", "a.py:1-2"]


def test_closed_ranges_overlap_and_the_better_whole_one_survives() -> None:
    windows = [raw(lines=(1, 10), score=3), raw(lines=(5, 12), score=2), raw(lines=(11, 20), score=1)]
    assert places(BUILD(windows, 100)) == ["a.py:1-10", "a.py:11-20"]
    assert places(BUILD([raw(lines=(1, 10), score=2), raw("./a.py", lines=(10, 20))], 100)) == ["a.py:1-10"]
    assert len(BUILD([raw(lines=(1, 9)), raw(lines=(10, 20))], 100).items) == 2


def test_a_better_item_that_did_not_fit_blocks_nothing() -> None:
    assert places(BUILD([raw(lines=(1, 9), content="x" * 9, score=9), raw(lines=(2, 3))], 5)) == ["a.py:2-3"]


def test_dataclasses_and_frozen_mappings_work_and_results_are_fresh() -> None:
    given = PlainCandidate("./a.py", 1, 2, "xx", Reason.SEARCH, 1.0)
    result = BUILD([given, MappingProxyType(raw("b.py"))], 100)
    assert result.items[0] == PlainCandidate("a.py", 1, 2, "xx", Reason.SEARCH, 1.0)
    assert pack_context([Snippet("a", "x", 1)], 5).selected == (Snippet("a", "x", 1),)


@pytest.mark.parametrize("limit", [-1, 1.5, float("nan"), True, "3", None])
def test_a_wrong_budget_is_a_typed_error(limit: object) -> None:
    for call in (pack_context, BUILD):
        with pytest.raises(BudgetError) as caught:
            call([], limit)  # type: ignore[arg-type]
        assert caught.value.path == "max_chars"


@pytest.mark.parametrize(
    ("wrong", "error", "path"),
    [
        (snippet("a"), DuplicateIdError, "snippets[1].id"),
        (snippet("b", score=float("nan")), ScoreError, "snippets[1].score"),
        (snippet("b", score=True), ScoreError, "snippets[1].score"),
        ({"id": "b", "content": "x"}, ScoreError, "snippets[1].score"),
        (snippet("b", content=""), ContentError, "snippets[1].content"),
        ({"id": "b", "score": 1}, ContentError, "snippets[1].content"),
        ({"content": "x", "score": 1}, RequestError, "snippets[1].id"),
        ("text", RequestError, "snippets[1]"),
    ],
)
def test_a_wrong_snippet_is_a_typed_error(wrong: Mapping[str, object], error: type[RequestError], path: str) -> None:
    with pytest.raises(error) as caught:
        pack_context([snippet("a"), wrong], 100)
    assert caught.value.path == path
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize(
    ("change", "error", "field"),
    [
        ({"path": "/a.py"}, PathError, ".path"),
        ({"path": None}, PathError, ".path"),
        ({"path": "../a.py"}, PathError, ".path"),
        ({"start": 0}, RangeError, ".start"),
        ({"end": 0}, RangeError, ".end"),
        ({"start": 1.0}, RangeError, ".start"),
        ({"content": ""}, ContentError, ".content"),
        ({"reason": "guess"}, ReasonError, ".reason"),
        ({"score": float("inf")}, ScoreError, ".score"),
    ],
)
def test_a_wrong_candidate_is_a_typed_error_even_if_it_would_lose(
    change: Mapping[str, object], error: type[RequestError], field: str
) -> None:
    with pytest.raises(error) as caught:
        BUILD([raw(content="x" * 100, score=99), raw(score=-1) | change], 1)
    assert caught.value.path == f"candidates[1]{field}"


@pytest.mark.parametrize("file", ["", "/x", "../x", 7, b"x", ["a.py", 3]])
def test_a_wrong_failing_file_is_a_typed_error(file: object) -> None:
    with pytest.raises(PathError):
        BUILD([], 10, file)  # type: ignore[arg-type]


_raws = st.lists(
    st.builds(
        lambda path, start, more, size, reason, score: raw(path, (start, start + more), "x" * size, reason, score),
        st.sampled_from(["a.py", "b.py"]),
        st.integers(1, 20),
        st.integers(0, 6),
        st.integers(1, 9),
        st.sampled_from(["failure", "reference", "search"]),
        st.integers(-2, 2),
    ),
    max_size=12,
)


@given(_raws, st.integers(0, 60), st.sampled_from([None, "a.py"]))
def test_whole_items_under_budget_without_overlap(given: list[dict[str, object]], limit: int, file: str | None) -> None:
    before = repr(given)
    result = BUILD(given, limit, file)
    assert repr(given) == before
    assert result.used_chars == sum(len(one.content) for one in result.items) <= limit
    assert result.truncated == (len(result.items) < len(given))
    for one, other in itertools.combinations(result.items, 2):
        assert one.path != other.path or one.end < other.start or other.end < one.start


def test_importing_the_package_does_not_import_the_core() -> None:
    code = "import sys, lsp_server; print([name for name in sys.modules if name.startswith('lsp_server')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "['lsp_server']"
