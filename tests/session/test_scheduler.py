"""Requests off the loop: each answered once, newest first, a bounded queue."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from typing import Any

import pytest

from lsp_server.model.errors import Cancelled
from lsp_server.model.source import Checkpoint
from lsp_server.session.scheduler import Scheduler, SessionClosed, Superseded

HANG = 60.0


class Gate:
    """Work that waits until it is let go, looking at its checkpoint meanwhile."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.open = threading.Event()

    def __call__(self, checkpoint: Checkpoint) -> str:
        self.begun.set()
        while not self.open.wait(0.005):
            checkpoint()
        return "done"


def error_of(future: Future[Any]) -> BaseException:
    error = future.exception(HANG)
    assert error is not None
    return error


def test_work_is_done_and_errors_are_handed_on() -> None:
    scheduler = Scheduler(2, 10)
    assert scheduler.submit(lambda _: 5).future.result(HANG) == 5
    assert isinstance(error_of(scheduler.submit(lambda _: 1 / 0).future), ZeroDivisionError)
    scheduler.close()


def test_a_running_job_is_cancelled_at_its_next_step() -> None:
    scheduler = Scheduler(1, 10)
    gate = Gate()
    job = scheduler.submit(gate)
    assert gate.begun.wait(HANG)
    job.cancel()
    assert isinstance(error_of(job.future), Cancelled)
    assert scheduler.submit(lambda _: 1).future.result(HANG) == 1
    scheduler.close()


def test_a_waiting_job_that_is_cancelled_never_runs() -> None:
    scheduler = Scheduler(1, 10)
    gate, ran = Gate(), threading.Event()
    scheduler.submit(gate)
    job = scheduler.submit(lambda _: ran.set())
    job.cancel()
    gate.open.set()
    assert isinstance(error_of(job.future), Cancelled)
    assert not ran.is_set()
    scheduler.close()


def test_the_newest_of_a_key_wins_over_running_and_waiting_ones() -> None:
    scheduler = Scheduler(1, 10)
    gate = Gate()
    running = scheduler.submit(gate, "panel")
    assert gate.begun.wait(HANG)
    other = scheduler.submit(lambda _: "other")
    waiting = scheduler.submit(lambda _: "waiting", "panel")
    newest = scheduler.submit(lambda _: "newest", "panel")
    assert isinstance(error_of(running.future), Superseded)
    assert isinstance(error_of(waiting.future), Superseded)
    assert newest.future.result(HANG) == "newest"
    assert other.future.result(HANG) == "other"
    scheduler.close()


def test_a_full_queue_answers_its_oldest() -> None:
    scheduler = Scheduler(1, 3)
    gate = Gate()
    scheduler.submit(gate)
    assert gate.begun.wait(HANG)
    jobs = [scheduler.submit(lambda _, n=number: n) for number in range(10)]
    gate.open.set()
    results = [job.future.exception(HANG) or job.future.result(HANG) for job in jobs]
    assert all(isinstance(result, Superseded) for result in results[:7])
    assert results[7:] == [7, 8, 9]
    scheduler.close()


def test_closing_answers_everyone() -> None:
    scheduler = Scheduler(1, 10)
    gate = Gate()
    running = scheduler.submit(gate)
    assert gate.begun.wait(HANG)
    waiting = scheduler.submit(lambda _: 1)
    scheduler.close()
    assert isinstance(error_of(running.future), Cancelled)
    assert isinstance(error_of(waiting.future), SessionClosed)
    assert isinstance(error_of(scheduler.submit(lambda _: 1).future), SessionClosed)


@pytest.mark.parametrize("threads", [1, 4])
def test_a_storm_of_cancellations_leaves_no_job_unanswered(threads: int) -> None:
    scheduler = Scheduler(threads, 50)
    jobs = [scheduler.submit(lambda checkpoint: checkpoint(), f"key-{number % 7}") for number in range(300)]
    for job in jobs[::2]:
        job.cancel()
    for job in jobs:
        assert job.future.exception(HANG) is None or isinstance(job.future.exception(), Cancelled)
    assert scheduler.counts()[0] == 0
    scheduler.close()
