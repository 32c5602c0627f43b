"""Files that wait for extraction, the urgent ones first."""

from __future__ import annotations

import threading
from collections import Counter, deque
from collections.abc import Iterable

from .orders import Order


class PendingFiles:
    """A queue of orders, one a path. Safe for several threads.

    A path counts as pending until its outcome was published (`done`).
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._urgent: dict[str, Order] = {}
        self._waiting: dict[str, Order] = {}
        self._by_language: dict[str, deque[str]] = {}  # paths that wait, in order; some may wait no more
        self._taken: dict[str, Order] = {}
        self._again: dict[str, Order] = {}
        self._for_workers: set[str] = set()

    def put(self, orders: Iterable[Order]) -> None:
        """Queue orders; one for a path that is being worked on is queued again after it."""
        with self._lock:
            for order in orders:
                if order.path in self._taken:
                    self._again[order.path] = order
                elif order.path not in self._urgent:
                    self._wait(order)

    def _wait(self, order: Order) -> None:
        known = self._waiting.get(order.path)
        self._waiting[order.path] = order
        if known is None or known.language != order.language:
            self._by_language.setdefault(order.language, deque()).append(order.path)

    def hurry(self, paths: Iterable[str]) -> set[str]:
        """Move paths to the front; returns those of them that are pending."""
        found: set[str] = set()
        with self._lock:
            for path in paths:
                if path not in self._for_workers and (order := self._waiting.pop(path, None)) is not None:
                    self._urgent[path] = order
                if path in self._urgent or path in self._waiting or path in self._taken:
                    found.add(path)
        return found

    def leave_to_workers(self, paths: Iterable[str]) -> None:
        """Only `take` gives those that wait from now on, until they are done."""
        with self._lock:
            for path in paths:
                if (order := self._urgent.pop(path, None)) is not None:
                    self._wait(order)
                if path in self._waiting or path in self._taken:
                    self._for_workers.add(path)

    def give_back(self, order: Order) -> None:
        """An order that was taken needs a worker."""
        with self._lock:
            del self._taken[order.path]
            self._again.pop(order.path, None)
            self._wait(order)
            self._for_workers.add(order.path)

    def take(self, before: Order | None = None) -> Order | None:
        """The next order for a worker, None when none waits.

        What is not urgent is of the language of the one `before`, while there is any: compiling the queries of a
        language takes a worker as long as some thirty files do.
        """
        with self._lock:
            if self._urgent:
                path = next(iter(self._urgent))
                order = self._taken[path] = self._urgent.pop(path)
                return order
            path = None if before is None else self._next_of(before.language)
            while path is None and self._by_language:
                path = self._next_of(self._fewest_at())
            if path is None:
                return None
            order = self._taken[path] = self._waiting.pop(path)
            return order

    def _next_of(self, language: str) -> str | None:
        """The first path of `language` that waits."""
        queue = self._by_language.get(language, ())
        while queue:
            path = queue.popleft()
            order = self._waiting.get(path)
            if order is not None and order.language == language:
                return path
        self._by_language.pop(language, None)
        return None

    def _fewest_at(self) -> str:
        """The language that most wait for of those that the fewest are being worked on of."""
        taken = Counter(order.language for order in self._taken.values())
        return min(self._by_language, key=lambda language: (taken[language], -len(self._by_language[language])))

    def take_here(self) -> Order | None:
        """The next order that needs no worker, None when none waits."""
        with self._lock:
            for queue in (self._urgent, self._waiting):
                for path in queue:
                    if path not in self._for_workers:
                        order = self._taken[path] = queue.pop(path)
                        return order
        return None

    def take_urgent(self) -> Order | None:
        """The next urgent order, None when none waits."""
        with self._lock:
            if not self._urgent:
                return None
            path = next(iter(self._urgent))
            order = self._taken[path] = self._urgent.pop(path)
            return order

    def done(self, paths: Iterable[str]) -> None:
        """The outcomes of these paths are published."""
        with self._lock:
            for path in paths:
                again = self._again.pop(path, None)
                if self._taken.pop(path, None) is not None and again is not None:
                    self._wait(again)
                elif path not in self._waiting:
                    self._for_workers.discard(path)
            if not self._waiting:
                self._by_language.clear()

    def drop(self, paths: Iterable[str]) -> None:
        """These files are gone or no longer wanted."""
        with self._lock:
            for path in paths:
                self._urgent.pop(path, None)
                self._waiting.pop(path, None)
                self._again.pop(path, None)
                self._for_workers.discard(path)

    def clear(self) -> None:
        """Forget everything that waits."""
        with self._lock:
            self._urgent.clear()
            self._waiting.clear()
            self._by_language.clear()
            self._again.clear()
            self._for_workers.clear()

    def waiting(self) -> int:
        """How many wait to be taken."""
        with self._lock:
            return len(self._urgent) + len(self._waiting)

    def names_of_waiting(self) -> tuple[str, ...]:
        """Paths that wait or are being worked on."""
        with self._lock:
            return (*self._urgent, *self._waiting, *self._taken)

    def holds(self, path: str) -> bool:
        """True when `path` is pending."""
        with self._lock:
            return path in self._urgent or path in self._waiting or path in self._taken

    def has_urgent(self) -> bool:
        """True when an urgent file waits."""
        with self._lock:
            return bool(self._urgent)

    def __len__(self) -> int:
        with self._lock:
            return len(self._urgent) + len(self._waiting) + len(self._taken)
