"""The tiered order: required, failing files, failing lines, reasons, then scores inside a tier."""

from __future__ import annotations

import random

from lsp_server.context.evidence import NO_EVIDENCE, Evidence
from lsp_server.context.order import Priced, rank
from lsp_server.context.policies import STABLE_INDEX, TIERED, Policy
from lsp_server.model.candidate import Candidate

from .selection_cases import candidate, failing


def ranked(candidates: list[Candidate], evidence: Evidence = NO_EVIDENCE, policy: Policy = TIERED) -> list[str]:
    units = rank([Priced(one, len(one.content)) for one in candidates], evidence, policy)
    members = [member for unit in units for member in unit.members]
    assert [member.rank for member in members] == list(range(1, len(members) + 1))
    return [member.candidate.id for member in members]


def test_a_candidate_in_a_failing_file_is_before_all_others_whatever_its_score() -> None:
    given = [candidate("else", "b.py", reason="reference", score=99), candidate("here", "a.py", score=-1)]
    assert ranked(given, failing(("a.py", None))) == ["here", "else"]


def test_failing_files_keep_diagnostic_order() -> None:
    given = [candidate("a", "a.py", score=9), candidate("z", "z.py", score=1)]
    assert ranked(given, failing(("z.py", 1), ("a.py", 1))) == ["z", "a"]


def test_in_a_failing_file_lines_then_reasons_then_score() -> None:
    given = [
        candidate("mention", lines=(70, 70), reason="mention", score=9),
        candidate("search", lines=(60, 60), reason="search", score=9),
        candidate("reference", lines=(50, 50), reason="reference", score=9),
        candidate("failure-low", lines=(40, 40), reason="failure", score=1),
        candidate("failure-high", lines=(30, 30), reason="failure", score=2),
        candidate("on-the-line", lines=(5, 9), reason="search", score=-3),
    ]
    order = ["on-the-line", "failure-high", "failure-low", "reference", "search", "mention"]
    assert ranked(given, failing(("src/a.py", 7))) == order


def test_elsewhere_reference_then_failure_then_search_then_extras() -> None:
    reasons = ["mention", "search", "failure", "reference"]
    given = [candidate(reason, reason=reason, lines=(index + 1, index + 1)) for index, reason in enumerate(reasons)]
    assert ranked(given, failing(("other.py", 1))) == ["reference", "failure", "search", "mention"]


def test_scores_are_compared_only_inside_a_tier() -> None:
    given = [candidate("bm25", score=20.0, reason="search"), candidate("similar", score=0.9, reason="reference")]
    assert ranked(given) == ["similar", "bm25"]


def test_required_items_come_first_by_the_same_order() -> None:
    given = [
        candidate("failing", "a.py", reason="failure", score=9),
        candidate("mention", "b.py", reason="mention", required=True),
        candidate("reference", "b.py", (5, 5), reason="reference", required=True),
    ]
    assert ranked(given, failing(("a.py", 1))) == ["reference", "mention", "failing"]


def test_ties_fall_to_fewer_tokens_then_path_start_end_id() -> None:
    given = [
        candidate("long", content="xx"),
        candidate("p", "b.py", content="x"),
        candidate("s", "a.py", (2, 2), content="x"),
        candidate("e", "a.py", (1, 2), content="x"),
        candidate("y", "a.py", (1, 1), content="x"),
        candidate("x", "a.py", (1, 1), content="x"),
    ]
    order = ["x", "y", "e", "s", "p", "long"]
    for seed in range(5):
        shuffled = random.Random(seed).sample(given, len(given))
        assert ranked(shuffled) == order


def test_a_group_ranks_as_its_best_member() -> None:
    given = [
        candidate("low", lines=(1, 1), score=1, group="g"),
        candidate("middle", lines=(2, 2), score=5),
        candidate("high", lines=(3, 3), score=9, group="g"),
    ]
    assert ranked(given) == ["high", "low", "middle"]


def test_stable_index_keeps_the_callers_order() -> None:
    given = [candidate("b", score=1), candidate("a", score=9), candidate("c", required=True)]
    assert ranked(given, policy=STABLE_INDEX) == ["b", "a", "c"]


def test_ranking_does_not_change_its_input() -> None:
    priced = [Priced(candidate(name, score=score), 1) for name, score in (("a", 1), ("b", 2))]
    before = list(priced)
    rank(priced, NO_EVIDENCE, TIERED)
    assert priced == before
