"""What came of fuzzing one kind of input."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

HANG = 5.0
"""Seconds after which an answer counts as missing."""

MAX_NOTES = 20


@dataclass
class Tally:
    """Counts, and the first faults in words that make them repeatable."""

    kind: str
    cases: int = 0
    crashes: int = 0
    hangs: int = 0
    unanswered: int = 0
    set_aside: int = 0
    notes: list[str] = field(default_factory=list[str])

    def crash(self, note: str) -> None:
        """Something raised, died, or answered with an internal error."""
        self.crashes += 1
        self._note(note)

    def hang(self, note: str) -> None:
        """Something took longer than HANG."""
        self.hangs += 1
        self._note(note)

    def put_aside(self, note: str) -> None:
        """Ended by its own time limit within HANG, and answered so: no fault, but worth a look."""
        self.set_aside += 1
        self._note(f"set aside: {note}")

    def silent(self, note: str) -> None:
        """A request without an answer."""
        self.unanswered += 1
        self._note(note)

    def _note(self, note: str) -> None:
        if len(self.notes) < MAX_NOTES:
            self.notes.append(f"{self.kind}: {note}"[:2_000])

    @property
    def faults(self) -> int:
        """All that must be zero."""
        return self.crashes + self.hangs + self.unanswered


Kind = Callable[[random.Random, Callable[[], bool], Tally], None]
"""Fuzzes with a seeded generator until the second argument says stop."""
