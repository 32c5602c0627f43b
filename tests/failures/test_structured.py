"""Structured formats: their own rules, their dangers, and what a cut leaves of them."""

# ruff: noqa: E501
# Outputs are shown as the tools print them.

from __future__ import annotations

import json

import pytest

from lsp_server.failures import parse_failures
from lsp_server.failures.detect import Shape, shape_of
from lsp_server.failures.structured.xml_tree import Forbidden, read_xml
from lsp_server.model.failure import FailureKind, FailureReport
from lsp_server.model.request import FailureOutput, Severity

from .folder_view import Folder

FOLDER = Folder(dict.fromkeys(["src/x.py", "src/x.ts", "tests/test_x.py", "src/X.cs", "src/x.rs"], "a\n" * 60))
FOLDER_TESTS = Folder(
    {
        "tests/test_x.py": "import os\n\n\ndef test_a():\n    assert 1 == 2\n\n\nclass TestB:\n    def test_c(self):\n        assert 1\n"
    }
)


def parse(text: str | bytes, folder: Folder = FOLDER) -> FailureReport:
    return parse_failures([FailureOutput(text)], [], folder, folder)


def places(report: FailureReport) -> list[list[tuple[str, int]]]:
    return [[(place.path, place.line) for place in failure.locations] for failure in report.failures]


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ('<?xml version="1.0"?><testsuite/>', Shape.XML),
        ("npm warn x\n<testsuites></testsuites>", Shape.XML),
        ('{"a": 1}', Shape.JSON),
        ("# pkg\n{\n}\n", Shape.JSON),
        ('{"a": 1}\n{"b": 2}\n{"c": 3}\n', Shape.JSON_LINES),
        ("src/x.py:1: error\n", Shape.TEXT),
        ("", Shape.TEXT),
    ],
)
def test_the_shape_is_told_from_the_head(text: str, shape: Shape) -> None:
    assert shape_of(text) is shape
    assert shape_of(text.encode()) is shape


def test_a_document_type_or_an_entity_is_refused() -> None:
    bomb = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "b"><!ENTITY c SYSTEM "file:///etc/passwd">]><testsuite>&c;</testsuite>'
    with pytest.raises(Forbidden):
        read_xml(bomb)
    assert parse(bomb).failures == ()


def test_a_cut_document_gives_what_it_has() -> None:
    text = (
        '<testsuite name="s"><testcase classname="a" name="b"><failure message="m">src/x.py:7: AssertionError</failure></testcase>'
        '<testcase classname="a" name="c"><fail'
    )
    assert places(parse(text)) == [[("src/x.py", 7)]]


def test_a_case_without_text_is_found_by_its_name() -> None:
    text = '<testsuite><testcase classname="tests.test_x.TestB" name="test_c"><error message="boom"/></testcase></testsuite>'
    report = parse(text, FOLDER_TESTS)
    assert places(report) == [[("tests/test_x.py", 9)]]
    assert report.failures[0].locations[0].confidence < 1.0


def test_a_line_attribute_alone_is_not_the_failure() -> None:
    text = '<testsuite><testcase classname="tests.test_x" name="test_a" file="tests/test_x.py" line="3"><failure message="m"/></testcase></testsuite>'
    assert places(parse(text, FOLDER_TESTS)) == [[("tests/test_x.py", 4)]]


def test_passed_and_skipped_cases_are_no_failures() -> None:
    text = '<testsuite><testcase name="a"/><testcase name="b"><skipped message="src/x.py:3"/></testcase></testsuite>'
    assert parse(text).failures == ()


def test_a_pytest_body_is_read_as_one_stack() -> None:
    body = (
        "    def test_a():\n&gt;       f(0)\n\ntests/test_x.py:5: \n_ _ _ _ _ _\n\nx = 0\n\n    def f(x):\n&gt;       return 1 / x\n"
        "E       ZeroDivisionError: division by zero\n\nsrc/x.py:7: ZeroDivisionError"
    )
    message = "ZeroDivisionError: division by zero"
    text = f'<testsuite><testcase classname="tests.test_x" name="test_a"><failure message="{message}">{body}</failure></testcase></testsuite>'
    report = parse(text)
    assert places(report) == [[("src/x.py", 7), ("tests/test_x.py", 5)]]
    assert report.failures[0].kind is FailureKind.EXCEPTION


def test_checkstyle() -> None:
    text = '<checkstyle><file name="/ci/src/x.py"><error line="3" column="1" severity="warning" message="m" source="a.b.Rule"/></file></checkstyle>'
    failure = parse(text).failures[0]
    assert (failure.locations[0].line, failure.severity, failure.code) == (3, Severity.WARNING, "Rule")


