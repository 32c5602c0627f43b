"""How far indexing is, as told to whoever listens."""

from __future__ import annotations

from ..model.values import Value


class IndexProgress(Value):
    """`phase` is `scanning`, `indexing` or `ready`; `done` of `total` files have their facts."""

    phase: str
    done: int = 0
    total: int = 0
    revision: int = 0

    @property
    def finished(self) -> bool:
        """True when nothing is pending."""
        return self.phase == "ready"

    @property
    def percentage(self) -> int:
        """Whole per cent, 0 to 100."""
        return min(100, self.done * 100 // self.total) if self.total else 0


def ignore_progress(progress: IndexProgress) -> None:
    """For callers that do not care."""
