"""What snippets cost, remembered: one request after the other shows the same ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..context.template import CostKey

LEAST_COSTS = 1_000


def forget_oldest(costs: dict[CostKey, int], chunks: int) -> None:
    """Keep about as many costs as the workspace has chunks: the rest are of texts as they were once. Any thread."""
    room = max(LEAST_COSTS, chunks)
    if len(costs) > room:
        for key in list(costs)[: len(costs) - room // 2]:
            costs.pop(key, None)