def test_trx() -> None:
    text = (
        '<TestRun xmlns="http://microsoft.com/schemas/VisualStudio/TeamTest/2010"><Results><UnitTestResult testName="A.B" outcome="Failed"><Output>'
        "<ErrorInfo><Message>boom</Message><StackTrace>   at A.B() in C:\\ci\\src\\X.cs:line 12</StackTrace></ErrorInfo></Output></UnitTestResult>"
        '<UnitTestResult testName="A.C" outcome="Passed"/></Results></TestRun>'
    )
    report = parse(text)
    assert places(report) == [[("src/X.cs", 12)]]
    assert (report.failures[0].test, report.failures[0].message) == ("A.B", "boom")


def test_json_among_other_lines() -> None:
    rows = [{"filename": "/ci/src/x.py", "location": {"row": 3, "column": 1}, "code": "F401", "message": "unused"}]
    text = f"$ ruff check\n{json.dumps(rows, indent=1)}\nsrc/x.py:9:1: error: also this\n"
    assert sorted(places(parse(text))) == [[("src/x.py", 3)], [("src/x.py", 9)]]


@pytest.mark.parametrize(
    "value",
    [
        {"version": "9", "generalDiagnostics": [{"file": "/ci/src/x.py", "severity": "error", "message": "m", "range": {"start": {"line": 6, "character": 0}, "end": {"line": 6, "character": 3}}}]},
        [{"type": "error", "module": "x", "line": 7, "column": 0, "path": "src/x.py", "symbol": "s", "message": "m", "message-id": "E0602"}],
        [{"filePath": "/ci/src/x.ts", "messages": [{"ruleId": "r", "severity": 2, "message": "m", "line": 7, "column": 1}]}],
        {"results": [{"path": "src/x.py", "start": {"line": 7}, "check_id": "r", "extra": {"message": "m"}, "message": "m"}]},
        [{"file": "src/x.py", "line": 7, "level": "error", "code": 2086, "message": "m"}],
        {"testResults": [{"name": "/ci/src/x.ts", "status": "failed", "assertionResults": [{"status": "failed", "fullName": "a", "failureMessages": ["Error: m\n    at f (/ci/src/x.ts:7:1)"]}]}]},
        {"tests": [{"nodeid": "tests/test_x.py::a", "outcome": "failed", "call": {"outcome": "failed", "crash": {"path": "/ci/src/x.py", "lineno": 7, "message": "m"}, "longrepr": ""}}], "summary": {}, "exitcode": 1},
        {"diagnostics": [{"message": "m", "severity": "error", "filename": "src/x.ts", "labels": [{"span": {"line": 7}}]}]},
        {"Issues": [{"FromLinter": "errcheck", "Text": "m", "Pos": {"Filename": "src/x.py", "Line": 7, "Column": 1}}]},
        {"version": "2.1.0", "runs": [{"results": [{"message": {"text": "m"}, "level": "error", "locations": [{"physicalLocation": {"artifactLocation": {"uri": "src/x.py"}, "region": {"startLine": 7}}}]}]}]},
        {"uri": "file:///ci/src/x.py", "diagnostics": [{"message": "m", "range": {"start": {"line": 6, "character": 0}, "end": {"line": 6, "character": 1}}}]},
    ],
    ids=["pyright", "pylint", "eslint", "semgrep", "shellcheck", "jest", "pytest-json-report", "oxlint", "golangci", "sarif", "lsp"],
)  # fmt: skip
def test_tools_json(value: object) -> None:
    found = places(parse(json.dumps(value)))
    assert [[line for _, line in places] for places in found] == [[7]]
    assert places(parse(json.dumps(value, indent=2))) == found


def test_mypy_and_cargo_lines() -> None:
    mypy = {"file": "src/x.py", "line": 7, "column": 1, "message": "m", "hint": None, "code": "c", "severity": "error"}
    span = {"file_name": "src/x.rs", "line_start": 9, "line_end": 9, "column_start": 1, "is_primary": True, "text": []}
    cargo = {
        "reason": "compiler-message",
        "message": {"level": "error", "message": "m", "spans": [span], "children": [], "code": None},
    }
    assert places(parse("".join(json.dumps(one) + "\n" for one in (mypy, cargo)))) == [
        [("src/x.py", 7)],
        [("src/x.rs", 9)],
    ]


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[1, 2",
        '{"runs": 7, "version": 1}',
        '{"testResults": [1, null]}',
        "[" * 100_000,
        '{"a":' * 50_000,
        "<a" * 9,
        "<testsuite",
    ],
)
def test_broken_documents_are_no_error(text: str) -> None:
    assert isinstance(parse(text), FailureReport)


def test_a_failed_suite_is_a_failure_of_collection_or_syntax() -> None:
    value = {
        "testResults": [
            {
                "name": "/ci/src/x.ts",
                "status": "failed",
                "assertionResults": [],
                "message": "SyntaxError: /ci/src/x.ts: Unexpected token (7:3)",
            }
        ]
    }
    report = parse(json.dumps(value))
    assert places(report) == [[("src/x.ts", 7)]]
    assert report.failures[0].kind is FailureKind.SYNTAX
