"""Worker processes: a crash, a hang or a lie of one file stays with that file."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

from lsp_server.index.encoding import decode_facts
from lsp_server.session.orders import Order, Outcome
from lsp_server.session.pool import LEAST_AHEAD, PIPELINE, Pool, PoolLimits
from lsp_server.session.worker import seconds_for

HANG = 60.0

FAKE = """
import json, os, struct, sys, time
out = os.fdopen(os.dup(1), "wb")
for line in sys.stdin.buffer:
    path = json.loads(line).get("path")
    if path is None:
        continue
    if path == "crash":
        os.kill(os.getpid(), 11)
    if path == "hang":
        time.sleep(1000)
    if path == "exit":
        os._exit(3)
    if path.startswith("once:") and not os.path.exists(path[5:]):
        open(path[5:], "w").close()
        os.kill(os.getpid(), 9)
    head = json.dumps({"size": 1, "mtime_ns": 2, "refused": "binary" if path == "binary" else ""}).encode()
    out.write(struct.pack(">II", len(head), 3) + head + b"abc")
    out.flush()
"""


class Desk:
    """Hands out orders and collects outcomes."""

    def __init__(self, orders: list[Order]) -> None:
        self._orders = deque(orders)
        self._lock = threading.Lock()
        self.outcomes: dict[str, Outcome] = {}
        self._wanted = len(orders)
        self.all_given = threading.Event()

    def take(self, _before: Order | None = None) -> Order | None:
        with self._lock:
            return self._orders.popleft() if self._orders else None

    def left(self) -> int:
        return len(self._orders)

    def take_last(self) -> Order:
        return self._orders.pop()

    def put(self, order: Order) -> None:
        self._orders.append(order)

    def want(self, order: Order) -> None:
        """One more order; all are given when its outcome is there."""
        self._wanted += 1
        self.all_given.clear()
        self.put(order)

    def give(self, outcome: Outcome) -> None:
        with self._lock:
            assert outcome.path not in self.outcomes, "answered twice"
            self.outcomes[outcome.path] = outcome
            if len(self.outcomes) == self._wanted:
                self.all_given.set()

    def run(self, limits: PoolLimits) -> dict[str, Outcome]:
        pool = Pool(limits, self.take, self.give, self.left)
        pool.wake()
        try:
            assert self.all_given.wait(HANG), f"only {len(self.outcomes)} answered"
        finally:
            pool.close()
        assert pool.process_ids() == ()
        return self.outcomes


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + HANG
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def fake(workers: int = 2, seconds: float = 0.2) -> PoolLimits:
    return PoolLimits(workers, seconds, 1000, (sys.executable, "-c", FAKE))


def test_every_order_is_answered_once() -> None:
    outcomes = Desk([Order(f"f{number}", "x") for number in range(50)]).run(fake())
    assert all(outcome.facts == b"abc" and not outcome.failed for outcome in outcomes.values())


def test_a_crash_names_its_file_and_the_others_are_done() -> None:
    orders = [Order(name, "x") for name in ("a", "b", "crash", "c", "exit", "d", "e", "f", "g")]
    outcomes = Desk(orders).run(fake(workers=1))
    assert {path for path, outcome in outcomes.items() if outcome.failed} == {"crash", "exit"}
    assert "-11" in outcomes["crash"].failed
    assert all(outcomes[path].facts == b"abc" for path in "abcdefg")


def test_a_worker_that_was_killed_is_replaced_and_its_file_tried_once_more(tmp_path: Path) -> None:
    orders = [Order(name, "x") for name in ("a", f"once:{tmp_path / 'seen'}", "b", "crash", f"once:{tmp_path / 'two'}")]
    outcomes = Desk(orders).run(fake(workers=1))
    assert {path for path, outcome in outcomes.items() if outcome.failed} == {"crash"}


IN_BATCHES = """
import json, os, struct, sys
out = os.fdopen(os.dup(1), "wb")
rest = b""
while data := os.read(0, 65536):
    *lines, rest = (rest + data).split(b"\\n")
    paths = [json.loads(line)["path"] for line in lines]
    if "slow" in paths:
        os.kill(os.getpid(), 27)
    for path in paths:
        out.write(struct.pack(">II", 2, 3) + b"{}abc")
    out.flush()
