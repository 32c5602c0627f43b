"""All kinds of fuzzing by name."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from importlib import import_module
from types import MappingProxyType

from .tally import Kind, Tally

KINDS: Mapping[str, str] = MappingProxyType(
    {
        "requests": "malformed requests of every shape over a served connection",
        "files": "random bytes as files of every language, through worker processes",
        "paths": "random paths and URIs",
        "edits": "random lives of a workspace against a fresh index",
        "positions": "positions against a naive walk in three encodings",
        "splices": "edits of open documents of every language against a whole extraction",
        "outputs": "damaged failure outputs",
    }
)


def run_for(name: str, seconds: float, seed: int) -> Tally:
    """Fuzz one kind for about so long."""
    end = time.monotonic() + seconds
    return _run(name, seed, lambda _tally: time.monotonic() >= end)


def run_cases(name: str, cases: int, seed: int) -> Tally:
    """Fuzz one kind until it has had so many cases."""
    return _run(name, seed, lambda tally: tally.cases >= cases)


def _run(name: str, seed: int, over: Callable[[Tally], bool]) -> Tally:
    fuzz: Kind = import_module(f"{__package__}.{name}").fuzz
    tally = Tally(name)
    fuzz(random.Random(seed), lambda: over(tally), tally)
    return tally
