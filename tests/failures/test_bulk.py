"""Diagnostics in bulk: the telling ones stay, the rest is counted."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from lsp_server.failures import FailureOptions, parse_failures
from lsp_server.failures.bulk import PER_FILE
from lsp_server.model.failure import FailureReport, Role
from lsp_server.model.lines import LineRange
from lsp_server.model.request import DiagnosticInput, FailureOutput, Place, RelatedLocation, Severity

from .folder_view import Folder

FILES = [f"src/m{number}.py" for number in range(12)]
FOLDER = Folder(dict.fromkeys(FILES, "x = 1\n" * 200))


def item(line: int, message: str = "odd", path: str = FILES[0], **more: object) -> DiagnosticInput:
    return DiagnosticInput(path, LineRange(line, line), message, **more)  # type: ignore[arg-type]


def parse(items: Sequence[DiagnosticInput], options: FailureOptions | None = None, text: str = "") -> FailureReport:
    outputs = [FailureOutput(text)] if text else []
    return parse_failures(outputs, items, FOLDER, FOLDER, options or FailureOptions())


def lines(report: FailureReport) -> list[int]:
    return [failure.locations[0].line for failure in report.failures]


def test_few_are_all_shown_errors_first() -> None:
    report = parse([item(1, severity=Severity.WARNING), item(2), item(3, severity=Severity.INFORMATION)])
    assert lines(report) == [2, 1, 3]
    assert report.left_out == ()


def test_hints_are_dropped_and_counted() -> None:
    report = parse([item(1, severity=Severity.HINT), item(2)])
    assert lines(report) == [2]
    assert report.left_out == (("hint", 1),)


def test_unnecessary_lowers_the_rank_and_never_excludes() -> None:
    report = parse([item(1, unnecessary=True), item(2)])
    assert lines(report) == [2, 1]


def test_related_places_in_the_workspace_follow() -> None:
    related = (
        RelatedLocation(FILES[1], LineRange(7, 9), "declared here"),
        RelatedLocation("/usr/include/x.h", LineRange(1, 1)),
    )
    places = parse([item(2, related=related)]).failures[0].locations
    assert [(place.path, place.line, place.role) for place in places] == [
        (FILES[0], 2, Role.PRIMARY),
        (FILES[1], 7, Role.RELATED),
    ]


def test_an_echo_of_the_diagnostic_is_no_related_place() -> None:
    related = (RelatedLocation(FILES[1], LineRange(7, 7), "original diagnostic"),)
    assert len(parse([item(2, related=related)]).failures[0].locations) == 1


def test_of_a_broken_file_the_first_syntax_error_stays_without_its_cascade() -> None:
    cascade = [item(line, f"Expected expression {line}") for line in range(10, 40)] + [
        item(50 + n, f'"n{n}" is not defined') for n in range(20)
    ]
    report = parse([item(9, "Expected ':'"), *cascade])
    assert lines(report) == [9]
    assert dict(report.left_out) == {"cascade": 50}


def test_one_missing_name_is_shown_three_times() -> None:
    items = [
        item(n + 1, '"spade" is not defined', path, code="reportUndefinedVariable") for n, path in enumerate(FILES * 6)
    ]
    report = parse(items)
    assert len(report.failures) == 3
    assert dict(report.left_out) == {"same-cause": len(items) - 3}


def test_different_missing_names_are_not_one_cause() -> None:
    items = [item(n + 1, f'"name{n}" is not defined', FILES[n % 12]) for n in range(48)]
    assert len(parse(items).failures) > 12


def test_a_file_shows_at_most_its_share() -> None:
    items = [item(n + 1, f"problem of its own kind {chr(97 + n % 26)}{chr(97 + n // 26)}") for n in range(100)]
    report = parse(items)
    assert len(report.failures) == PER_FILE
    assert sum(count for _, count in report.left_out) == 100 - PER_FILE


def test_those_at_the_cursor_in_edits_and_on_failing_frames_come_first_and_stay() -> None:
    items = [item(n + 1, f"problem {chr(97 + n % 26)}{chr(97 + n // 26)}") for n in range(100)]
    options = FailureOptions(
        cursor=Place(FILES[0], LineRange(90, 90)), recent_edits=(Place(FILES[0], LineRange(80, 80)),)
    )
    report = parse(items, options, text=f"{FILES[0]}:70:1: error: boom\n")
    assert lines(report)[1:4] == [70, 90, 80]


def test_a_stale_version_is_marked() -> None:
    failure = parse([item(500)]).failures[0]
    assert failure.stale
    assert failure.locations[0].confidence < 0.5


def test_a_document_outside_every_root_has_no_place() -> None:
    assert parse([item(1, path="untitled:Untitled-1")]).failures[0].locations == ()


@settings(max_examples=40)
@given(
    st.lists(
        st.builds(
            lambda path, line, message, severity: item(line, message, path, severity=severity),
            st.sampled_from(FILES),
            st.integers(1, 200),
            st.sampled_from(["Expected ':'", '"a" is not defined', '"b" is not defined', "type mismatch", "unused"]),
            st.sampled_from(list(Severity)),
        ),
        max_size=150,
    )
)
def test_every_diagnostic_is_shown_or_counted(items: list[DiagnosticInput]) -> None:
    report = parse(items)
    distinct = {(one.path, one.range.start, one.message) for one in items if one.severity is not Severity.HINT}
    counted = sum(count for cause, count in report.left_out if cause != "hint")
    assert len(report.failures) + counted <= len([one for one in items if one.severity is not Severity.HINT])
    assert len(report.failures) + counted >= len(distinct)
