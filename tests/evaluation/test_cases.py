"""Cases in all shapes, and what is refused."""

from __future__ import annotations

import json

import pytest

from lsp_server.evaluation.cases import read_cases
from lsp_server.model.errors import RequestError
from lsp_server.model.failure import FailureKind, Role

BUG_FIX = {
    "id": "demo-1",
    "repo": "owner/demo",
    "lang": "python",
    "buggy_commit": "a" * 40,
    "fixed_commit": "b" * 40,
    "test_files": ["tests/test_x.py"],
    "diagnostics": [
        {
            "path": "tests/test_x.py",
            "start_line": 5,
            "end_line": 9,
            "message": "test_x failed: KeyError",
            "kind": "test",
        },
        {"path": "tests/test_x.py", "start_line": 7, "end_line": 7, "message": "", "kind": "frame"},
        {"path": "demo/x.py", "start_line": 30, "end_line": 30, "message": "", "kind": "frame"},
    ],
    "query": "test_x failed",
    "gold": [{"path": "demo/x.py", "start": 29, "end": 30}],
    "gold_functions": [{"path": "demo/x.py", "start": 25, "end": 40, "name": "x"}],
}


def lines(*values: object) -> str:
    return "".join(json.dumps(value) + "\n" for value in values)


def test_a_bug_fix_becomes_a_failure_with_its_deepest_frame_first() -> None:
    (case,) = read_cases(lines(BUG_FIX)).cases
    (failure,) = case.request.failures
    assert failure.kind is FailureKind.EXCEPTION
    assert [(place.path, place.line, place.role) for place in failure.locations] == [
        ("demo/x.py", 30, Role.PRIMARY),
        ("tests/test_x.py", 7, Role.FRAME),
        ("tests/test_x.py", 5, Role.TEST),
    ]
    assert case.checkout is not None
    assert case.gold_files == ("demo/x.py",)


def test_a_plain_case_takes_output_and_expected_paths() -> None:
    plain = {"workspace": "w", "failure": "boom", "expected": ["a.py", {"path": "b.py", "start": 1, "end": 2}]}
    (case,) = read_cases(lines({**plain, "success": True})).cases
    assert case.request.failure_output[0].data == "boom"
    assert [one.path for one in case.gold] == ["a.py", "b.py"]
    assert case.success is True


def test_a_case_without_expectation_is_set_apart() -> None:
    found = read_cases(lines({"id": "n", "workspace": "w", "query": "q", "expected": []}))
    assert found.cases == ()
    assert found.without_expectation == ("n",)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no case"),
        ("{", "line 1"),
        ("[]", "line 1"),
        (lines({"workspace": "w", "expected": ["a"]}), "query"),
        (lines({"workspace": "w", "query": "q", "expected": "a"}), "expected"),
        (lines({"workspace": "w", "query": "q", "expected": ["a"], "success": "yes"}), "success"),
        (lines({**BUG_FIX, "gold": [{"path": "a"}], "query": None, "diagnostics": 3}), "line 1"),
    ],
)
def test_what_is_wrong_is_named(text: str, says: str) -> None:
    with pytest.raises(RequestError, match=says):
        read_cases(text)
