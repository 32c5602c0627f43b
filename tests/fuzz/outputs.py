"""Damaged failure outputs: no exception, no place outside the workspace."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from tests.failures.fixture_cases import cases
from tests.failures.fuzz import check, damaged

from .tally import HANG, Tally


def fuzz(choose: random.Random, stop: Callable[[], bool], tally: Tally) -> None:
    """A case is one captured output with random damage."""
    known = cases()
    while not stop():
        data, case = damaged(choose, known)
        begin = time.process_time()
        try:
            check(data, case.folder, case.output.cwd)
        except Exception as error:
            tally.crash(f"{type(error).__name__}: {error} for {data[:300]!r}")
        if time.process_time() - begin > HANG:
            tally.hang(repr(data[:300]))
        tally.cases += 1
