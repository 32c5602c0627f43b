"""Failures to ask about: real lines of a corpus, told the way a test run or a compiler would."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from lsp_server.index.snapshot import Snapshot
from lsp_server.model.facts import SymbolFlag
from lsp_server.model.request import BuildRequest, FailureOutput


@dataclass(frozen=True, slots=True)
class FailingPlace:
    """A line inside a function; `name` is the function's."""

    path: str
    line: int
    name: str
    text: str

    def output(self) -> str:
        """What the tool that failed would print."""
        if self.path.endswith(".py"):
            return (
                f"__________ {self.name} __________\n\n>   {self.text}\n\n{self.path}:{self.line}: \n"
                f"E   AssertionError: {self.text}\n\n{self.path}:{self.line}: AssertionError\n"
                f"FAILED {self.path}::{self.name} - AssertionError\n"
            )
        return f"{self.path}:{self.line}:2: error: {self.text}\n"

    def request(self) -> BuildRequest:
        """A `context/build` request with the default budget."""
        return BuildRequest(failure_output=(FailureOutput(self.output()),))


def failing_places(snapshot: Snapshot, root: Path, count: int) -> list[FailingPlace]:
    """`count` places, spread evenly over the tests of the corpus, or over its functions where it has no tests."""
    tests: list[tuple[str, int, int, str]] = []
    others: list[tuple[str, int, int, str]] = []
    for path in snapshot.paths():
        view = snapshot.file(path)
        for symbol in view.facts.iter_symbols() if view is not None else ():
            if symbol.is_callable and symbol.range.end - symbol.body >= 2:
                found = tests if symbol.flags & SymbolFlag.TEST else others
                found.append((path, symbol.body, symbol.range.end, symbol.name))
    pool = tests if len(tests) >= count else others
    if not pool:
        raise ValueError(f"no function in {root}")
    step = max(1, len(pool) // count)
    return [place for row in pool[::step][:count] for place in [_place(root, *row)]]


def _place(root: Path, path: str, first: int, last: int, name: str) -> FailingPlace:
    lines = (root / path).read_text(encoding="utf-8", errors="replace").split("\n")
    body = range(first + 1, min(last, len(lines)) + 1)
    line = next((number for number in body if "(" in lines[number - 1]), first)
    return FailingPlace(path, line, name, lines[line - 1].strip())
