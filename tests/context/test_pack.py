"""`select` as a whole: what the result tells beside the chosen items."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from lsp_server.context.evidence import evidence_of
from lsp_server.context.pack import SelectionOptions, select
from lsp_server.model.candidate import Cause, Reason, Rejected
from lsp_server.model.errors import ScoreError
from lsp_server.model.failure import Failure, FailureKind, Location
from lsp_server.model.lines import LineRange
from lsp_server.model.pack import SourceCount
from lsp_server.model.request import Budget, Unit
from lsp_server.text.tokens import CharCounter, EstimateCounter

from .selection_cases import candidate, failing

ESTIMATE = EstimateCounter()


def rejected(id: str, cause: Cause, **more: object) -> Rejected:
    return Rejected(id, "gone.py", LineRange(1, 1), Reason.REFERENCE, "definition", 1.0, cause, **more)  # type: ignore[arg-type]


def test_validation_is_before_everything() -> None:
    with pytest.raises(ScoreError):
        select([candidate("a", score=float("nan"))], Budget(0), ESTIMATE)


def test_costs_are_of_the_snippet_as_rendered() -> None:
    selection = select([candidate("a", content="x\n")], Budget(500, Unit.CHARS), CharCounter())
    heading = "\n### `src/a.py:1-1`\nsearch · from bm25\n```py\n"
    assert selection.items[0].cost == len(heading) + len("x\n```\n")


def test_rejected_candidates_are_omitted_with_their_cause_after_the_ranked_ones() -> None:
    gone = [rejected("z", Cause.MISSING), rejected("y", Cause.STALE)]
    selection = select([candidate("a", content="x" * 900)], Budget(100), ESTIMATE, rejected=gone)
    assert [(one.id, one.cause, one.rank) for one in selection.omitted] == [
        ("a", Cause.BUDGET, 1),
        ("y", Cause.STALE, None),
        ("z", Cause.MISSING, None),
    ]


def test_a_rejected_member_keeps_its_group_out() -> None:
    given = [candidate("a", group="g"), candidate("b", "b.py")]
    selection = select(given, Budget(), ESTIMATE, rejected=[rejected("r", Cause.STALE, group="g")])
    assert [item.id for item in selection.items] == ["b"]
    assert [(one.id, one.cause, one.blocked_by) for one in selection.omitted if one.id == "a"] == [
        ("a", Cause.GROUP, "r")
    ]


def test_a_denied_member_keeps_its_group_out() -> None:
    given = [candidate("a", "ok.py", group="g"), candidate("b", ".env", group="g")]
    selection = select(given, Budget(), ESTIMATE, options=SelectionOptions(allowed=lambda path: path != ".env"))
    assert [(one.id, one.cause) for one in selection.omitted] == [("a", Cause.GROUP), ("b", Cause.POLICY)]


def test_a_denied_file_is_withheld_even_when_it_is_the_failing_file() -> None:
    given = [candidate("secret", ".env", (3, 3), "failure", content="TOKEN=1\n"), candidate("other")]
    options = SelectionOptions(allowed=lambda path: path != ".env")
    selection = select(given, Budget(), ESTIMATE, evidence=failing((".env", 3)), options=options)
    assert [item.id for item in selection.items] == ["other"]
    (omission,) = selection.omitted
    assert (omission.id, omission.cause, omission.range, omission.cost) == (
        "secret",
        Cause.POLICY,
        LineRange(1, 1),
        None,
    )
    assert selection.missing_critical


def test_text_and_input_stay_as_they_are() -> None:
    long = "".join(f"line {number}\r\n" for number in range(200)) + "no end"
    given = [candidate("low", score=1, content=long), candidate("high", "b.py", score=2, content="\n \n")]
    before = list(given)
    selection = select(given, Budget(), ESTIMATE)
    assert given == before
    assert [item.content for item in selection.items] == ["\n \n", long]


def test_required_candidates_that_are_not_shown_are_told() -> None:
    given = [
        candidate("small", lines=(1, 9), required=True),
        candidate("inside", lines=(2, 3), reason="open", required=True),
        candidate("same", lines=(1, 9), score=0.5, content="text of small\n", required=True),
        candidate("huge", "b.py", content="x" * 9_000, required=True),
    ]
    gone = [rejected("denied", Cause.POLICY, required=True)]
    selection = select(given, Budget(1_000), ESTIMATE, rejected=gone)
    assert [item.id for item in selection.items] == ["small"]
    assert selection.missing_required == ("huge", "denied")


def test_sources_that_found_nothing_differ_from_sources_whose_items_lost() -> None:
    given = [candidate("a"), candidate("b", source="definition", content="x" * 900)]
    selection = select(given, Budget(100), ESTIMATE, cut={"caller": 0, "bm25": 7})
    assert selection.sources == {
        "bm25": SourceCount(found=8, admitted=1, omitted=0, cut=7),
        "caller": SourceCount(),
        "definition": SourceCount(found=1, admitted=0, omitted=1),
    }


def test_a_task_without_failures_misses_nothing_critical() -> None:
    assert not select([], Budget(), ESTIMATE).missing_critical
    assert select([], Budget(), ESTIMATE, evidence=failing(("a.py", 1))).missing_critical
    assert not select([], Budget(), ESTIMATE, evidence=failing(("a.py", None))).missing_critical


def test_the_reserve_is_taken_off_before_anything_is_packed() -> None:
    selection = select([candidate("a", content="x" * 90)], Budget(200, Unit.CHARS, reserve=150), CharCounter())
    assert (selection.items, selection.budget) == ((), 50)


def test_body_costs_are_counted_once_for_one_content() -> None:
    counted: list[str] = []

    class Counting:
        id = "counting"

        def count(self, text: str) -> int:
            counted.append(text)
            return len(text)

    costs: dict[tuple[str, int, str, str, int], int] = {}
    given = [candidate("a", content="body\n"), candidate("b", "b.py", content="body\n")]
    for _ in range(2):
        select(given, Budget(500), Counting(), options=SelectionOptions(costs=costs))
    assert counted.count("body\n```\n") == 1


@pytest.mark.parametrize(("kind", "line_is_failing"), [(FailureKind.DIAGNOSTIC, False), (FailureKind.EXCEPTION, True)])
def test_a_diagnostic_fails_at_its_start_line_a_statement_on_all_its_lines(
    kind: FailureKind, line_is_failing: bool
) -> None:
    evidence = evidence_of([Failure("f", "m", kind, locations=(Location("a.py", 3, end_line=9), Location("b.py", 1)))])
    assert evidence.files == ("a.py",)
    assert evidence.holds_failing_line("a.py", LineRange(3, 3))
    assert evidence.holds_failing_line("a.py", LineRange(8, 12)) == line_is_failing


def test_a_stale_failure_is_never_silently_on_top() -> None:
    stale = Failure("f", "m", FailureKind.DIAGNOSTIC, locations=(Location("a.py", 3),), stale=True)
    fresh = Failure("g", "m", FailureKind.DIAGNOSTIC, locations=(Location("b.py", 4),))
    evidence = evidence_of([stale, fresh])
    assert evidence.files == ("b.py", "a.py")
    assert not evidence.holds_failing_line("a.py", LineRange(1, 9))


SCRIPT = """
import json, sys
from lsp_server.context.json import pack_to_dict
from lsp_server.context.evidence import evidence_of
from lsp_server.context.layout import layout, link_items
from lsp_server.context.pack import SelectionOptions, select
from lsp_server.context.render import json_text, render_items
from lsp_server.context.template import MarkdownTemplate
from lsp_server.model.candidate import Candidate, Reason
from lsp_server.model.failure import Failure, FailureKind, Location
from lsp_server.model.lines import LineRange
from lsp_server.model.pack import ContextPack
from lsp_server.model.request import Budget
from lsp_server.text.hashing import content_hash
from lsp_server.text.tokens import EstimateCounter

