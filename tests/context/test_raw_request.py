"""Requests from JSON: all fields read, unknown ones ignored, each wrong one named by its JSON path."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsp_server.context.json import request_from
from lsp_server.context.raw_request import Spot
from lsp_server.model.errors import BudgetError, PathError, RangeError, RequestError
from lsp_server.model.lines import LineRange
from lsp_server.model.request import (
    Budget,
    BuildRequest,
    DiagnosticInput,
    FailureOutput,
    Mention,
    Place,
    Quota,
    RelatedLocation,
    RenderFormat,
    RenderOptions,
    Severity,
    Stop,
    Unit,
)

LINES = {"start": 3, "end": 4}

WHOLE: dict[str, Any] = {
    "diagnostics": [
        {
            "path": "./src/a.py",
            "version": 7,
            "diagnostic": {
                "lines": LINES,
                "message": "broken",
                "severity": 2,
                "code": 404,
                "source": "tool",
                "tags": [1],
                "relatedInformation": [{"location": {"path": "b.py", "lines": LINES}, "message": "here"}],
            },
        }
    ],
    "failureOutput": [{"text": "Traceback", "format": "pytest", "cwd": "./pkg"}],
    "task": "fix it",
    "cursor": {"path": "a.py", "lines": LINES},
    "openDocuments": ["a.py", {"path": "b.py"}],
    "recentEdits": [{"path": "c.py", "lines": LINES}],
    "mentions": [{"path": "d.py"}, {"symbol": "parse"}, {"path": "e.py", "lines": LINES}],
    "budget": {
        "maxTokens": 100,
        "ceiling": 200,
        "reserve": 5,
        "maxItems": 6,
        "perFile": 7,
        "perSource": {"bm25": {"maxItems": 1, "maxCost": 2}},
        "floors": {"search": 0.5},
        "stop": "auto",
    },
    "render": {"format": "xml", "lineNumbers": True},
    "policy": "tiered",
    "include": ["src/**"],
    "exclude": ["docs/**"],
    "includeWarnings": True,
    "includeRules": True,
    "explain": True,
    "somethingNew": 1,
}
RANGE = LineRange(3, 4)


def test_every_field_is_read_and_unknown_ones_ignored() -> None:
    related = (RelatedLocation("b.py", RANGE, "here"),)
    assert request_from(WHOLE) == BuildRequest(
        diagnostics=(
            DiagnosticInput(
                "src/a.py", RANGE, "broken", Severity.WARNING, "404", "tool", 7, unnecessary=True, related=related
            ),
        ),
        failure_output=(FailureOutput("Traceback", "pytest", "pkg"),),
        task="fix it",
        mentions=(Mention("d.py"), Mention(symbol="parse"), Mention("e.py", range=RANGE)),
        cursor=Place("a.py", RANGE),
        open_documents=("a.py", "b.py"),
        recent_edits=(Place("c.py", RANGE),),
        budget=Budget(
            limit=100,
            ceiling=200,
            reserve=5,
            max_items=6,
            per_file=7,
            per_source={"bm25": Quota(1, 2)},
            floors={"search": 0.5},
            stop=Stop.AUTO,
        ),
        render=RenderOptions(RenderFormat.XML, line_numbers=True),
        policy="tiered",
        include=("src/**",),
        exclude=("docs/**",),
        include_warnings=True,
        include_rules=True,
        explain=True,
    )


def test_defaults_are_8000_tokens_and_markdown() -> None:
    assert request_from({"task": "x", "budget": None, "render": {}}) == BuildRequest(task="x")
    assert request_from({"task": "x", "budget": {}}).budget == Budget(8_000)
    assert request_from({"task": "x", "budget": {"maxChars": 0}}).budget == Budget(0, Unit.CHARS)


@pytest.mark.parametrize("raw", [{}, {"diagnostics": []}, {"task": "  "}, {"mentions": [], "failureOutput": []}])
def test_an_empty_request_is_an_error(raw: object) -> None:
    with pytest.raises(RequestError, match="at least one of"):
        request_from(raw)


WRONG: list[tuple[str, object, type[RequestError], str]] = [
    ("diagnostics", "x", RequestError, "diagnostics"),
    ("diagnostics", {}, RequestError, "diagnostics"),
    ("diagnostics.0", 5, RequestError, "diagnostics[0]"),
    ("diagnostics.0.path", None, PathError, "diagnostics[0].path"),
    ("diagnostics.0.path", "/etc/passwd", PathError, "diagnostics[0].path"),
    ("diagnostics.0.uri", "file:///x", PathError, "diagnostics[0].uri"),
    ("diagnostics.0.uri", 5, RequestError, "diagnostics[0].uri"),
    ("diagnostics.0.version", "7", RequestError, "diagnostics[0].version"),
    ("diagnostics.0.diagnostic", None, RequestError, "diagnostics[0].diagnostic"),
    ("diagnostics.0.diagnostic.message", None, RequestError, "diagnostics[0].diagnostic.message"),
    ("diagnostics.0.diagnostic.message", 5, RequestError, "diagnostics[0].diagnostic.message"),
    ("diagnostics.0.diagnostic.lines", None, RangeError, "diagnostics[0].diagnostic.lines"),
    ("diagnostics.0.diagnostic.lines.start", 0, RangeError, "diagnostics[0].diagnostic.lines.start"),
    ("diagnostics.0.diagnostic.lines.end", 1.5, RangeError, "diagnostics[0].diagnostic.lines.end"),
    ("diagnostics.0.diagnostic.severity", 9, RequestError, "diagnostics[0].diagnostic.severity"),
    ("diagnostics.0.diagnostic.severity", "bad", RequestError, "diagnostics[0].diagnostic.severity"),
    ("diagnostics.0.diagnostic.severity", True, RequestError, "diagnostics[0].diagnostic.severity"),
    ("diagnostics.0.diagnostic.code", 1.5, RequestError, "diagnostics[0].diagnostic.code"),
    ("diagnostics.0.diagnostic.source", 1, RequestError, "diagnostics[0].diagnostic.source"),
    ("diagnostics.0.diagnostic.tags", 1, RequestError, "diagnostics[0].diagnostic.tags"),
    (
        "diagnostics.0.diagnostic.relatedInformation.0.location.path",
        "../x",
        PathError,
        "diagnostics[0].diagnostic.relatedInformation[0].location.path",
    ),
    ("failureOutput.0.text", None, RequestError, "failureOutput[0].text"),
    ("failureOutput.0.text", 5, RequestError, "failureOutput[0].text"),
    ("failureOutput.0.format", 5, RequestError, "failureOutput[0].format"),
    ("failureOutput.0.cwd", "/tmp", PathError, "failureOutput[0].cwd"),
    ("task", 5, RequestError, "task"),
    ("cursor", [], RequestError, "cursor"),
    ("cursor.lines", None, RangeError, "cursor.lines"),
    ("openDocuments.1", 5, RequestError, "openDocuments[1]"),
    ("openDocuments.0", "../x", PathError, "openDocuments[0]"),
    ("recentEdits.0.lines.end", 1, RangeError, "recentEdits[0].lines.end"),
    ("mentions.1", {}, RequestError, "mentions[1]"),
    ("mentions.0.path", "", PathError, "mentions[0].path"),
    ("budget", 8000, RequestError, "budget"),
    ("budget.maxTokens", -1, BudgetError, "budget.maxTokens"),
    ("budget.maxTokens", float("nan"), BudgetError, "budget.maxTokens"),
    ("budget.maxTokens", True, BudgetError, "budget.maxTokens"),
    ("budget.maxChars", 5, BudgetError, "budget.maxChars"),
    ("budget.ceiling", 99, BudgetError, "budget.ceiling"),
    ("budget.reserve", "5", BudgetError, "budget.reserve"),
    ("budget.maxItems", 1.0, BudgetError, "budget.maxItems"),
    ("budget.perFile", -3, BudgetError, "budget.perFile"),
    ("budget.perSource", [], RequestError, "budget.perSource"),
    ("budget.perSource.bm25", 5, RequestError, "budget.perSource.bm25"),
    ("budget.perSource.bm25.maxCost", -5, BudgetError, "budget.perSource.bm25.maxCost"),
    ("budget.floors.search", "half", BudgetError, "budget.floors.search"),
    ("budget.floors.search", float("nan"), BudgetError, "budget.floors.search"),
    ("budget.floors.search", 1.5, BudgetError, "budget.floors.search"),
    ("budget.floors.nothing", 0.5, BudgetError, "budget.floors.nothing"),
    ("budget.floors.failing", 0.6, BudgetError, "budget.floors"),
    ("budget.stop", "now", RequestError, "budget.stop"),
    ("render", "xml", RequestError, "render"),
    ("render.format", "pdf", RequestError, "render.format"),
    ("render.lineNumbers", 1, RequestError, "render.lineNumbers"),
    ("policy", "best", RequestError, "policy"),
    ("policy", 5, RequestError, "policy"),
    ("include", "src", RequestError, "include"),
    ("include.0", 5, RequestError, "include[0]"),
    ("exclude.0", None, RequestError, "exclude[0]"),
    ("includeWarnings", "yes", RequestError, "includeWarnings"),
    ("includeRules", 0, RequestError, "includeRules"),
    ("explain", "", RequestError, "explain"),
]


def changed(where: str, value: object) -> dict[str, Any]:
    raw: Any = json.loads(json.dumps(WHOLE))
    *parents, last = [int(part) if part.isdigit() else part for part in where.split(".")]
    target = raw
    for part in parents:
        target = target[part]
    target[last] = value
    return raw  # type: ignore[no-any-return]


@pytest.mark.parametrize(("where", "value", "error", "path"), WRONG)
def test_each_wrong_field_is_named(where: str, value: object, error: type[RequestError], path: str) -> None:
    with pytest.raises(error) as caught:
        request_from(changed(where, value))
    assert caught.value.path == path


@pytest.mark.parametrize("raw", [None, [], "x", 5])
def test_a_request_that_is_no_object_is_an_error(raw: object) -> None:
    with pytest.raises(RequestError, match="must be an object"):
        request_from(raw)


class Edge:
    """Stands for the protocol edge: URIs of one folder, 0-based positions."""

    def path(self, uri: str) -> str:
        if not uri.startswith("file:///w/"):
            raise PathError("", f"outside every root: {uri}")
        return uri.removeprefix("file:///w/")

    def spot(self, path: str, range: object) -> Spot:
        if not isinstance(range, Mapping):
            raise RangeError("", f"must be a range in {path}")
        if "line" in range:
            return Spot(LineRange(range["line"] + 1, range["line"] + 1))
        start, end = range["start"]["line"] + 1, range["end"]["line"] + 1
        return Spot(LineRange(start, end), range["start"]["character"] + 1)


def test_uris_and_ranges_go_through_the_protocol_edge() -> None:
    span = {"start": {"line": 4, "character": 2}, "end": {"line": 5, "character": 0}}
    raw = {
        "diagnostics": [{"uri": "file:///w/a.py", "diagnostic": {"range": span, "message": "m"}}],
        "cursor": {"uri": "file:///w/b.py", "position": {"line": 0, "character": 0}},
        "openDocuments": ["file:///w/c.py"],
    }
    request = request_from(raw, Edge())
    assert request.diagnostics == (DiagnosticInput("a.py", LineRange(5, 6), "m", column=3),)
    assert request.cursor == Place("b.py", LineRange(1, 1))
    assert request.open_documents == ("c.py",)


@pytest.mark.parametrize(
    ("raw", "path"),
    [
        ({"cursor": {"uri": "http://x", "position": {}}}, "cursor.uri"),
        ({"cursor": {"uri": "file:///w/a", "position": 5}}, "cursor.position"),
        ({"openDocuments": ["file:///w/a", "x"]}, "openDocuments[1]"),
    ],
)
def test_what_the_edge_refuses_is_named(raw: dict[str, object], path: str) -> None:
    with pytest.raises(RequestError) as caught:
        request_from(raw, Edge())
    assert caught.value.path == path


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@given(st.sampled_from([where for where, *_ in WRONG]), JSON)
def test_any_value_anywhere_is_read_or_a_typed_error(where: str, value: object) -> None:
    error = error_of(changed(where, value))
    assert error is None or re.split(r"[.\[]", error.path)[0] == where.split(".")[0]


def error_of(raw: object) -> RequestError | None:
    try:
        request_from(raw)
    except RequestError as error:
        return error
    return None
