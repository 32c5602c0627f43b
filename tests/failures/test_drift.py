"""Stale numbers are moved to where the printed line is now, and say so."""

from __future__ import annotations

from lsp_server.failures import FailureOptions, parse_failures
from lsp_server.failures.drift import LineShift, anchor
from lsp_server.model.request import FailureOutput
from lsp_server.model.source import SourceText

from .folder_view import Folder


def source(text: str) -> SourceText:
    return Folder({"x.py": text}).read("x.py")


OLD = "a = 1\nb = load(path)\nc = 3\n"
NEW = "# new\n# new\n# new\n" + OLD


def test_the_printed_line_is_found_again() -> None:
    found = anchor(2, "b = load(path)", source(NEW))
    assert (found.line, found.confidence) == (5, 0.9)


def test_the_nearest_of_equal_lines_wins() -> None:
    text = "return value / rate\n" + "x\n" * 20 + "return value / rate\n"
    assert anchor(20, "return value / rate", source(text)).line == 22
    assert anchor(3, "return value / rate", source(text)).line == 1


def test_a_line_that_still_fits_stays() -> None:
    assert anchor(2, "b = load(path)", source(OLD)).confidence == 1.0


def test_white_space_and_cut_ends_do_not_matter() -> None:
    assert anchor(2, "b  =  load(path)", source(OLD)).confidence == 1.0


def test_the_diff_moves_a_line_that_was_not_printed() -> None:
    found = anchor(2, None, source(NEW), [LineShift(1, 0, 3)])
    assert (found.line, found.confidence) == (5, 0.8)


def test_a_line_above_the_change_does_not_move() -> None:
    assert anchor(1, None, source(NEW), [LineShift(2, 0, 3)]).line == 1


def test_a_vanished_line_keeps_its_number_with_less_confidence() -> None:
    found = anchor(2, "b = something_else(path)", source(OLD))
    assert (found.line, found.confidence) == (2, 0.6)


def test_a_number_past_the_end_is_held_at_the_end() -> None:
    found = anchor(99, None, source(OLD))
    assert (found.line, found.confidence) == (3, 0.3)


def test_a_moved_place_tells_the_number_that_was_printed() -> None:
    folder = Folder({"x.py": NEW})
    text = 'Traceback (most recent call last):\n  File "/app/x.py", line 2, in f\n    b = load(path)\nOSError: gone\n'
    place = parse_failures([FailureOutput(text)], [], folder, folder).failures[0].locations[0]
    assert (place.line, place.reported_line) == (5, 2)
    assert place.confidence < 1.0


def test_the_changes_since_an_outputs_commit_are_used_and_only_then() -> None:
    folder = Folder({"x.py": NEW})
    options = FailureOptions(changes={"x.py": [LineShift(1, 0, 3)]})

    def place(output: FailureOutput) -> tuple[int, int | None]:
        found = parse_failures([output], [], folder, folder, options).failures[0].locations[0]
        return found.line, found.reported_line

    text = "x.py:2:1: error: boom\n"
    assert place(FailureOutput(text, commit="1234abc")) == (5, 2)
    assert place(FailureOutput(text)) == (2, None)