reasons = list(Reason)
candidates = [
    Candidate(f"c{n}", f"src/{n % 5}.py", LineRange(n % 17 + 1, n % 17 + 1 + n % 7), f"line {n}\\n" * (n % 9 + 1),
              reasons[n % len(reasons)], (n * 37 % 11) / 3, ["bm25", "definition", "caller"][n % 3],
              content_hash(f"line {n}\\n" * (n % 9 + 1)), group=f"g{n}" if n % 13 == 0 else None)
    for n in range(80)
]
failures = [Failure(f"f{n}", "boom", FailureKind.PANIC, locations=(Location(f"src/{n}.py", n + 2),)) for n in range(3)]
selection = select(candidates, Budget(900), EstimateCounter(), failures=failures, cut={"caller": 3, "map": 0})
pack = ContextPack(selection, layout(selection.items, evidence_of(failures)), tuple(failures),
                   link_items(failures, selection.items))
sys.stdout.write(json_text(pack_to_dict(pack)))
sys.stdout.write(render_items(selection, selection.items, failures, MarkdownTemplate()))
"""


def test_another_process_with_another_hash_seed_gives_the_same_bytes() -> None:
    outputs = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
            cwd=Path(__file__).parents[2],
            capture_output=True,
            check=True,
            timeout=60,
        ).stdout
        for seed in ("0", "1", "4711")
    }
    assert len(outputs) == 1
    text = outputs.pop().decode()
    plain, _ = json.JSONDecoder().raw_decode(text)
    assert plain["items"]
    assert plain["omitted"]
