"""Requests off the caller's thread: a bounded queue, newest wins, each answered exactly once.

Work is a function of a checkpoint; it calls the checkpoint between two steps and is ended by the
Cancelled it raises. Threads are daemons: a stuck step cannot hold the process back from exiting.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Generic, TypeVar

from ..model.errors import Cancelled, RepoContextError
from ..model.source import Checkpoint

T = TypeVar("T")


class Superseded(Cancelled):
    """A newer request with the same key, or a full queue, took this one's place."""


class SessionClosed(RepoContextError):
    """The session was closed before the request could be answered."""


class Job(Generic[T]):
    """One request: its future, and the way to withdraw it."""

    def __init__(self, work: Callable[[Checkpoint], T], key: str | None) -> None:
        self.future: Future[T] = Future()
        self.key = key
        self._work = work
        self._reason: Cancelled | None = None

    def checkpoint(self) -> None:
        """Raises Cancelled when the request was withdrawn."""
        if self._reason is not None:
            raise self._reason

    def cancel(self) -> None:
        """Withdraw the request: at once when it waits, at the next step when it runs."""
        self.end_with(Cancelled("the request was cancelled"))

    def end_with(self, reason: Cancelled) -> None:
        """Withdraw for `reason`; only the first reason counts."""
        if self._reason is None:
            self._reason = reason

    @property
    def withdrawn(self) -> Cancelled | None:
        """Why the request was withdrawn, if it was."""
        return self._reason

    def run(self) -> None:
        """Do the work and settle the future, whatever happens."""
        if not self.future.set_running_or_notify_cancel():
            return
        try:
            self.checkpoint()
            result = self._work(self.checkpoint)
            self.checkpoint()
        except BaseException as error:
            self.future.set_exception(error)
        else:
            self.future.set_result(result)

    def refuse(self, reason: RepoContextError) -> None:
        """Settle the future of a job that never ran."""
        if self.future.set_running_or_notify_cancel():
            self.future.set_exception(reason)


class Scheduler:
    """A few threads over one bounded queue."""

    def __init__(self, threads: int, limit: int) -> None:
        self._threads_wanted = threads
        self._limit = limit
        self._waiting: deque[Job[Any]] = deque()
        self._running: set[Job[Any]] = set()
        self._threads: list[threading.Thread] = []
        self._changed = threading.Condition()
        self._closed = False

    def submit(self, work: Callable[[Checkpoint], T], key: str | None = None) -> Job[T]:
        """Queue `work`. Waiting and running jobs with the same `key` are withdrawn as Superseded.

        With a full queue the oldest waiting job is answered with Superseded.
        """
        job: Job[T] = Job(work, key)
        refused: list[Job[Any]] = []
        with self._changed:
            if self._closed:
                job.refuse(SessionClosed("the session is closed"))
                return job
            if key is not None:
                for other in self._running:
                    if other.key == key:
                        other.end_with(Superseded("a newer request took its place"))
                refused += [other for other in self._waiting if other.key == key]
            while len(self._waiting) - len(refused) >= self._limit:
                refused.append(next(other for other in self._waiting if other not in refused))
            for other in refused:
                self._waiting.remove(other)
            self._waiting.append(job)
            self._start_threads()
            self._changed.notify()
        for other in refused:
            other.refuse(Superseded("a newer request took its place"))
        return job

    def _start_threads(self) -> None:
        if len(self._threads) < self._threads_wanted and len(self._threads) < len(self._waiting) + len(self._running):
            thread = threading.Thread(target=self._serve, name=f"request-{len(self._threads)}", daemon=True)
            self._threads.append(thread)
            thread.start()

    def _serve(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._closed)
                if self._closed:
                    return
                job = self._waiting.popleft()
                self._running.add(job)
            try:
                job.run()
            finally:
                with self._changed:
                    self._running.discard(job)
                    self._changed.notify_all()

    def counts(self) -> tuple[int, int]:
        """(waiting, running) jobs."""
        with self._changed:
            return len(self._waiting), len(self._running)

    def close(self) -> None:
        """Withdraw everything and take no more."""
        with self._changed:
            self._closed = True
            waiting = list(self._waiting)
            self._waiting.clear()
            for job in self._running:
                job.end_with(Cancelled("the session is closed"))
            self._changed.notify_all()
        for job in waiting:
            job.refuse(SessionClosed("the session is closed"))
