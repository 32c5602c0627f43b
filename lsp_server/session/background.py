"""Background: long pure work beside the indexer's thread, one piece at a time; the result is fetched by its owner."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Background(Generic[T]):
    """Runs one piece of work in a thread of its own. `start` and `take` are called by one owner.

    `wake` is called from the thread when the result is there. Work that fails gives no result. The thread
    is a daemon: it never holds the process back from ending.
    """

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._busy = False
        self._done = False
        self._result: T | None = None

    @property
    def busy(self) -> bool:
        """True while work runs or its result was not taken."""
        return self._busy

    def start(self, work: Callable[[], T]) -> None:
        """Begin `work`; only when not `busy`."""
        self._busy, self._done = True, False
        threading.Thread(target=self._run, args=(work,), name="index-background", daemon=True).start()

    def take(self) -> T | None:
        """The result if it is there; then the next work may begin."""
        if not self._done:
            return None
        result, self._result = self._result, None
        self._busy = self._done = False
        return result

    def _run(self, work: Callable[[], T]) -> None:
        try:
            self._result = work()
        finally:
            self._done = True
            self._wake()
