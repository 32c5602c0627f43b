"""Cases of a benchmark file, whatever shape they come in.

One JSON object a line. Adapters, in this order (the first whose key is there):

==================  ====================================================================================
key                 shape
==================  ====================================================================================
`buggy_commit`      a public bug fix: `repo`, `buggy_commit`, `fixed_commit`, `test_files`,
                    `diagnostics[{path, start_line, end_line, message, kind: test|frame}]`, `query`,
                    `gold[{path, start, end}]`, `gold_files`, `gold_functions[{path, start, end, name}]`
`expected`          a plain case: `workspace`, `query` or `task`, `failure` or `failureOutput` (text),
                    `diagnostics` (as in context/build), `expected` (paths, or {path, start, end}),
                    `success` (bool, from a test run)
==================  ====================================================================================
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, cast

from ..context.json import request_from
from ..model.errors import RequestError
from ..model.failure import Failure, FailureKind, Location, Role
from ..model.lines import LineRange
from ..model.request import BuildRequest, FailureOutput
from ..model.values import Value, replace


class Span(Value):
    """Lines of one file, 1-based and closed; `range` None means the whole file."""

    path: str
    range: LineRange | None = None


class Checkout(Value):
    """Where a case's workspace comes from: a commit of a clone, with some files of another commit over it."""

    repository: str
    commit: str
    overlay_commit: str | None = None
    overlay_files: tuple[str, ...] = ()


class Case(Value):
    """One question with its right answer. `given` are lines that the caller has already (the failing tests).

    `functions` are the definitions that the right answer touches; `success` comes from a test run.
    """

    id: str
    group: str
    request: BuildRequest
    gold: tuple[Span, ...]
    functions: tuple[Span, ...] = ()
    given: tuple[Span, ...] = ()
    workspace: str | None = None
    checkout: Checkout | None = None
    success: bool | None = None

    @property
    def gold_files(self) -> tuple[str, ...]:
        """Files of the right answer, each once."""
        return tuple(dict.fromkeys(span.path for span in self.gold))


class CaseFile(Value):
    """Cases to measure, and ids of cases without any expectation, which are reported apart."""

    cases: tuple[Case, ...] = ()
    without_expectation: tuple[str, ...] = field(default=())


def read_cases(text: str) -> CaseFile:
    """All cases of a JSON-lines text. Raises RequestError naming the line for a malformed or empty file."""
    cases: list[Case] = []
    empty: list[str] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        case = _case(line, number)
        if case.gold:
            cases.append(case)
        else:
            empty.append(case.id)
    if not cases and not empty:
        raise RequestError("CASES", "the file holds no case")
    return CaseFile(tuple(cases), tuple(empty))


def _case(line: str, number: int) -> Case:
    where = f"CASES line {number}"
    try:
        raw = json.loads(line)
    except json.JSONDecodeError as error:
        raise RequestError(where, f"not JSON: {error.msg}") from None
    except RecursionError:
        raise RequestError(where, "nested too deeply") from None
    if not isinstance(raw, dict):
        raise RequestError(where, "must be an object")
    adapt = bug_fix_case if "buggy_commit" in cast(Mapping[str, Any], raw) else plain_case
    try:
        return adapt(cast(Mapping[str, Any], raw), number)
    except RequestError as error:
        raise error.below(where) from None
    except (KeyError, TypeError, ValueError) as error:
        raise RequestError(where, f"missing or wrong field: {error}") from None


def bug_fix_case(raw: Mapping[str, Any], _number: int) -> Case:
    """A case of the public bug-fix benchmark."""
    tests = [entry for entry in raw["diagnostics"] if entry.get("kind", "test") == "test"]
    return Case(
        id=raw["id"],
        group=raw.get("lang", ""),
        request=BuildRequest(failures=_failures(raw, tests), task=raw["query"]),
        gold=tuple(_span(entry) for entry in raw["gold"]),
        functions=tuple(_span(entry) for entry in raw.get("gold_functions", ())),
        given=tuple(Span(entry["path"], LineRange(entry["start_line"], entry["end_line"])) for entry in tests),
        checkout=Checkout(raw["repo"], raw["buggy_commit"], raw["fixed_commit"], tuple(raw.get("test_files", ()))),
    )


def _failures(raw: Mapping[str, Any], tests: list[Mapping[str, Any]]) -> tuple[Failure, ...]:
    """The first test with the frames of its traceback, deepest first; every further test alone."""
    frames = [entry for entry in raw["diagnostics"] if entry.get("kind") == "frame"]
    failures: list[Failure] = []
    for number, test in enumerate(tests, start=1):
        own = frames if number == 1 else []
        message = str(test["message"])
        locations = [
            Location(entry["path"], entry["start_line"], role=Role.FRAME if depth else Role.PRIMARY)
            for depth, entry in enumerate(reversed(own))
        ]
        whole = Location(
            test["path"], test["start_line"], test["end_line"], role=Role.TEST if locations else Role.PRIMARY
        )
        exception = bool(own) and "AssertionError" not in message
        failures.append(
            Failure(
                id=f"F{number}",
                message=message,
                kind=FailureKind.EXCEPTION if exception else FailureKind.ASSERTION,
                test=message.split(" failed")[0],
                locations=(*locations, whole),
            )
        )
    return tuple(failures)


def plain_case(raw: Mapping[str, Any], number: int) -> Case:
    """A case `{workspace, query | failure, expected, success}`."""
    task = raw.get("query") or raw.get("task") or ""
    output = raw.get("failure") or raw.get("failureOutput") or ""
    fields = {name: raw[name] for name in ("diagnostics", "mentions") if name in raw}
    request = request_from({**fields, "task": task}) if fields else BuildRequest(task=task)
    if output:
        request = replace(request, failure_output=(FailureOutput(output, cwd=raw.get("cwd")),))
    if not (request.task or request.failure_output or request.diagnostics or request.mentions):
        raise RequestError("query", "give query, failure or diagnostics")
    expected = raw.get("expected", ())
    if not isinstance(expected, list | tuple):
        raise RequestError("expected", "must be a list of paths or {path, start, end}")
    success = raw.get("success")
    if success is not None and not isinstance(success, bool):
        raise RequestError("success", "must be true or false, from a test run")
    return Case(
        id=str(raw.get("id", number)),
        group=str(raw.get("group", "")),
        request=request,
        gold=tuple(Span(entry) if isinstance(entry, str) else _span(entry) for entry in cast(Sequence[Any], expected)),
        functions=tuple(_span(entry) for entry in raw.get("functions", ())),
        workspace=raw["workspace"],
        success=success,
    )


def _span(raw: Mapping[str, Any]) -> Span:
    return Span(raw["path"], LineRange(raw["start"], raw["end"]) if "start" in raw else None)
