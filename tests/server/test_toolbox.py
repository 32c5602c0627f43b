"""Search, grep, related, expand, verify, explain, failures and edits over the protocol."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from .asking import ask, change, close_file, diagnostic, open_file, refused
from .conftest import Client

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_search_ranks_and_shows_matching_lines(client: Client, workspace: Path) -> None:
    await ask(client, "context/status", {"wait": True})
    found = await ask(client, "context/search", {"query": "parse a range of text"})
    first = found["hits"][0]
    assert (first["path"], first["symbol"], first["score"]) == ("src/model.py", "parse_range", 1.0)
    assert any("parse_range" in match["text"] for match in first["matches"])
    assert (await ask(client, "context/search", {"query": "zzzzzz"}))["hits"] == []


async def test_grep_literal_regex_case_and_scope(client: Client, workspace: Path) -> None:
    literal = await ask(client, "context/grep", {"pattern": "self.last - self.first"})
    assert [(match["path"], match["line"]) for match in literal["matches"]] == [("src/model.py", 16)]
    pattern = {"pattern": r"def \w+range", "kind": "regex", "include": ["src/"]}
    assert [match["line"] for match in (await ask(client, "context/grep", pattern))["matches"]] == [4]
    assert (await ask(client, "context/grep", {"pattern": "SPAN"}))["matches"] == []
    assert (await ask(client, "context/grep", {"pattern": "SPAN", "case": "insensitive"}))["matches"]
    assert (await ask(client, "context/grep", {"pattern": "Span", "exclude": ["*.py"]}))["matches"] == []
    cut = await ask(client, "context/grep", {"pattern": "self", "limit": 2})
    assert (len(cut["matches"]), cut["stopped"]) == (2, "limit")


async def test_grep_positions_are_the_clients(client: Client, workspace: Path) -> None:
    found = await ask(client, "context/grep", {"pattern": "${name}"})
    line = "  return `héllo 😀 ${name}`;"
    prefix = line[: line.index("${")]
    units = {"utf-16": len(prefix.encode("utf-16-le")) // 2, "utf-8": len(prefix.encode())}
    start = found["matches"][0]["range"]["start"]
    assert start == {"line": 1, "character": units[client.answer.capabilities.position_encoding]}


async def test_an_endless_pattern_is_stopped(client: Client, workspace: Path) -> None:
    uri = open_file(client, workspace / "src/slow.py", "a" * 5000 + "!", "python")
    found = await ask(client, "context/grep", {"pattern": "(a|aa)+(b|ab)+$", "kind": "regex", "include": ["slow.py"]})
    assert found["stopped"] in ("time", None)
    close_file(client, uri)


async def test_secrets_are_neither_found_nor_shown(client: Client, workspace: Path) -> None:
    for method, params in (
        ("context/grep", {"pattern": "very-secret"}),
        ("context/search", {"query": "very-secret-value-4711 TOKEN"}),
        ("context/related", {"path": ".env"}),
    ):
        assert "very-secret" not in str(await ask(client, method, params))
    error = await refused(client, "context/expand", {"path": ".env", "lines": {"start": 1, "end": 1}})
    assert error.code == -32602
    claim = {"path": ".env", "lines": {"start": 1, "end": 1}, "contentHash": "0"}
    verdict = await ask(client, "context/verify", {"items": [claim]})
    assert verdict["items"][0]["state"] == "denied"


async def test_related_gives_definition_users_tests_and_importers(client: Client, workspace: Path) -> None:
    found = await ask(client, "context/related", {"symbol": "total"})
    relations = {(item["relation"], item["path"]) for item in found["items"]}
    assert ("definition", "src/service.py") in relations
    assert ("test", "tests/test_service.py") in relations
    assert ("callee", "src/model.py") in relations
    by_place = await ask(
        client, "context/related", {"uri": (workspace / "src/service.py").as_uri(), "lines": {"start": 5, "end": 5}}
    )
    assert by_place["items"][0]["symbol"] == "total"
    assert all(item["why"] for item in found["items"])


async def test_expand_goes_to_the_unit_and_to_neighbours(client: Client, workspace: Path) -> None:
    unit = await ask(client, "context/expand", {"id": "src/model.py:16-16"})
    assert unit["symbol"] == "Span.length"
    assert unit["lines"] == {"start": 15, "end": 16}
    wider = await ask(client, "context/expand", {"id": "src/model.py:15-16"})
    assert wider["symbol"] == "Span"
    around = {"path": "src/model.py", "lines": {"start": 4, "end": 4}, "extent": "neighbours", "neighbours": 2}
    assert (await ask(client, "context/expand", around))["lines"] == {"start": 2, "end": 6}


async def test_verify_reads_what_changed_while_a_file_was_closed(client: Client, workspace: Path) -> None:
    """No event tells of the change, and the index still holds the old text: the answer comes from the disk."""
    place = workspace / "src/late.py"
    place.write_text("def first():\n    return 1\n\n\ndef second():\n    return 2\n")
    uri = open_file(client, place)
    spans = [("src/late.py", 1, 2), ("src/late.py", 5, 6)]
    claims: list[dict[str, Any]] = []
    for path, start, end in spans:
        asked = {"path": path, "lines": {"start": start, "end": end}, "extent": "range"}
        shown = await ask(client, "context/expand", asked)
        claims.append({name: shown[name] for name in ("id", "path", "lines", "contentHash")})
    change(client, uri, 2, ((0, 4, 0, 9), "unsaved"))
    states = [item["state"] for item in (await ask(client, "context/verify", {"items": claims}))["items"]]
    assert states == ["changed", "same"]
    close_file(client, uri)  # without saving: the disk counts, and has what it had
    assert (await ask(client, "context/verify", {"items": claims}))["valid"] is True
    place.write_text("# new\ndef first():\n    return 1\n\n\ndef second():\n    return 3\n")
    verdict = await ask(client, "context/verify", {"items": claims})
    assert [item["state"] for item in verdict["items"]] == ["moved", "changed"]
    assert verdict["items"][0]["now"] == {"start": 2, "end": 3}
    place.unlink()
    verdict = await ask(client, "context/verify", {"items": claims})
    assert [item["state"] for item in verdict["items"]] == ["missing", "missing"]


async def test_verify_sees_moves_and_changes(client: Client, workspace: Path) -> None:
    uri = open_file(client, workspace / "src/model.py")
    pack = await ask(client, "context/build", {"diagnostics": [diagnostic(uri, 14)]})
    item = next(item for item in pack["items"] if item["path"] == "src/model.py" and item["lines"]["end"] >= 15)
    claim = {name: item[name] for name in ("id", "path", "lines", "contentHash")}
    assert (await ask(client, "context/verify", {"fingerprint": pack["fingerprint"]}))["valid"] is True
    change(client, uri, 2, ((0, 0, 0, 0), "# one line more\n"))
    moved = await ask(client, "context/verify", {"items": [claim]})
    assert moved["valid"] is False
    assert moved["items"][0]["state"] == "moved"
    assert moved["items"][0]["now"]["start"] == item["lines"]["start"] + 1
    change(client, uri, 3, ((15, 8, 15, 14), "give"))
    assert (await ask(client, "context/verify", {"items": [claim]}))["items"][0]["state"] == "changed"
    close_file(client, uri)


async def test_explain_tells_in_and_out(client: Client, workspace: Path) -> None:
    uri = open_file(client, workspace / "src/model.py")
    await ask(client, "context/build", {"diagnostics": [diagnostic(uri, 14)], "budget": {"maxTokens": 4000}})
    inside = await ask(client, "context/explain", {"path": "src/model.py", "line": 15})
    assert inside["verdict"] == "included"
    assert (await ask(client, "context/explain", {"path": ".env", "line": 1}))["verdict"] == "denied"
    assert (await ask(client, "context/explain", {"path": "nope.py", "line": 1}))["verdict"] == "not-indexed"
    assert (await ask(client, "context/explain", {"symbol": "no_such_thing"}))["verdict"] == "unknown-symbol"
    close_file(client, uri)


async def test_parse_failure_gives_locations(client: Client, workspace: Path) -> None:
    text = 'Traceback (most recent call last):\n  File "src/model.py", line 6, in parse_range\nValueError: nope\n'
    found = await ask(client, "context/parseFailure", {"text": text})
    location = found["failures"][0]["locations"][0]
    assert (location["path"], location["line"]) == ("src/model.py", 6)
    assert (await ask(client, "context/parseFailure", {"text": "all is well"}))["failures"] == []


async def test_edits_become_one_versioned_edit_or_a_typed_error(client: Client, workspace: Path) -> None:
    uri = open_file(client, workspace / "src/model.py")
    change(client, uri, 7, ((0, 0, 0, 0), "# unsaved\n"))

    def block(search: str, replace: str, path: str = "src/model.py") -> dict[str, str]:
        return {"edits": f"{path}\n<<<<<<< SEARCH\n{search}=======\n{replace}>>>>>>> REPLACE\n"}

    good = block("        return self.last - self.first\n", "        return self.last - self.first + 1\n")
    result = await ask(client, "context/applyEdits", good)
    edit = result["edit"]["documentChanges"][0]
    assert edit["textDocument"] == {"uri": uri, "version": 7}
    assert edit["edits"][0]["range"]["start"]["line"] == 16
    assert result["applied"] is False
    missing = await refused(client, "context/applyEdits", block("not there at all\n", "x\n"))
    assert (missing.code, missing.data["code"]) == (-32602, "no-match")
    denied = await refused(client, "context/applyEdits", block("", "x\n", ".env"))
    assert denied.data["code"] == "denied"
    outside = await refused(client, "context/applyEdits", block("", "x\n", "../x.py"))
    assert outside.data["code"] == "outside-workspace"
    created = await ask(client, "context/applyEdits", block("", "x = 1\n", "src/new.py"))
    assert [entry.get("kind") for entry in created["edit"]["documentChanges"]] == ["create", None]
    close_file(client, uri)


MALFORMED: list[tuple[str, Any, str]] = [
    ("context/search", {}, "query"),
    ("context/search", {"query": 5}, "query"),
    ("context/search", {"query": "x", "limit": 0}, "limit"),
    ("context/search", {"query": "x", "limit": "5"}, "limit"),
    ("context/search", {"query": "x", "include": [5]}, "include[0]"),
    ("context/grep", {}, "pattern"),
    ("context/grep", {"pattern": ""}, "pattern"),
    ("context/grep", {"pattern": "(", "kind": "regex"}, "pattern"),
    ("context/grep", {"pattern": "x" * 3000}, "pattern"),
    ("context/grep", {"pattern": "x", "kind": "glob"}, "kind"),
    ("context/grep", {"pattern": "x", "case": 5}, "case"),
    ("context/related", {}, "symbol"),
    ("context/related", {"path": "../x"}, "path"),
    ("context/related", {"path": "x.py", "lines": {"start": 0, "end": 1}}, "lines.start"),
    ("context/related", {"path": "x.py", "range": 5}, "range"),
    ("context/expand", {}, "path"),
    ("context/expand", {"id": "nonsense"}, "id"),
    ("context/expand", {"path": "src/model.py"}, "lines"),
    ("context/expand", {"path": "src/model.py", "lines": {"start": 999, "end": 999}}, "lines"),
    ("context/expand", {"path": "gone.py", "lines": {"start": 1, "end": 1}}, "path"),
    ("context/expand", {"id": "src/model.py:1-1", "extent": "all"}, "extent"),
    ("context/verify", {}, "items"),
    ("context/verify", {"items": [5]}, "items[0]"),
    ("context/verify", {"items": [{"path": "x"}]}, "items[0].lines"),
    ("context/verify", {"fingerprint": "unknown"}, "fingerprint"),
    ("context/explain", {}, "path"),
    ("context/explain", {"path": "x", "line": 0}, "line"),
    ("context/parseFailure", {}, "text"),
    ("context/parseFailure", {"text": ["x"]}, "text"),
    ("context/applyEdits", {}, "edits"),
    ("context/applyEdits", {"edits": "x", "expected": {"a": 5}}, "expected.a"),
    ("context/status", {"wait": "yes"}, "wait"),
    ("context/reindex", [], ""),
]


async def test_malformed_requests_name_the_field(client: Client) -> None:
    for method, params, path in MALFORMED:
        error = await refused(client, method, params)
        assert error.code == -32602, (method, params, error)
        assert error.data["path"] == path, (method, params, error.data)


async def test_the_map_keeps_its_budget(client: Client, workspace: Path) -> None:
    drawn = await ask(client, "context/map", {"budget": 200})
    assert drawn["used"] <= drawn["budget"] == 200
    assert "parse_range" in drawn["rendered"]
    focused = await ask(client, "context/map", {"focus": [(workspace / "src/service.py").as_uri()]})
    assert "very-secret" not in str(focused)
    assert (await refused(client, "context/map", {"depth": -1})).data["path"] == "depth"
