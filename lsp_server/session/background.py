"""Background: long pure work beside the indexer's thread, one piece at a time; the result is fetched by its owner."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from ..model.errors import Cancelled
from ..model.source import Checkpoint

T = TypeVar("T")


class Background(Generic[T]):
    """Runs one piece of work in a thread of its own. `start` and `take` are called by one owner.

    `wake` is called from the thread when the result is there. Work that fails or was stopped gives no result.
    The thread is no daemon, as a process that ends in the midst of numpy's code aborts: `stop` it instead.
    """

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._busy = False
        self._done = False
        self._stopped = False
        self._result: T | None = None

    @property
    def busy(self) -> bool:
        """True while work runs or its result was not taken."""
        return self._busy

    def start(self, work: Callable[[Checkpoint], T]) -> None:
        """Begin `work`, which calls the checkpoint every now and then; only when not `busy`, never after `stop`."""
        if not self._stopped:
            self._busy, self._done = True, False
            threading.Thread(target=self._run, args=(work,), name="index-background", daemon=False).start()

    def stop(self) -> None:
        """End what runs at its next checkpoint. Any thread."""
        self._stopped = True

    def take(self) -> T | None:
        """The result if it is there; then the next work may begin."""
        if not self._done:
            return None
        result, self._result = self._result, None
        self._busy = self._done = False
        return result

    def _checkpoint(self) -> None:
        if self._stopped:
            raise Cancelled("the session is closed")

    def _run(self, work: Callable[[Checkpoint], T]) -> None:
        try:
            self._result = work(self._checkpoint)
        except Cancelled:
            pass
        finally:
            self._done = True
            self._wake()
