"""Random lives of a workspace against a fresh index: edit, rename, delete, undo, ignore, switch branches."""

from __future__ import annotations

import random
from collections.abc import Callable

from hypothesis import HealthCheck, settings
from hypothesis import seed as seeded
from hypothesis.stateful import run_state_machine_as_test

from tests.session.test_convergence import Workspace

from .tally import Tally

SEQUENCES, STEPS = 4, 20

OTHERS = 40
"""Further files in every second workspace, so that worker processes are at work."""


def fuzz(choose: random.Random, stop: Callable[[], bool], tally: Tally) -> None:
    """A case is one sequence of up to STEPS events, compared with a fresh session at its end."""
    large = False
    while not stop():
        number = choose.randrange(1 << 30)
        large = not large

        class Counted(Workspace):
            others = OTHERS if large else 0

            def teardown(self) -> None:
                tally.cases += 1
                super().teardown()

        try:
            seeded(number)(Counted)
            run_state_machine_as_test(
                Counted,
                settings=settings(
                    max_examples=SEQUENCES,
                    stateful_step_count=STEPS,
                    deadline=None,
                    database=None,
                    suppress_health_check=list(HealthCheck),
                ),
            )
        except Exception as error:
            tally.crash(f"seed {number}: {error}")
