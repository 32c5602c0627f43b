"""How this process shares its interpreter, so that the message loop is not held up by threads that build."""

from __future__ import annotations

import gc
import sys

SWITCH_SECONDS = 0.000_5
"""A thread that computes gives way so soon when another waits. The usual 5 ms are half of what a reader of the
loop may notice, and the loop pays them for every message."""

COLLECT_AFTER = (1_000, 200, 50)
"""New objects, and rounds of the younger collections, before the garbage collector stops all threads. Looking through
50,000 young objects at once, as commands do, takes 70 to 200 ms on a busy machine; a thousand take about one."""


def keep_loop_responsive() -> None:
    """Call when everything is imported: modules are then never looked through again. Only the first call counts."""
    if gc.get_threshold() == COLLECT_AFTER:
        return  # what the sessions of earlier clients hold must not be frozen
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.set_threshold(*COLLECT_AFTER)
    gc.freeze()
