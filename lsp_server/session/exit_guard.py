"""A process that is to end does end, whatever one of its threads is doing."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

EXIT_SECONDS = 1.0
"""A client that left is owed nothing; 2 seconds are promised, and an ordinary end takes milliseconds."""


class ExitGuard:
    """Once armed, ends the process after a while. Its workers end with it: they see the end of their input.

    The interpreter itself would wait for threads that are in the middle of something, for as long as it takes.
    """

    def __init__(self, end: Callable[[int], object] = os._exit, seconds: float = EXIT_SECONDS) -> None:
        self._end = end
        self._seconds = seconds
        self._lock = threading.Lock()
        self._armed = False

    def arm(self, code: int) -> None:
        """From now on the process is on its way out, with `code`. Only the first call counts."""
        with self._lock:
            if self._armed:
                return
            self._armed = True
        timer = threading.Timer(self._seconds, self._end, (code,))
        timer.name, timer.daemon = "exit-guard", True
        timer.start()
