"""The index's life: one thread that owns the writer and is the only one to publish snapshots.

Others ask through thread-safe methods and never wait for a lock while the thread works. A turn of the
thread: changed buffers first, then finished extractions, then files that changed on disk, then a
whole look at the disk. Readers take `snapshot` and keep it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..model.source import Checkpoint
from ..model.values import Value, replace
from .load_numpy import load_numpy
from .pending import PendingFiles
from .privacy import policy_of
from .progress import IndexProgress, ignore_progress

if TYPE_CHECKING:
    from ..index.snapshot import Snapshot
    from ..model.request import BuildRequest
    from ..workspace.privacy import PrivacyPolicy
    from ..workspace.roots import Roots
    from .documents import OpenDocuments
    from .index_turns import IndexTurns
    from .orders import Order, Outcome
    from .pool import Pool
    from .settings import Settings

HEAD_CHECK_SECONDS = 2.0
"""How often HEAD and the ignore files are looked at while nothing else happens."""

CLOSE_SECONDS = 1.0

HOLD_SECONDS = 3.0
"""How long bulk work is put off for the sake of a request that waits."""

MAX_EXPECTED = 2
"""A worker gets ready for so many languages: compiling what reads one takes about as long as loading."""

_FIRST_BATCH_SECONDS, _LAST_BATCH_SECONDS = 0.05, 1.0

_NEAR_END, _NEAR_END_SECONDS = 600, 0.2
"""With fewer files to come outcomes are taken in sooner: what the last of them cost, everybody waits for."""


@dataclass(slots=True)
class Todo:
    """What a turn is to do."""

    roots: Roots | None = None
    buffers: set[str] = field(default_factory=set[str])
    outcomes: list[Outcome] = field(default_factory=list["Outcome"])
    touched: set[str] = field(default_factory=set[str])
    scan: bool = False


_BROKEN = "the index could not be brought up to date; answers may miss files"


class IndexReport(Value):
    """What `context/status` tells of the index."""

    phase: str
    done: int
    total: int
    quarantined: tuple[tuple[str, str], ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()
    capped: bool = False
    degraded: tuple[str, ...] = ()
    workers: tuple[int, ...] = ()
    last_error: str | None = None


class Indexer:
    """See the module's text. `start` begins work; `close` ends it with all worker processes."""

    def __init__(
        self,
        roots: Roots,
        settings: Settings,
        documents: OpenDocuments,
        on_progress: Callable[[IndexProgress], None] = ignore_progress,
    ) -> None:
        self._changed = threading.Condition()
        self._pending = PendingFiles()
        self._next = Todo(roots=roots, scan=True)
        self._due: dict[str, float] = {}
        self._settings = settings
        self._documents = documents
        self._on_progress = on_progress
        self._busy = False
        self._tidied = False
        self._asking, self._hold_until = 0, 0.0
        self._closed = False
        self._head_due = 0.0
        self._batch_seconds = _FIRST_BATCH_SECONDS
        self._first_outcome: float | None = None
        self._turns: IndexTurns | None = None
        self._pool: Pool | None = None
        self._expected: list[str] = []
        self._thread: threading.Thread | None = None
        self._failure: str | None = None
        self._scanned_at = time.monotonic()

    # Asked from any thread

    def start(self) -> None:
        """Begin. Starting twice does nothing."""
        with self._changed:
            if self._thread is None and not self._closed:
                self._thread = threading.Thread(target=self._run, name="index-writer", daemon=True)
                self._thread.start()

    @property
    def snapshot(self) -> Snapshot:
        """The index as last published; waits only for the very first one, which is empty."""
        self.start()
        with self._changed:
            self._changed.wait_for(lambda: self._turns is not None or self._closed)
        if self._turns is None:
            from ..index.writer import IndexWriter

            return IndexWriter().snapshot
        return self._turns.snapshot

    @property
    def policy(self) -> PrivacyPolicy:
        """The privacy policy, with what links of denied names lead to."""
        return policy_of(self._settings) if self._turns is None else self._turns.policy

    def set_roots(self, roots: Roots) -> None:
        """The workspace has other folders now."""
        with self._changed:
            self._next.roots = roots
            self._next.scan = True
            self._changed.notify_all()

    def scan(self) -> None:
        """Compare the whole index with the disk."""
        with self._changed:
            self._next.scan = True
            self._changed.notify_all()

    def look_again(self, older_than: float, seconds: float, checkpoint: Checkpoint) -> None:
        """Compare with the disk if that was not done for `older_than` seconds; wait at most `seconds` for it."""
        if time.monotonic() - self._scanned_at < older_than:
            return
        before = self._scanned_at
        self.scan()
        self._wait(lambda: self._scanned_at != before and not len(self._pending), seconds, checkpoint)

    def touch(self, paths: Iterable[str]) -> None:
        """These files were created, changed or deleted on disk."""
        with self._changed:
            self._next.touched.update(paths)
            self._changed.notify_all()

    def buffer_changed(self, key: str, delay: float = 0.0) -> None:
        """An open document changed, was opened or closed; take it up after `delay` seconds of quiet."""
        with self._changed:
            self._due[key] = time.monotonic() + delay
            self._changed.notify_all()

    def hurry(self, paths: Iterable[str]) -> set[str]:
        """Extract these files before others; returns those that are still pending."""
        found = self._pending.hurry(paths)
        if found:
            with self._changed:
                self._changed.notify_all()
        return found

    @contextmanager
    def urgent(self) -> Generator[None]:
        """While somebody waits for an answer, what it needs is extracted before the bulk is begun.

        Only for HOLD_SECONDS: after that the bulk begins all the same.
        """
        with self._changed:
            if not self._asking:
                self._hold_until = time.monotonic() + HOLD_SECONDS
            self._asking += 1
        try:
            yield
        finally:
            with self._changed:
                self._asking -= 1
                self._changed.notify_all()

    def expect(self, request: BuildRequest) -> None:
        """A request is about to wait for the first files: a worker that loads gets ready for their languages."""
        if self._turns is not None and self._turns.scanned:
            return
        from .first_files import languages_said, said_in

        self._expected = languages_said(said_in(request))[:MAX_EXPECTED]
        if self._pool is not None:
            self._pool.load(self._expected)

    def wait_scanned(self, seconds: float, checkpoint: Checkpoint) -> bool:
        """True as soon as the workspace's files are known, though perhaps not indexed."""
        return self._wait(lambda: self._turns is not None and self._turns.scanned, seconds, checkpoint)

    def wait_buffers(self, seconds: float, checkpoint: Checkpoint) -> bool:
        """Publish every change of open documents made so far; True when that is done in time."""
        with self._changed:
            wanted = set(self._due)
            for key in wanted:
                self._due[key] = 0.0
            self._changed.notify_all()
        if not wanted:
            return self._wait(lambda: not self._next.buffers and not self._working_on_buffers(), seconds, checkpoint)
        return self._wait(
            lambda: not (wanted & self._due.keys()) and not self._working_on_buffers(), seconds, checkpoint
        )

    def wait_paths(self, paths: Iterable[str], seconds: float, checkpoint: Checkpoint) -> bool:
        """True when none of `paths` is pending any more."""
        wanted = tuple(paths)
        return self._wait(lambda: not any(self._pending.holds(path) for path in wanted), seconds, checkpoint)

    def wait_fresh(self, seconds: float | None, checkpoint: Checkpoint) -> bool:
        """True when nothing is known that is not in the snapshot."""
        return self._wait(self._is_fresh, seconds, checkpoint)

    def wait_saved(self, seconds: float, checkpoint: Checkpoint) -> bool:
        """True when nothing that was worth keeping for the next start is still being written."""
        return self._wait(
            lambda: not self._busy and (self._turns is None or not self._turns.tidying), seconds, checkpoint
        )

    def close(self) -> None:
        """End all workers now, and the thread after its turn, for which at most CLOSE_SECONDS are waited."""
        end = time.monotonic() + CLOSE_SECONDS
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            thread = self._thread
        turns, pool = self._turns, self._pool
        if turns is not None:
            turns.close_pool(CLOSE_SECONDS)
        elif pool is not None:
            pool.close(CLOSE_SECONDS)
        if thread is not None and thread is not threading.current_thread():
            thread.join(max(0.0, end - time.monotonic()))

    def report(self) -> IndexReport:
        """State for `context/status`."""
        turns, failure = self._turns, self._failure
        if turns is None:
            report = IndexReport("starting", 0, 0, last_error=failure)
        else:
            report = turns.report("ready" if self._is_fresh() else turns.phase, failure)
        return report if failure is None else replace(report, degraded=(*report.degraded, _BROKEN))

    def degraded(self) -> tuple[str, ...]:
        """What the report says does not work as it should; every answer asks for it."""
        turns, failure = self._turns, self._failure
        told = () if turns is None else turns.degraded
        return told if failure is None else (*told, _BROKEN)

    def waiting_paths(self) -> tuple[str, ...]:
        """Paths known but not indexed yet."""
        return self._pending.names_of_waiting()

    # The thread

    def _working_on_buffers(self) -> bool:
        return self._turns is not None and self._turns.in_buffers

    def _is_fresh(self) -> bool:
        idle = not (self._busy or self._due or self._next.scan or self._next.touched or self._next.roots)
        return idle and self._turns is not None and self._turns.scanned and not len(self._pending)

    def _wait(self, ready: Callable[[], bool], seconds: float | None, checkpoint: Checkpoint) -> bool:
        self.start()
        deadline = None if seconds is None else time.monotonic() + seconds
        while True:
            checkpoint()
            with self._changed:
                left = 0.05 if deadline is None else min(0.05, deadline - time.monotonic())
                if ready():
                    return True
                if self._closed or left <= 0:
                    return False
                self._changed.wait(left)

    def _new_pool(self) -> Pool:
        """Its first worker loads while this process does, when there will be much to do."""
        from .cpus import usable_cpus
        from .new_workspace import is_new_and_large
        from .pool import Pool, PoolLimits

        settings, roots = self._settings, self._next.roots
        limits = PoolLimits(
            settings.index_workers or usable_cpus(), settings.index_file_timeout, settings.index_max_file_bytes
        )
        pool = self._pool = Pool(limits, self._take, self._on_outcome, self._pending.waiting, self._is_held)
        try:
            if roots is not None and is_new_and_large(roots, settings):
                pool.prepare_one()
                pool.load(self._expected)
        except OSError:  # no process to be had now, or a folder that cannot be read: a head start is all that is lost
            pass
        return pool

    def _take(self, before: Order | None) -> Order | None:
        """The next order for a worker: while the bulk is put off, only what a request waits for."""
        return self._pending.take_urgent() if self._is_held() else self._pending.take(before)

    def _is_held(self) -> bool:
        return self._turns is not None and self._turns.held

    def _run(self) -> None:
        try:
            pool = self._new_pool()
            load_numpy()
            from .index_turns import IndexTurns

            turns = IndexTurns(self._settings, self._documents, self._pending, pool, self)
        except BaseException as error:  # a broken installation: nobody may wait for ever
            with self._changed:
                self._failure = f"the index could not start: {type(error).__name__}: {error}"
                self._closed = True
                self._changed.notify_all()
            raise
        with self._changed:
            self._turns = turns
            self._changed.notify_all()
        while True:
            with self._changed:
                self._busy = False
                turns.in_buffers = False
                self._changed.notify_all()
                while not self._closed and not self._ready():
                    self._changed.wait(self._seconds_to_wait())
                if self._closed:
                    break
                todo = self._collect()
                turns.in_buffers = bool(todo.buffers)
                self._busy = True
            self._take_turn(turns, todo)
        turns.close()

    def _take_turn(self, turns: IndexTurns, todo: Todo) -> None:
        try:
            turns.turn(todo)
            self._failure = None
            if todo.scan:
                self._scanned_at = time.monotonic()
        except Exception as error:  # keep serving the last snapshot; status says so
            self._failure = f"{type(error).__name__}: {error}"
            turns.give_up(todo)
        done, total = turns.counts()
        fresh = not len(self._pending) and turns.scanned
        phase = "ready" if fresh else turns.phase
        self._on_progress(IndexProgress(phase, total if fresh else done, total, turns.snapshot.revision))

    def holding(self) -> bool:
        """True while bulk work is to be put off."""
        return self._asking > 0 and time.monotonic() < self._hold_until

    def wake(self) -> None:
        """Background work has a result."""
        with self._changed:
            self._tidied = True
            self._changed.notify_all()

    def _on_outcome(self, outcome: Outcome) -> None:
        with self._changed:
            outcomes = self._next.outcomes
            outcomes.append(outcome)
            if self._first_outcome is None:
                self._first_outcome = time.monotonic()
                self._changed.notify_all()
            elif len(outcomes) >= len(self._pending):
                self._changed.notify_all()  # in between, waking a thread for each file costs more than taking it in

    def _ready(self) -> bool:
        todo, now = self._next, time.monotonic()
        if todo.roots is not None or todo.scan or todo.touched or any(due <= now for due in self._due.values()):
            return True
        if self._tidied or self._may_go_on() or (self._pending.has_urgent() and not self._hands_out()):
            return True
        if self._first_outcome is not None:
            whole = len(todo.outcomes) >= len(self._pending)
            return whole or now - self._first_outcome >= self._seconds_to_gather()
        return now >= self._head_due

    def _hands_out(self) -> bool:
        return self._turns is not None and self._turns.hands_out

    def _may_go_on(self) -> bool:
        """Bulk work was put off and need not be any more."""
        return self._turns is not None and self._turns.held and not self.holding()

    def _seconds_to_gather(self) -> float:
        """How long outcomes are gathered before they are taken in together."""
        if self._is_held():
            return 0.0
        near_end = len(self._pending) < _NEAR_END
        return min(self._batch_seconds, _NEAR_END_SECONDS) if near_end else self._batch_seconds

    def _seconds_to_wait(self) -> float:
        moments = [self._head_due, *self._due.values()]
        if self._turns is not None and self._turns.held:
            moments.append(self._hold_until)
        if self._first_outcome is not None:
            moments.append(self._first_outcome + self._seconds_to_gather())
        return max(0.001, min(moments) - time.monotonic())

    def _collect(self) -> Todo:
        """Take what is to be done now. Called with the lock held."""
        now = time.monotonic()
        self._tidied = False
        todo, self._next = self._next, Todo()
        todo.buffers = {key for key, due in self._due.items() if due <= now}
        for key in todo.buffers:
            del self._due[key]
        self._first_outcome = None
        growing = bool(todo.outcomes) and len(self._pending) > len(todo.outcomes)
        self._batch_seconds = min(_LAST_BATCH_SECONDS, self._batch_seconds * 2) if growing else _FIRST_BATCH_SECONDS
        if now >= self._head_due:
            self._head_due = now + HEAD_CHECK_SECONDS
            if self._turns is not None and self._turns.head_moved():
                todo.scan = True
        return todo
