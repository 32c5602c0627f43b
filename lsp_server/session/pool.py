"""Worker processes for bulk extraction: crash, hang and memory of one file stay with that file.

Each worker has a thread here that feeds it one file at a time and reads the answer. A worker that dies
or does not answer in time is replaced and its file reported as failed; one that was killed by a signal may
be no fault of its file, which therefore gets a second try. Workers start when there is work, or ahead of it, and end
with it.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence

from ..model.values import Value
from .orders import FRAME, Order, Outcome, outcome_of

PIPELINE = 24
"""Files a worker is given ahead, so that it never waits for us: twice what it works on together."""

LEAST_AHEAD = 4
"""So many it is given ahead when few are left: what the last of them cost is to be shared by all workers."""

_START_SECONDS = 30.0

BUSY_FACTOR = 6.0
"""A worker limits its own processor time; this many times as long by the clock means that it is stuck."""

CLOSE_SECONDS = 1.0
"""A killed worker is gone in milliseconds; its thread then, too."""

_SIGPROF = 27
_PIPE_BYTES = 1 << 16
"""What a pipe holds at most."""


class PoolLimits(Value):
    """`seconds` and `max_bytes` a file, number of `workers`, and how one is started."""

    workers: int
    seconds: float
    max_bytes: int
    command: tuple[str, ...] = (sys.executable, "-m", "lsp_server.session.worker")


class Pool:
    """`take` gives the next order for a worker that had another one before, if it had, or None when there is none
    now; `give` receives each outcome; `left` tells how many orders wait; `keep` whether a worker that gets no order now
    will soon get one.

    All are called from the pool's threads.
    """

    def __init__(
        self,
        limits: PoolLimits,
        take: Callable[[Order | None], Order | None],
        give: Callable[[Outcome], None],
        left: Callable[[], int],
        keep: Callable[[], bool] = lambda: False,
    ) -> None:
        self.limits = limits
        self._left = left
        self._keep = keep
        self._take = take
        self._give = give
        self._lock = threading.Lock()
        self._threads: set[threading.Thread] = set()
        self._serving: set[threading.Thread] = set()
        self._processes: set[subprocess.Popen[bytes]] = set()
        self._spare: list[_Worker] = []
        self._closed = False

    def wake(self) -> None:
        """There is work: start as many workers as are missing."""
        self._serve_with(self.limits.workers)

    def wake_one(self) -> None:
        """There is a little work: have one worker do it."""
        self._serve_with(1)

    def _serve_with(self, workers: int) -> None:
        with self._lock:
            while not self._closed and len(self._serving) < workers:
                thread = threading.Thread(target=self._run, name="index-worker", daemon=True)
                self._threads.add(thread)
                self._serving.add(thread)
                thread.start()

    def prepare(self) -> None:
        """Much work is about to come: start the processes, which take a while to load, but give them nothing yet."""
        self._have(self.limits.workers)

    def prepare_one(self) -> None:
        """The same with one process."""
        self._have(1)

    def load(self, languages: Sequence[str]) -> None:
        """Have the workers that were started ahead get ready for files of these languages."""
        with self._lock:
            for worker in self._spare:
                worker.load(languages)

    def _have(self, workers: int) -> None:
        with self._lock:
            missing = 0 if self._closed else workers - len(self._serving) - len(self._spare)
        for _ in range(missing):
            worker = self._start_new()
            with self._lock:
                self._spare.append(worker)
        if self._closed:
            self.dismiss()

    def dismiss(self) -> None:
        """End the processes that were started ahead and have not been given anything."""
        while (worker := self._take_spare()) is not None:
            worker.process.kill()
            self._end(worker)

    def _take_spare(self) -> _Worker | None:
        """A worker that was started ahead and is still alive: one that died says nothing of any file."""
        while True:
            with self._lock:
                worker = self._spare.pop() if self._spare else None
            if worker is None or worker.process.poll() is None:
                return worker
            self._end(worker)

    def close(self, seconds: float = CLOSE_SECONDS) -> None:
        """End every worker now; wait at most `seconds` for their threads, which are daemons."""
        end = time.monotonic() + seconds
        with self._lock:
            self._closed = True
            processes, threads = list(self._processes), list(self._threads)
        for process in processes:
            process.kill()
        self.dismiss()
        for thread in threads:
            if thread is not threading.current_thread():
                thread.join(max(0.0, end - time.monotonic()))

    def process_ids(self) -> tuple[int, ...]:
        """Ids of the live workers."""
        with self._lock:
            return tuple(process.pid for process in self._processes)

    @property
    def is_ready(self) -> bool:
        """True when a worker is there, whether it is being given work or not."""
        with self._lock:
            return bool(self._serving or self._spare)

    @property
    def is_serving(self) -> bool:
        """True while workers are being given work."""
        with self._lock:
            return bool(self._serving)

    def _run(self) -> None:
        worker: _Worker | None = None
        order: Order | None = None
        try:
            while not self._closed and (order := self._take(order) or self._last_look()) is not None:
                worker, order = self._serve(worker or self._start(), order)
        finally:
            with self._lock:
                self._serving.discard(threading.current_thread())
                kept = worker is not None and worker.alive and not self._closed and self._keep()
                if worker is not None and kept:
                    self._spare.append(worker)
            if not kept:
                self._end(worker)
            with self._lock:
                self._threads.discard(threading.current_thread())

    def _last_look(self) -> Order | None:
        """Something may have come since, and whoever brought it took this thread for a serving one."""
        with self._lock:
            self._serving.discard(threading.current_thread())
        order = self._take(None)
        if order is not None:
            with self._lock:
                self._serving.add(threading.current_thread())
        return order

    def _serve(self, worker: _Worker, order: Order) -> tuple[_Worker | None, Order]:
        """Feed `order` and whatever follows until the worker fails or there is nothing left; the last one, too."""
        inside = [order]
        unsent = [order]
        while inside and not self._closed:
            ahead = max(LEAST_AHEAD, min(PIPELINE, self._left() // self.limits.workers))
            if unsent or len(inside) <= ahead // 2:
                while len(inside) < ahead and (more := self._take(order)) is not None:
                    order = more
                    inside.append(more)
                    unsent.append(more)
                worker.send(unsent, self.limits)
                unsent = []
            outcome = worker.receive(inside[0], self.limits)
            if not worker.alive:
                self._end(worker)
                # Some files are worked on together: which of them it was is not known, unless it was alone.
                return self._redo(inside, outcome, worker.killed or len(inside) > 1), order
            self._give(outcome)
            inside.pop(0)
        return worker, order

    def _redo(self, inside: list[Order], outcome: Outcome, killed: bool) -> _Worker | None:
        """A new worker for what the dead one had been given, one by one: which of them it died of is not known
        unless there was only one; `outcome` is what became of that."""
        worker: _Worker | None = None
        for order in inside:
            if len(inside) > 1:
                worker, outcome, killed = self._try(worker, order)
            if killed and not self._closed:
                worker, outcome, _ = self._try(worker, order)
            if self._closed:
                break
            self._give(outcome)
        return worker

    def _try(self, worker: _Worker | None, order: Order) -> tuple[_Worker | None, Outcome, bool]:
        """One order: the worker if it lives, what came of the order, whether a signal killed the worker."""
        worker = worker or self._start()
        worker.send([order], self.limits)
        outcome = worker.receive(order, self.limits)
        if worker.alive:
            return worker, outcome, False
        self._end(worker)
        return None, outcome, worker.killed

    def _start(self) -> _Worker:
        return self._take_spare() or self._start_new()

    def _start_new(self) -> _Worker:
        worker = _Worker(self.limits.command)
        with self._lock:
            self._processes.add(worker.process)
            closed = self._closed
        if closed:
            worker.process.kill()
        return worker

    def _end(self, worker: _Worker | None) -> None:
        if worker is not None:
            worker.end()
            with self._lock:
                self._processes.discard(worker.process)


class _Worker:
    """One process and its pipes."""

    def __init__(self, command: tuple[str, ...]) -> None:
        environment = {**os.environ, "PYTHONUNBUFFERED": "1", "OPENBLAS_NUM_THREADS": "1"}  # no threads for algebra
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            cwd=os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))),
        )
        self._buffer = bytearray()  # answers of some files come at once
        self._fresh = True
        self.alive = True
        self.killed = False

    def send(self, orders: Sequence[Order], limits: PoolLimits) -> None:
        each = {"max_bytes": limits.max_bytes, "seconds": limits.seconds}
        self._write("".join(json.dumps({"file": order.file, "path": order.path, **each}) + "\n" for order in orders))

    def _write(self, text: str) -> None:
        try:
            stdin = self.process.stdin
            assert stdin is not None
            stdin.write(text.encode())
            stdin.flush()
        except (OSError, ValueError):
            pass  # dead: receive will say so

    def load(self, languages: Sequence[str]) -> None:
        self._write("".join(json.dumps({"load": language}) + "\n" for language in languages))

    def receive(self, order: Order, limits: PoolLimits) -> Outcome:
        deadline = time.monotonic() + limits.seconds * BUSY_FACTOR + 1.0 + (_START_SECONDS if self._fresh else 0.0)
        head_size = self._read(FRAME.size, deadline)
        if head_size is None:
            return Outcome(order.path, failed=self._why())
        self._fresh = False
        sizes = FRAME.unpack(head_size)
        head_bytes, body = self._read(sizes[0], deadline), self._read(sizes[1], deadline)
        if head_bytes is None or body is None:
            return Outcome(order.path, failed=self._why())
        return outcome_of(order.path, json.loads(head_bytes), body)

    def _read(self, size: int, deadline: float) -> bytes | None:
        stdout = self.process.stdout
        assert stdout is not None
        descriptor = stdout.fileno()
        buffer = self._buffer
        while len(buffer) < size:
            left = deadline - time.monotonic()
            if left <= 0 or not _readable(descriptor, left):
                return None
            data = os.read(descriptor, _PIPE_BYTES)
            if not data:
                return None
            buffer += data
        taken = bytes(memoryview(buffer)[:size])
        del buffer[:size]
        return taken

    def _why(self) -> str:
        self.alive = False
        try:
            code = self.process.wait(0.5)
        except subprocess.TimeoutExpired:
            return "its worker did not answer"
        if code == -_SIGPROF:
            return "took too long to parse"
        self.killed = code < 0
        return f"the parser ended with code {code}"

    def end(self) -> None:
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        try:
            self.process.wait(0.2)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def _readable(descriptor: int, seconds: float) -> bool:
    if os.name == "nt":  # select knows no pipes there: the read blocks until the worker's own alarm
        return True
    poller = select.poll()
    poller.register(descriptor, select.POLLIN | select.POLLHUP)
    return bool(poller.poll(max(1, int(seconds * 1000))))
