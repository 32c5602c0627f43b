"""What was changed last, and what was changed together with the failing test, is proposed and says so."""

from __future__ import annotations

from lsp_server.context.build import build_context
from lsp_server.model.lines import LineRange
from lsp_server.model.request import Budget, BuildRequest
from lsp_server.model.values import replace
from lsp_server.retrieval import change, cochange
from lsp_server.retrieval.lead import Lead
from lsp_server.workspace.touched import Touched

from .workspace_of_texts import Workspace, assertion

MONEY = "".join(f"def {name}(text):\n    return text\n\n\n" for name in ("split", "join", "round_up"))
FAR = "def elsewhere():\n    return 1\n"
TEST = "import money\n\n\ndef test_split():\n    assert money.split('1') == 1\n"
WORKSPACE = Workspace({"money.py": MONEY, "far.py": FAR, "tests/test_money.py": TEST})
FAILURE = assertion(("tests/test_money.py", 5))


def found(*changes: Touched) -> dict[str, Lead]:
    scene = replace(WORKSPACE.scene(FAILURE), changes=changes)
    return {lead.name: lead for result in change.candidates(scene) for lead in result.leads}


def together(*changes: Touched) -> dict[str, Lead]:
    scene = replace(WORKSPACE.scene(FAILURE), changes=changes)
    return {lead.name: lead for result in cochange.candidates(scene) for lead in result.leads}


def touch(path: str, first: int, last: int, age: int, size: int = 1) -> Touched:
    return Touched(path, LineRange(first, last), age, size)


def test_every_unit_that_a_change_touches_is_proposed() -> None:
    assert set(found(touch("money.py", 2, 6, age=0))) == {"split", "join"}


def test_what_is_not_committed_counts_more_than_the_last_commit_and_each_says_which_it_is() -> None:
    leads = found(touch("money.py", 2, 2, age=0), touch("money.py", 6, 6, age=1))
    assert leads["split"].score > leads["join"].score
    assert leads["split"].why == "changed and not yet committed"
    assert leads["join"].why == "changed in the last commit"


def test_older_commits_are_no_evidence_by_themselves() -> None:
    assert found(touch("money.py", 2, 2, age=2)) == {}


def test_a_change_far_from_the_failure_counts_less_than_one_in_a_file_that_it_imports() -> None:
    leads = found(touch("far.py", 2, 2, age=1), touch("money.py", 2, 2, age=1))
    assert leads["elsewhere"].score < leads["split"].score


def test_a_change_of_many_places_says_less_of_each() -> None:
    assert found(touch("money.py", 2, 2, 1, size=400))["split"].score < found(touch("money.py", 2, 2, 1))["split"].score


def test_what_was_committed_with_lines_around_the_failing_test_is_proposed_and_names_the_test() -> None:
    leads = together(touch("tests/test_money.py", 1, 1, age=7), touch("money.py", 6, 6, age=7))
    assert leads["join"].why == "committed together with lines near test_split, 7 commits ago"


def test_commits_that_did_not_touch_the_failing_test_are_no_evidence_of_what_belongs_to_it() -> None:
    leads = together(touch("tests/test_money.py", 4, 4, age=3), touch("money.py", 2, 2, 3), touch("money.py", 6, 6, 4))
    assert "split" in leads
    assert "join" not in leads
    assert together(touch("tests/test_money.py", 4, 4, age=0), touch("money.py", 2, 2, age=0)) == {}


def test_lines_far_above_or_below_the_failing_test_are_not_its_own() -> None:
    assert together(touch("tests/test_money.py", 60, 60, age=3), touch("money.py", 2, 2, age=3)) == {}


def test_older_commits_count_less() -> None:
    recent = together(touch("tests/test_money.py", 4, 4, age=1), touch("money.py", 2, 2, age=1))
    old = together(touch("tests/test_money.py", 4, 4, age=40), touch("money.py", 2, 2, age=40))
    assert old["split"].score < recent["split"].score


def test_a_change_never_comes_before_what_fails() -> None:
    changed = tuple(touch("far.py", 2, 2, age) for age in (0, 1))
    request = BuildRequest(failures=(FAILURE,), budget=Budget(limit=4_000))
    pack = build_context(WORKSPACE.snapshot, request, replace(WORKSPACE.means, changes=changed))
    assert pack.selection.items[0].path == "tests/test_money.py"
    assert "far.py" in [item.path for item in pack.selection.items]
