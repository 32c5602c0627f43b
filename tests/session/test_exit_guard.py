"""What is to end ends."""

from __future__ import annotations

import threading

from lsp_server.session.exit_guard import ExitGuard

HANG = 60.0


def test_an_armed_guard_ends_the_process_once_with_the_first_code() -> None:
    codes: list[int] = []
    ended = threading.Event()

    def end(code: int) -> None:
        codes.append(code)
        ended.set()

    guard = ExitGuard(end, 0.01)
    guard.arm(7)
    guard.arm(8)
    assert ended.wait(HANG)
    for thread in threading.enumerate():
        if thread.name == "exit-guard":
            assert thread.daemon
            thread.join(HANG)
    assert codes == [7]


def test_a_guard_that_is_not_armed_does_nothing() -> None:
    def end(_: int) -> None:
        raise AssertionError

    ExitGuard(end, 0.0)
    assert "exit-guard" not in [thread.name for thread in threading.enumerate()]
