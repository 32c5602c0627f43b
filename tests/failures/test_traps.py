"""What looks like a place and is none."""

# ruff: noqa: E501
# Outputs are shown as the tools print them.

from __future__ import annotations

import pytest

from lsp_server.failures import parse_failures
from lsp_server.model.request import FailureOutput

from .folder_view import Folder

LINES = "".join(f"line {number}\n" for number in range(1, 60))
FOLDER = Folder(
    dict.fromkeys(
        ["src/x.py", "src/lib.rs", "run_plan.py", "lib/json/decoder.py", "tests/test_x.py", "pkg/x_test.go", "a/b.js"],
        LINES,
    )
)

TRAPS = {
    "host and port": "Server listening on http://host:8080 and https://example.org:8443/a/b.js:12:7\n",
    "times": "12:30:45 error at 12:30:46, took 0:00:12, error 2026-11-29T20:51:32.123Z\n",
    "versions": "error: needs python>=3.11:2, got 3.10.4:1 (x.y:3)\n",
    "IPv6": "error: connect to [::1]:9000 and fe80::1%eth0:22 failed\n",
    "a URL that ends in a workspace file": "error: GET http://localhost:3000/run_plan.py:14 failed with 500\n",
    "a URL in a stack of text": "see https://example.org/src/x.py:7 for the error\n",
    "the race note of the standard library": "    testing.go:1319: race detected during execution of test\n",
    "toolchain sources that end like a workspace path": (
        "thread 'main' panicked at /rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/std/src/lib.rs:12:5:\nboom\n"
    ),
    "the standard library": 'Traceback (most recent call last):\n  File "/usr/lib/python3.11/json/decoder.py", line 12, in f\nValueError: x\n',
    "an installed package": 'Traceback (most recent call last):\n  File "/v/site-packages/src/x.py", line 12, in f\nValueError: x\n',
    "a virtual environment printed relative": ".venv/lib/python3.11/site-packages/src/x.py:12: in f\nE   ValueError\n",
    "node_modules printed relative": "Error: x\n    at f (node_modules/a/b.js:12:3)\n",
    "a cargo registry": "error: boom\n --> /home/u/.cargo/registry/src/index/src/lib.rs:12:5\n",
    "a go module cache": "panic: x\n\ngoroutine 1 [running]:\na.b()\n\t/root/go/pkg/mod/example.org/pkg/x_test.go:12 +0x1\n",
    "a diff": "diff --git a/src/x.py b/src/x.py\n--- a/src/x.py\n+++ b/src/x.py\n@@ -12,6 +12,7 @@ def f():\n",
    "a listing": "-rw-r--r-- 1 dev dev 120 Nov 29 12:30 run_plan.py\nBinary file src/x.py matches\n",
    "a mail address": "error: mail from run_plan.py@example.org:25 failed\n",
    "code in angle brackets": 'Traceback (most recent call last):\n  File "<string>", line 12, in <module>\nValueError: x\n',
    "an evaluated place": "Error: x\n    at eval (eval at f (evalmachine.<anonymous>:1:1), <anonymous>:12:3)\n",
    "a passed test's log": "=== RUN   TestA\n    x_test.go:12: just a log\n--- PASS: TestA (0.00s)\nok  \texample.org/m/pkg\t0.1s\n",
    "a file of the same name elsewhere": "/opt/other/decoder.py:12:5: error: boom\n",
    "a CI command that is no annotation": "::debug::src/x.py:9\n::set-output name=x::src/x.py:10\n",
    "line zero": "src/x.py:0:1: error: boom\n",
}


@pytest.mark.parametrize("name", TRAPS)
def test_trap_gives_no_place(name: str) -> None:
    report = parse_failures([FailureOutput(TRAPS[name])], [], FOLDER, FOLDER)
    assert [place for failure in report.failures for place in failure.locations] == []


def test_a_place_inside_a_parametrised_test_id_is_none() -> None:
    text = (
        "=== FAILURES ===\n____ test_square[src/x.py:7] ____\n\n    def test_square():\n>       assert 1 == 2\nE       assert 1 == 2\n\n"
        "tests/test_x.py:25: AssertionError\n=== short test summary info ===\n"
        "FAILED tests/test_x.py::test_square[src/x.py:7] - assert 1 == 2\n=== 1 failed in 0.1s ===\n"
    )
    report = parse_failures([FailureOutput(text)], [], FOLDER, FOLDER)
    assert [(place.path, place.line) for failure in report.failures for place in failure.locations] == [
        ("tests/test_x.py", 25)
    ]
    assert report.failures[0].test == "tests/test_x.py::test_square[src/x.py:7]"


def test_a_number_cut_in_half_is_no_line() -> None:
    text = "src/x.py:3:1: error: whole\n" + 'Traceback (most recent call last):\n  File "/ci/src/x.py", line 1'
    report = parse_failures([FailureOutput(text)], [], FOLDER, FOLDER)
    assert [(place.path, place.line) for failure in report.failures for place in failure.locations] == [("src/x.py", 3)]


def test_the_last_number_counts_when_it_is_all_there_is() -> None:
    report = parse_failures([FailureOutput("error: something failed at src/x.py:12")], [], FOLDER, FOLDER)
    assert [(place.path, place.line) for failure in report.failures for place in failure.locations] == [
        ("src/x.py", 12)
    ]
