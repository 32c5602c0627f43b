"""Generated and vendored files rank lower."""

from __future__ import annotations

import pytest

from .workspace_of_texts import Workspace, assertion, exception

CODE = "def split_amount(text):\n    return text.split('-')\n"
TEST = "from money import split_amount\n\n\ndef test_split_amount():\n    assert split_amount('1') == 1\n"


@pytest.mark.parametrize(("copy", "word"), [("vendor/money.py", "vendored"), ("money_pb2.py", "generated")])
def test_a_copy_ranks_behind_the_code_that_is_written_here_and_says_why(copy: str, word: str) -> None:
    workspace = Workspace({"money.py": CODE, copy: CODE, "tests/test_money.py": TEST})
    failure = assertion(("tests/test_money.py", 5), message="split_amount is wrong")
    shown = [item.path for item in workspace.pack(failure).selection.items]
    assert shown.index("money.py") < shown.index(copy)
    lead = next(lead for lead in workspace.scene_leads(failure) if lead.path == copy)
    own = next(lead for lead in workspace.scene_leads(failure) if lead.path == "money.py")
    assert word in lead.why
    assert word not in own.why
    assert lead.parts["bm25"] <= own.parts["bm25"] / 2


def test_failing_code_counts_whole_wherever_it_lies() -> None:
    workspace = Workspace({"vendor/money.py": CODE, "tests/test_money.py": TEST})
    leads = workspace.scene_leads(exception(("vendor/money.py", 2), ("tests/test_money.py", 5)))
    lead = next(lead for lead in leads if lead.path == "vendor/money.py")
    assert lead.parts["traceback"] == 1.0
    assert "vendored" not in lead.why
