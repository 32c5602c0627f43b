from __future__ import annotations

from lsp_server.session.cost_memory import LEAST_COSTS, forget_oldest


def test_the_newest_costs_of_about_a_workspace_are_kept() -> None:
    costs = {(str(number), 1, "counter", "template", 0): number for number in range(LEAST_COSTS + 600)}
    forget_oldest(costs, LEAST_COSTS + 600)
    assert len(costs) == LEAST_COSTS + 600
    forget_oldest(costs, 5)
    assert list(costs.values()) == list(range(600 + LEAST_COSTS // 2, LEAST_COSTS + 600))
