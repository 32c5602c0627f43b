"""Reading order and links between failures and items."""

from __future__ import annotations

from lsp_server.context.layout import layout, link_items
from lsp_server.context.pack import select
from lsp_server.model.failure import Failure, FailureKind, Location, Role
from lsp_server.model.request import Budget
from lsp_server.text.tokens import EstimateCounter

from .selection_cases import candidate, failing

GIVEN = [
    candidate("late", "b.py", (50, 59), "reference", 9),
    candidate("early", "b.py", (1, 9), "reference", 1),
    candidate("other", "a.py", (1, 9), "reference", 5),
    candidate("on-line", "z.py", (20, 29), "search", 0),
    candidate("in-file", "z.py", (1, 9), "reference", 9),
    candidate("secondary", "c.py", (1, 9), "failure", 0),
]
EVIDENCE = failing(("z.py", 21))


def test_failing_evidence_first_then_files_by_best_item_and_lines_in_order() -> None:
    items = select(GIVEN, Budget(), EstimateCounter(), evidence=EVIDENCE).items
    assert layout(items, EVIDENCE) == ("on-line", "secondary", "in-file", "early", "late", "other")


def test_failures_link_to_the_items_that_contain_their_locations() -> None:
    items = select(GIVEN, Budget(), EstimateCounter(), evidence=EVIDENCE).items
    failures = [
        Failure("f", "m", FailureKind.PANIC, locations=(Location("z.py", 21), Location("b.py", 5, role=Role.FRAME))),
        Failure("g", "m", FailureKind.PANIC, locations=(Location("z.py", 90),)),
        Failure("h", "m", FailureKind.PANIC),
    ]
    assert link_items(failures, items) == {"f": ("on-line", "early"), "g": (), "h": ()}
