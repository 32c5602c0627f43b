"""Bytes become clean lines whatever tool, terminal or CI system they went through."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsp_server.failures import parse_failures
from lsp_server.failures.decode import MAX_LINE, clean, encoding_of, pieces, without_cut_number
from lsp_server.failures.prefixes import find_prefix
from lsp_server.model.request import FailureOutput

from .folder_view import Folder

FOLDER = Folder(
    {"src/x.py": "".join(f"line {n}\n" for n in range(1, 40)), "web/a.js": "a\n" * 40, "api/b.py": "b\n" * 40}
)
TEXT = "src/x.py:12:5: error: bööm\r\nmore\r\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "latin-1"])
def test_every_encoding_gives_the_place(encoding: str) -> None:
    report = parse_failures([FailureOutput(TEXT.encode(encoding))], [], FOLDER, FOLDER)
    assert report.failures[0].primary is not None
    assert report.failures[0].primary.line == 12


def test_encodings_are_told_by_mark_or_zero_bytes() -> None:
    assert encoding_of("a".encode("utf-16")) == "utf-16"
    assert encoding_of("abcdefgh".encode("utf-16-le")) == "utf-16-le"
    assert encoding_of("abcdefgh".encode("utf-16-be")) == "utf-16-be"
    assert encoding_of(b"abcdefgh") == "utf-8"


@pytest.mark.parametrize(
    ("raw", "wanted"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b[01m\x1b[Kx.c:8:5:\x1b[m\x1b[K error", "x.c:8:5: error"),
        ("\x1b]8;;file:///x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b_bk;t=17\x07text", "text"),
        ("10%\r50%\rdone\n", "done\n"),
        ("a\r\nb\r\n", "a\nb\n"),
        ("#12 34.567 src/x.py:1", "src/x.py:1"),
    ],
)
def test_terminal_traces_are_removed(raw: str, wanted: str) -> None:
    assert clean(raw) == wanted


def test_long_lines_are_cut() -> None:
    assert clean("x" * 10_000 + "\nshort\n") == "x" * MAX_LINE + "\nshort\n"


def test_only_digits_at_the_very_end_are_dropped() -> None:
    assert without_cut_number("line 1") == "line "
    assert without_cut_number("line 1\n") == "line 1\n"


@given(st.binary(max_size=400))
def test_pieces_lose_nothing_of_any_bytes(data: bytes) -> None:
    text = "".join(pieces(data))
    assert (
        text.removeprefix("\ufeff") == data.decode(encoding_of(data[:400]), "replace").removeprefix("\ufeff")
        or b"\0" in data
    )


@given(st.lists(st.text(alphabet="ab\r\x1b[m", max_size=12), max_size=20))
def test_cleaning_keeps_the_number_of_lines(lines: list[str]) -> None:
    text = "\n".join(lines)
    assert clean(text).count("\n") == text.count("\n")


@pytest.mark.parametrize(
    "line",
    [
        "2026-11-29T20:51:32.0000001Z {}",
        "[2026-11-29 20:51:32] {}",
        "[20:51:32] {}",
        "20:51:32.123 {}",
        "[   12.345678] {}",
        "web-1  | {}",
        "garden_test_1 | {}",
        "[web] {}",
        "web:test: {}",
        "build\tRun tests\t2026-11-29T20:51:32.0000001Z {}",
        "Nov 29 20:51:32 host app[12]: {}",
    ],
)
def test_a_prefix_on_every_line_is_found(line: str) -> None:
    texts = ["src/x.py:12:5: error: boom", "  indented", "", "done", "again", "and again"]
    report = parse_failures([FailureOutput("\n".join(map(line.format, texts)) + "\n")], [], FOLDER, FOLDER)
    assert [(place.path, place.line) for failure in report.failures for place in failure.locations] == [
        ("src/x.py", 12)
    ]


@pytest.mark.parametrize(
    "lines",
    [
        ["12:30:45 started", "src/x.py:1:1: error: a", "src/x.py:2:1: error: b", "src/x.py:3:1: error: c"],
        ["error: a", "error: b", "error: c", "error: d"],
        ["x.py: one", "y.py: two", "z.py: three", "w.py: four"],
    ],
)
def test_what_too_few_lines_carry_is_no_prefix(lines: list[str]) -> None:
    assert find_prefix(lines) is None


def test_interleaved_services_are_told_apart() -> None:
    web = ["Error: boom", "    at f (/app/web/a.js:12:3)", "    at g (/app/web/a.js:20:3)"]
    api = ["Traceback (most recent call last):", '  File "/app/api/b.py", line 7, in f', "    b", "ValueError: x"]
    lines = [
        f"web-1  | {web[0]}",
        f"api-1  | {api[0]}",
        f"web-1  | {web[1]}",
        f"api-1  | {api[1]}",
        f"web-1  | {web[2]}",
    ]
    lines += [f"api-1  | {api[2]}", f"api-1  | {api[3]}"]
    report = parse_failures([FailureOutput("\n".join(lines) + "\n")], [], FOLDER, FOLDER)
    found = [[(place.path, place.line) for place in failure.locations] for failure in report.failures]
    assert sorted(found) == [[("api/b.py", 7)], [("web/a.js", 12), ("web/a.js", 20)]]
