"""Logs of any size: bounded memory, and no line that takes long."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Iterator

import pytest

from lsp_server.failures import parse_failures
from lsp_server.failures.grammars import GRAMMARS
from lsp_server.failures.parse import read_output
from lsp_server.failures.stream import Stream, Triggers
from lsp_server.model.errors import Cancelled
from lsp_server.model.request import FailureOutput

from .fixture_cases import cases
from .folder_view import Folder

NOISE = (
    "2026-11-29T12:30:45.123Z INFO req 17 http://10.0.0.7:8080/api/17 200 12ms\n"
    "DEBUG cache[7:3] key=user:17:3 ttl=1:30:00\n"
    + "." * 119
    + "\n[ 17%] Building CXX object CMakeFiles/x.dir/f17.cpp.o\n"
    + "x" * 3_000
    + ":12:3\n"
)


def test_a_failure_at_the_end_of_a_long_log_is_found_within_a_window_of_memory() -> None:
    case = next(case for case in cases() if case.id == "huge-50mb")
    data = (NOISE * 4_000).encode() + case.data
    folder = case.folder
    parse_failures([FailureOutput(case.data)], [], folder, folder)
    tracemalloc.start()
    report = parse_failures([FailureOutput(data)], [], folder, folder)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert report.failures == case.parse().failures
    assert peak < len(data) / 2


def test_the_same_words_a_thousand_times_are_one_failure() -> None:
    drafts, left_out = read_output(FailureOutput("src/x.py:1:1: error: same words\n" * 5_000))
    assert (len(drafts), left_out) == (1, 0)


def test_failures_over_the_limit_are_counted() -> None:
    text = "".join(f"src/x.py:{number}:1: error: word{number}\n" for number in range(1, 6_001))
    drafts, left_out = read_output(FailureOutput(text))
    assert len(drafts) + left_out == 6_000
    assert left_out > 0


def test_a_withdrawn_request_stops_between_two_pieces() -> None:
    calls = iter(range(100))

    def checkpoint() -> None:
        if next(calls) == 3:
            raise Cancelled

    folder = Folder({"x.py": "a\n"})
    with pytest.raises(Cancelled):
        parse_failures([FailureOutput(NOISE * 2_000)], [], folder, folder, checkpoint=checkpoint)


def hostile() -> Iterator[str]:
    """Lines that make careless patterns backtrack."""
    for part in (
        "a", "a.b", "a:", "a.b:1", "(", "((", "[", "at a ", "at a (", " ", "\t", "' ", '"', 'File "', "::", "/", "\\",
        "../", "a/", "- ", "=", "_", "-", "a.py:1:", "1:", ", ", "a, ", "› ", "> ", "| ", "│ ", "#0 ", "E ", "in ",
        "line 1 ", "error ", "error: ", "Error", "x.c(1", ".a", "-> ", "a->b:1", "A.b:1->", "a@b", "{", "[a] ",
        "a.b.c(", "$", "<a>", "é", "Error: ", "warning: ", "--> ", "...", "a b ", "a::b", "(a.js:1:1",
    ):  # fmt: skip
        for head in (
            "",
            "  at ",
            '  File "',
            "error: ",
            "thread 'main' panicked at ",
            "--- FAIL: ",
            "1) ",
            "E   ",
            "src/x.py:12: ",
            "FAILED ",
        ):
            yield head + part * (3_900 // len(part))
            yield head + part * (1_900 // len(part)) + " src/x.c:1:1: error: " + part * (1_500 // len(part)) + "!"


def test_no_line_takes_far_longer_than_its_length_explains() -> None:
    """Relative to the same reading of plain lines of the same length, so that a slow machine does not matter."""
    triggers = Triggers(GRAMMARS)

    def cost(line: str) -> float:
        stream = Stream(triggers)
        started = time.process_time()
        stream.feed((line + "\n") * 2)
        stream.finish()
        return time.process_time() - started

    plain = max(0.001, *(cost(head + "word " * 780) for head in ("src/x.py:12:5: error: ", "at f (src/x.js:12:5) ")))
    limit = 60 * plain
    slow = [line[:60] for line in hostile() if cost(line) > limit and cost(line) > limit and cost(line) > limit]
    assert slow == []