"""


def test_of_files_worked_on_together_only_the_guilty_one_is_set_aside() -> None:
    """The worker answers for some files at once, and ends at the time limit of one before it has answered any."""
    orders = [Order(name, "x") for name in ("a", "b", "slow", "c", "d", "e")]
    limits = PoolLimits(1, 100.0, 1000, (sys.executable, "-c", IN_BATCHES))
    outcomes = Desk(orders).run(limits)
    assert {path: outcome.failed for path, outcome in outcomes.items() if outcome.failed} == {
        "slow": "took too long to parse"
    }


def test_a_small_file_gets_less_time_than_a_large_one_and_none_more_than_the_setting() -> None:
    assert seconds_for(3_000, 60.0) < 3.1
    assert seconds_for(2_000_000, 60.0) == 7.0
    assert seconds_for(2_000_000, 5.0) == 5.0
    assert seconds_for(10, 0.5) == 0.5


def test_closing_ends_a_worker_in_the_middle_of_a_file() -> None:
    given: list[Outcome] = []
    orders = iter([Order("a", "x"), Order("hang", "x")])
    first = threading.Event()

    def give(outcome: Outcome) -> None:
        given.append(outcome)
        first.set()

    pool = Pool(fake(workers=1, seconds=100.0), lambda _: next(orders, None), give, lambda: 1)
    pool.wake()
    assert first.wait(HANG)
    worker = pool.process_ids()
    pool.close(HANG)
    assert len(worker) == 1
    assert pool.process_ids() == ()
    assert [outcome.path for outcome in given] == ["a"]


def test_processes_that_were_started_ahead_do_the_work() -> None:
    desk = Desk([Order(f"f{number}", "x") for number in range(8)])
    pool = Pool(fake(workers=2), desk.take, desk.give, desk.left)
    pool.prepare()
    pool.prepare()
    ahead = set(pool.process_ids())
    assert len(ahead) == 2
    pool.wake()
    assert desk.all_given.wait(HANG)
    assert set(pool.process_ids()) <= ahead
    pool.close(HANG)
    assert pool.process_ids() == ()


def test_processes_that_were_started_in_vain_end() -> None:
    pool = Pool(fake(workers=2), lambda _: None, lambda _: None, lambda: 0)
    pool.prepare()
    pool.dismiss()
    assert pool.process_ids() == ()
    pool.prepare()
    pool.close(HANG)
    assert pool.process_ids() == ()
    pool.prepare()
    assert pool.process_ids() == ()


def test_a_worker_that_is_kept_does_what_comes_next_and_ends_when_it_is_dismissed() -> None:
    desk, keep = Desk([Order("first", "x")]), True
    pool = Pool(fake(workers=2), desk.take, desk.give, desk.left, lambda: keep)
    pool.prepare_one()
    pool.load(["python"])
    ahead = pool.process_ids()
    pool.wake_one()
    assert desk.all_given.wait(HANG)
    wait_for(lambda: not pool.is_serving)
    assert pool.is_ready
    desk.want(Order("second", "x"))
    pool.wake_one()
    assert desk.all_given.wait(HANG)
    wait_for(lambda: not pool.is_serving)
    assert set(desk.outcomes) == {"first", "second"}
    assert len(ahead) == 1
    assert pool.process_ids() == ahead
    keep = False
    pool.dismiss()
    assert not pool.is_ready
    assert pool.process_ids() == ()


def test_a_worker_that_dies_while_it_waits_says_nothing_of_any_file() -> None:
    desk = Desk([Order("first", "x")])
    pool = Pool(fake(workers=1), desk.take, desk.give, desk.left)
    pool.prepare_one()
    (ahead,) = pool.process_ids()
    os.kill(ahead, signal.SIGKILL)
    wait_for(lambda: "Z" in _state(ahead))
    pool.wake_one()
    assert desk.all_given.wait(HANG)
    pool.close(HANG)
    assert desk.outcomes["first"].failed == ""


def _state(process: int) -> str:
    """The letter by which the kernel names the state of a process."""
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]


def test_work_that_comes_as_a_worker_ends_is_not_left_lying() -> None:
    """The second order comes when the only thread has just been told that there is none, but is still there."""
    desk = Desk([Order("first", "x"), Order("second", "x")])
    late: Order | None = desk.take_last()

    def take(_before: Order | None) -> Order | None:
        nonlocal late
        order = desk.take()
        if order is None and late is not None and desk.outcomes:
            desk.put(late)
            late = None
            pool.wake()
        return order

    pool = Pool(fake(workers=1), take, desk.give, desk.left)
    pool.wake()
    assert desk.all_given.wait(HANG)
    pool.close()


def test_when_few_are_left_no_worker_is_given_many_ahead() -> None:
    desk = Desk([Order(f"f{number}", "x") for number in range(30)])
    ahead: list[int] = []
    taken = 0

    def take(before: Order | None) -> Order | None:
        nonlocal taken
        order = desk.take(before)
        taken += order is not None
        return order

    def give(outcome: Outcome) -> None:
        ahead.append(taken - len(ahead))
        desk.give(outcome)

    pool = Pool(fake(workers=1), take, give, lambda: 0)
    pool.wake()
    assert desk.all_given.wait(HANG)
    pool.close()
    assert max(ahead) <= LEAST_AHEAD < PIPELINE


def test_a_worker_gets_ready_for_languages_without_an_answer_and_for_unknown_ones_not_at_all(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def f():\n    return 1\n")
    desk = Desk([Order("a.py", str(tmp_path / "a.py"))])
    pool = Pool(PoolLimits(1, 20.0, 1000), desk.take, desk.give, desk.left)
    pool.prepare_one()
    pool.load(["python", "no such language"])
    pool.wake_one()
    assert desk.all_given.wait(HANG)
    pool.close(HANG)
    assert [symbol.name for symbol in decode_facts(desk.outcomes["a.py"].facts).iter_symbols()] == ["f"]


def test_nothing_but_crashes_ends_too() -> None:
    orders = [Order("crash", "x")] + [Order(f"f{number}", "x") for number in range(3)]
    assert len(Desk(orders).run(fake(workers=1))) == 4


def test_a_refusal_is_no_failure() -> None:
    outcome = Desk([Order("binary", "x")]).run(fake())["binary"]
    assert (outcome.refused, outcome.failed) == ("binary", "")


def test_a_real_worker_gives_facts_and_survives_what_it_cannot_read(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def f():\n    return 1\n")
    (tmp_path / "big.py").write_text("x" * 5000)
    orders = [
        Order("gone.py", str(tmp_path / "gone.py")),
        Order("folder", str(tmp_path)),
        Order("big.py", str(tmp_path / "big.py")),
        Order("a.py", str(tmp_path / "a.py")),
    ]
    outcomes = Desk(orders).run(PoolLimits(1, 20.0, 1000))
    assert outcomes["gone.py"].refused == "missing"
    assert outcomes["folder"].refused in ("too-large", "unreadable")
    assert outcomes["big.py"].refused == "too-large"
    facts = decode_facts(outcomes["a.py"].facts)
    assert [symbol.name for symbol in facts.iter_symbols()] == ["f"]
    assert outcomes["a.py"].noted_ns > 0
