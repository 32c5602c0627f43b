"""The captured outputs and their right answers."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from lsp_server.failures import parse_failures
from lsp_server.model.failure import FailureReport
from lsp_server.model.request import FailureOutput

from .folder_view import Folder

ROOT = Path(__file__).parent / "fixtures"


@dataclass(frozen=True)
class Case:
    """One output with what must be found in it."""

    id: str
    expected: dict[str, Any]

    @property
    def data(self) -> bytes:
        return (ROOT / "outputs" / self.expected["input"]).read_bytes()

    @property
    def output(self) -> FailureOutput:
        cwd = self.expected["cwd"]
        return FailureOutput(self.data, cwd=None if cwd == "." else cwd)

    @property
    def folder(self) -> Folder:
        return workspace(self.expected["workspace"])

    def parse(self) -> FailureReport:
        folder = self.folder
        return parse_failures([self.output], [], folder, folder)


@cache
def workspace(name: str) -> Folder:
    """One of the workspaces of the fixtures."""
    return Folder.at(ROOT / "workspaces" / name)


@cache
def cases() -> tuple[Case, ...]:
    """All fixtures."""
    lines = (ROOT / "expected.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(Case(row["id"], row) for row in map(json.loads, lines))


def place(location: dict[str, Any]) -> tuple[str, int]:
    """A location of the answers as a pair."""
    return location["path"], location["line"]


def deviations(case: Case, report: FailureReport) -> set[str]:
    """Everything in which `report` differs from the answers; empty when all is right."""
    expected = case.expected
    found = {(one.path, one.line) for failure in report.failures for one in failure.locations}
    wanted = {place(one) for row in expected["failures"] for one in row["locations"] if not one.get("optional")}
    allowed = {
        place(one) for row in expected["failures"] for one in row["locations"] + row.get("accept_alternative", [])
    }
    allowed |= {place(one) for key in ("partial_ok", "ambiguous") for one in expected.get(key, [])}
    wrong = {f"missing {path}:{line}" for path, line in wanted - found}
    wrong |= {f"extra {path}:{line}" for path, line in found - allowed}
    primaries = {place(one) for row in expected["failures"] for one in row["locations"][:1]}
    alternatives = {place(one) for row in expected["failures"] for one in row["locations"] if one.get("alt_primary")}
    first = next((one for failure in report.failures for one in failure.locations), None)
    if primaries and (first is None or (first.path, first.line) not in primaries | alternatives):
        wrong.add("first location is no primary")
    own = [(failure.primary.path, failure.primary.line, failure) for failure in report.failures if failure.primary]
    for row in expected["failures"]:
        if not row["locations"]:
            continue
        same = [failure for path, line, failure in own if (path, line) == place(row["locations"][0])]
        if not same:
            wrong.add(f"no failure has its primary at {':'.join(map(str, place(row['locations'][0])))}")
        elif row["kind"] not in {str(failure.kind) for failure in same}:
            kinds = ", ".join(sorted({str(failure.kind) for failure in same}))
            wrong.add(f"{':'.join(map(str, place(row['locations'][0])))} is {row['kind']}, not {kinds}")
    return wrong
