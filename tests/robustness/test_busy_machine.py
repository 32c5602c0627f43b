"""A file is set aside for its own cost, never because others keep the machine busy."""

from __future__ import annotations

import sys

from lsp_server.session.orders import Order
from lsp_server.session.pool import PoolLimits
from tests.session.test_pool import Desk

WAITS = """
import json, struct, sys, time
for line in sys.stdin.buffer:
    time.sleep(0.5)
    head = json.dumps({"size": 1, "mtime_ns": 2}).encode()
    sys.stdout.buffer.write(struct.pack(">II", len(head), 3) + head + b"abc")
    sys.stdout.buffer.flush()
"""


def test_a_worker_that_got_no_processor_time_is_waited_for() -> None:
    """The first two answers cover the start; the third comes later than the limit by the clock."""
    orders = [Order(name, "x") for name in "abc"]
    outcomes = Desk(orders).run(PoolLimits(1, 0.2, 1000, (sys.executable, "-c", WAITS)))
    assert all(not outcome.failed for outcome in outcomes.values())
