"""The plain dictionaries: shapes of the protocol page, camelCase, `lines` and `range` in agreement."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsp_server.context.evidence import evidence_of
from lsp_server.context.json import Edge, lsp_range, pack_to_dict
from lsp_server.context.layout import layout, link_items
from lsp_server.context.pack import select
from lsp_server.model.failure import Failure, FailureKind, LibraryFrame, Location
from lsp_server.model.lines import LineRange
from lsp_server.model.pack import ContextPack, Freshness, Unresolved
from lsp_server.model.request import Budget
from lsp_server.text.tokens import EstimateCounter

from .selection_cases import candidate

FAILURE = Failure(
    "f1",
    "boom",
    FailureKind.EXCEPTION,
    code="E1",
    test="test_x",
    tool="pytest",
    locations=(Location("src/a.py", 5, end_line=6, column=3, symbol="f"),),
    library_frames=(LibraryFrame("/lib/x.py", 9, "g"),),
)


def packed() -> dict[str, object]:
    given = [
        candidate("1", lines=(4, 9), reason="failure", why="why", content="a\nb\n"),
        candidate("2", lines=(9, 12)),
    ]
    selection = select(given, Budget(), EstimateCounter(), failures=[FAILURE], cut={"bm25": 2})
    pack = ContextPack(
        selection,
        layout(selection.items, evidence_of([FAILURE])),
        (FAILURE,),
        link_items([FAILURE], selection.items),
        failures_left_out=(("cascade", 3),),
        unresolved=Unresolved(30, tuple(f"name{index}" for index in range(30))),
        freshness=Freshness(3, 1, "abc", ("b.py",)),
        timings={"rank": 1.5},
        rendered="text",
    )
    return pack_to_dict(pack, Edge(uri=lambda path: f"file:///w/{path}"))


def test_a_pack_has_every_field_of_the_protocol_page() -> None:
    plain = packed()
    assert list(plain) == [
        "schema", "items", "layout", "omitted", "failures", "failuresLeftOut", "used", "overhead", "budget", "ceiling",
        "truncated", "missingCritical", "missingRequired", "policy", "counter", "fingerprint", "sources", "unresolved",
        "freshness", "timings", "rendered",
    ]  # fmt: skip
    assert plain["policy"] == "tiered-1"
    assert plain["counter"] == "estimate-1"
    assert plain["sources"] == {"bm25": {"found": 4, "admitted": 1, "omitted": 1, "cut": 2}}
    assert plain["freshness"] == {"revision": 3, "pendingFiles": 1, "head": "abc", "staleDocuments": ["b.py"]}
    assert len(plain["unresolved"]["names"]) == 20  # type: ignore[index, call-overload]


def test_an_item_an_omission_and_a_failure() -> None:
    plain = packed()
    (item,), (omission,), (failure,) = plain["items"], plain["omitted"], plain["failures"]  # type: ignore[misc]
    assert item | {"cost": 0, "contentHash": ""} == {
        "id": "1",
        "path": "src/a.py",
        "uri": "file:///w/src/a.py",
        "lines": {"start": 4, "end": 9},
        "range": {"start": {"line": 3, "character": 0}, "end": {"line": 9, "character": 0}},
        "content": "a\nb\n",
        "reason": "failure",
        "source": "bm25",
        "why": "why",
        "score": 1.0,
        "cost": 0,
        "rank": 1,
        "contentHash": "",
        "origin": "disk",
    }
    assert omission | {"cost": 0} == {
        "id": "2",
        "path": "src/a.py",
        "lines": {"start": 9, "end": 12},
        "reason": "search",
        "source": "bm25",
        "score": 1.0,
        "cost": 0,
        "rank": 2,
        "cause": "overlap",
        "blockedBy": "1",
    }
    assert failure == {
        "id": "f1",
        "message": "boom",
        "kind": "exception",
        "severity": "error",
        "tool": "pytest",
        "locations": [
            {
                "path": "src/a.py",
                "line": 5,
                "role": "primary",
                "confidence": 1.0,
                "endLine": 6,
                "column": 3,
                "symbol": "f",
            }
        ],
        "libraryFrames": [{"path": "/lib/x.py", "line": 9, "symbol": "g"}],
        "items": ["1"],
        "code": "E1",
        "test": "test_x",
    }


def test_the_plain_form_survives_json() -> None:
    assert json.loads(json.dumps(packed())) == packed()


@pytest.mark.parametrize(
    ("content", "end"),
    [
        ("a\nb\n", {"line": 4, "character": 0}),
        ("a\r\nb\r\n", {"line": 4, "character": 0}),
        ("a\rb\r", {"line": 4, "character": 0}),
        ("a\nbc", {"line": 3, "character": 2}),
        ("a\n日👩", {"line": 3, "character": 3}),
        ("a\n", {"line": 4, "character": 0}),
    ],
)
def test_the_lsp_range_ends_where_the_text_ends(content: str, end: dict[str, int]) -> None:
    assert lsp_range(LineRange(3, 4), content)["end"] == end


@given(st.integers(1, 99), st.lists(st.text("a日👩", min_size=1), min_size=1, max_size=5), st.booleans())
def test_lines_and_range_always_agree(start: int, lines: list[str], ends: bool) -> None:
    content = "\n".join(lines) + ("\n" if ends else "")
    plain = lsp_range(LineRange(start, start + len(lines) - 1), content)
    first, end = plain["start"], plain["end"]
    assert first == {"line": start - 1, "character": 0}
    assert end["line"] - first["line"] == content.count("\n")  # type: ignore[index, call-overload]


def test_columns_are_counted_in_the_clients_encoding() -> None:
    assert lsp_range(LineRange(1, 1), "👩", Edge(columns=len))["end"] == {"line": 0, "character": 1}
