"""User patterns: VS Code's problemMatcher JSON and GitHub Actions' files work as they are."""

from __future__ import annotations

from typing import Any

import pytest

from lsp_server.failures import FailureOptions, parse_failures
from lsp_server.failures.matchers import load_matchers
from lsp_server.failures.shipped_matchers import SHIPPED
from lsp_server.model.errors import SettingError
from lsp_server.model.failure import FailureReport
from lsp_server.model.request import FailureOutput, Severity

from .folder_view import Folder

FOLDER = Folder(dict.fromkeys(["src/x.py", "src/y.py", "sub/z.py"], "a\n" * 60))
AT = {"regexp": r"^(\S+)@(\d+): (.*)$", "file": 1, "line": 2, "message": 3}


def parse(matchers: object, text: str) -> FailureReport:
    options = FailureOptions(matchers=load_matchers(matchers, SHIPPED))
    return parse_failures([FailureOutput(text)], [], FOLDER, FOLDER, options)


def places(report: FailureReport) -> list[list[tuple[str, int]]]:
    return [[(place.path, place.line) for place in failure.locations] for failure in report.failures]


def test_a_single_pattern() -> None:
    report = parse({"owner": "mine", "pattern": AT}, "src/x.py@12: odd thing\n")
    assert places(report) == [[("src/x.py", 12)]]
    assert report.failures[0].message == "odd thing"
    assert report.failures[0].tool == "mine"


def test_severity_code_and_end() -> None:
    pattern = {
        "regexp": r"^(\S+)!(\d+)-(\d+)!(\w+)!(\w+)!(.*)$",
        "file": 1,
        "line": 2,
        "endLine": 3,
        "severity": 4,
        "code": 5,
        "message": 6,
    }
    failure = parse([{"pattern": pattern}], "src/x.py!12!!\nsrc/x.py!12-14!warning!C1!text\n").failures[0]
    assert (failure.severity, failure.code, failure.locations[0].end_line) == (Severity.WARNING, "C1", 14)


def test_several_lines_with_a_loop() -> None:
    matcher = {
        "pattern": [
            {"regexp": r"^FILE (\S+)$", "file": 1},
            {"regexp": r"^ +(\d+) (.*)$", "line": 1, "message": 2, "loop": True},
        ]
    }
    report = parse([matcher], "FILE src/x.py\n  3 one\n  7 two\nFILE src/y.py\n  9 three\n")
    assert places(report) == [[("src/x.py", 3)], [("src/x.py", 7)], [("src/y.py", 9)]]


def test_several_lines_without_a_loop() -> None:
    matcher = {
        "pattern": [{"regexp": r"^bad: (.*)$", "message": 1}, {"regexp": r"^ in (\S+) (\d+)$", "file": 1, "line": 2}]
    }
    report = parse([matcher], "bad: thing\n in src/x.py 3\nbad: torn\nnothing\n in src/x.py 9\n")
    assert [(failure.message, failure.locations[0].line) for failure in report.failures] == [("thing", 3)]


def test_a_location_group_in_all_its_forms() -> None:
    pattern = {"regexp": r"^(\S+?)\{([^}]*)\} (.*)$", "file": 1, "location": 2, "message": 3}
    report = parse([{"pattern": pattern}], "src/x.py{3} a\nsrc/x.py{4,2} b\nsrc/x.py{5,2,7,1} c\n")
    assert [(failure.locations[0].line, failure.locations[0].end_line) for failure in report.failures] == [
        (3, None),
        (4, None),
        (5, 7),
    ]


def test_a_file_location_names_the_folder() -> None:
    report = parse([{"fileLocation": ["relative", "${workspaceFolder}/sub"], "pattern": AT}], "z.py@5: x\n")
    assert places(report) == [[("sub/z.py", 5)]]


def test_frames_become_one_failure_and_related_joins_it() -> None:
    frame = {"role": "frame", "pattern": {"regexp": r"^\* (\S+) (\d+)$", "file": 1, "line": 2}}
    related = {"role": "related", "pattern": {"regexp": r"^~ (\S+) (\d+)$", "file": 1, "line": 2}}
    report = parse([frame, related], "* src/x.py 3\n* src/y.py 4\n~ sub/z.py 5\n")
    assert places(report) == [[("src/x.py", 3), ("src/y.py", 4), ("sub/z.py", 5)]]


def test_the_first_match_wins_and_more_lines_come_first() -> None:
    short = {"owner": "short", "pattern": {"regexp": r"^E (\S+) (\d+)$", "file": 1, "line": 2}}
    long = {
        "owner": "long",
        "pattern": [{"regexp": r"^E (\S+) (\d+)$", "file": 1, "line": 2}, {"regexp": r"^  (.*)$", "message": 1}],
    }
    report = parse([short, long], "E src/x.py 3\n  said\n")
    assert [(failure.tool, failure.message) for failure in report.failures] == [("long", "said")]


def test_a_github_actions_file() -> None:
    file = {"problemMatcher": [{"owner": "mine", "severity": "warning", "pattern": [AT]}]}
    assert parse(file, "src/x.py@3: a\n").failures[0].severity is Severity.WARNING


def test_references_and_bases() -> None:
    assert places(parse("$gcc", "src/x.py:3:1: error: a\n")) == [[("src/x.py", 3)]]
    matcher = {"base": "$tsc", "owner": "mine", "severity": "info"}
    assert places(parse([matcher], "src/x.py(3,1): error TS1: a\n")) == [[("src/x.py", 3)]]


def test_other_lines_still_go_to_the_grammars() -> None:
    text = "src/x.py@3: mine\nsrc/y.py:4:1: error: theirs\n"
    assert places(parse([{"pattern": AT}], text)) == [[("src/x.py", 3)], [("src/y.py", 4)]]


def test_every_shipped_matcher_loads() -> None:
    loaded = load_matchers(list(SHIPPED), SHIPPED).matchers
    assert {f"${matcher.name}" for matcher in loaded} == set(SHIPPED)


def test_a_pattern_that_takes_forever_is_dropped() -> None:
    evil = {"owner": "evil", "pattern": {"regexp": r"^(a|aa|a?)+$!", "file": 1}}
    report = parse([evil, {"pattern": AT}], "a" * 3_000 + "\nsrc/x.py@3: fine\n")
    assert places(report) == [[("src/x.py", 3)]]


@pytest.mark.parametrize(
    ("value", "path"),
    [
        (7, "matchers[0]"),
        ("$nope", "matchers[0]"),
        ([{"owner": "x"}], "matchers[0].pattern"),
        ([{"pattern": {"regexp": "("}}], "matchers[0].pattern.regexp"),
        ([{"pattern": {"regexp": "a", "file": 3}}], "matchers[0].pattern.file"),
        ([{"pattern": {"regexp": "(a)", "file": True}}], "matchers[0].pattern.file"),
        ([{"pattern": {"regexp": "a", "loop": True}}], "matchers[0].pattern"),
        ([{"pattern": AT, "severity": "loud"}], "matchers[0].severity"),
        ([{"pattern": AT, "role": "star"}], "matchers[0].role"),
        ([{"pattern": AT, "fileLocation": "moon"}], "matchers[0].fileLocation"),
        ({"problemMatcher": [{"pattern": []}]}, "matchers.problemMatcher[0].pattern"),
    ],
)
def test_a_wrong_matcher_is_refused_by_name(value: Any, path: str) -> None:
    with pytest.raises(SettingError) as caught:
        load_matchers(value, SHIPPED)
    assert caught.value.path == path
