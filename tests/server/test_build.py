"""`context/build` over stdio: unsaved text, reasons, budget, refusals, commands."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from .asking import ask, change, close_file, diagnostic, open_file, refused
from .conftest import Client

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_unsaved_text_is_in_the_pack(client: Client, workspace: Path) -> None:
    path = workspace / "src/model.py"
    uri = open_file(client, path)
    change(client, uri, 2, ((15, 8, 15, 40), "return self.last - self.first  # UNSAVED"))
    params = {"diagnostics": [{**diagnostic(uri, 15), "version": 2}], "budget": {"maxTokens": 2000}}
    pack = await ask(client, "context/build", params)
    assert "UNSAVED" not in path.read_text()
    shown = [item for item in pack["items"] if "# UNSAVED" in item["content"]]
    assert shown
    assert shown[0]["origin"] == "buffer"
    assert shown[0]["version"] == 2
    assert shown[0]["uri"] == uri
    assert shown[0]["rank"] == 1
    assert "# UNSAVED" in pack["rendered"]
    close_file(client, uri)


async def test_every_item_says_why_and_the_budget_holds(client: Client, workspace: Path) -> None:
    uri = open_file(client, workspace / "tests/test_service.py")
    pack = await ask(client, "context/build", {"diagnostics": [diagnostic(uri, 4)], "budget": {"maxTokens": 400}})
    assert pack["items"]
    assert all(item["why"] and item["reason"] and item["source"] for item in pack["items"])
    assert pack["used"] <= pack["budget"] == 400
    assert pack["used"] == pack["overhead"] + sum(item["cost"] for item in pack["items"])
    ids = [item["id"] for item in pack["items"]] + [omission["id"] for omission in pack["omitted"]]
    assert len(ids) == len(set(ids))


async def test_failure_output_leads_to_the_code_under_test(client: Client, workspace: Path) -> None:
    output = (
        "____ test_total_counts_both_ends ____\n\n"
        "    def test_total_counts_both_ends():\n"
        '>       assert total(["1-3"]) == 3\n'
        "E       assert 2 == 3\n\n"
        "tests/test_service.py:5: AssertionError\n"
    )
    pack = await ask(client, "context/build", {"failureOutput": [{"text": output}], "budget": {"maxTokens": 3000}})
    paths = {item["path"] for item in pack["items"]}
    assert {"tests/test_service.py", "src/service.py"} <= paths
    assert pack["failures"][0]["locations"][0]["path"] == "tests/test_service.py"


async def test_lines_and_range_agree(client: Client, workspace: Path) -> None:
    pack = await ask(client, "context/build", {"task": "greet parse_range"})
    assert pack["items"]
    for item in pack["items"]:
        assert item["range"]["start"]["line"] == item["lines"]["start"] - 1
        last = item["range"]["end"]
        assert last["line"] - (1 if last["character"] == 0 else 0) == item["lines"]["end"] - 1


async def test_a_denied_file_is_never_shown(client: Client, workspace: Path) -> None:
    uri = open_file(client, workspace / ".env", language="dotenv")
    pack = await ask(client, "context/build", {"diagnostics": [diagnostic(uri, 0)], "task": "TOKEN"})
    assert "very-secret-value" not in str(pack)


async def test_the_command_gives_the_same_pack(client: Client, workspace: Path) -> None:
    params = {"task": "length of a span", "budget": {"maxTokens": 1500}}
    await ask(client, "context/status", {"wait": True})
    direct = await ask(client, "context/build", params)
    command = {"command": "repoContext.build", "arguments": [params]}
    mirrored = await ask(client, "workspace/executeCommand", command)
    assert mirrored["fingerprint"] == direct["fingerprint"]
    assert mirrored["items"] == direct["items"]


async def test_the_failing_code_is_sent_ahead(client: Client, workspace: Path) -> None:
    uri = open_file(client, workspace / "src/service.py")
    params = {"diagnostics": [diagnostic(uri, 4)], "partialResultToken": "ahead"}
    pack = await ask(client, "context/build", params)
    first = client.partial["ahead"][0]["items"]
    assert {item["path"] for item in first} == {"src/service.py"}
    assert first[0]["contentHash"] in {item["contentHash"] for item in pack["items"]}
    assert len(pack["items"]) > len(first)
    close_file(client, uri)


async def test_a_change_on_disk_is_noticed_with_and_without_watchers(client: Client, workspace: Path) -> None:
    path = workspace / "src/fresh.py"
    path.write_text("def freshly_written_function():\n    return 1\n")
    if "workspace/didChangeWatchedFiles" in client.registrations:
        events = [types.FileEvent(path.as_uri(), types.FileChangeType.Created)]
        client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(events))
    for _ in range(200):
        found = await ask(client, "context/search", {"query": "freshly_written_function"})
        if found["hits"]:
            break
        await asyncio.sleep(0.05)
    assert found["hits"][0]["path"] == "src/fresh.py"
    pack = await ask(client, "context/build", {"task": "freshly_written_function"})
    assert pack["items"][0]["path"] == "src/fresh.py"


RANGE = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 1}}


def bad_diagnostic(**parts: Any) -> dict[str, Any]:
    good: dict[str, Any] = {"range": RANGE, "message": "m"}
    return {"diagnostics": [{"uri": "file:///x.py", "diagnostic": {**good, **parts}}]}


MALFORMED: list[tuple[Any, str]] = [
    ([], ""),
    ("text", ""),
    ({}, ""),
    ({"task": "  "}, ""),
    ({"task": 5}, "task"),
    ({"diagnostics": {}}, "diagnostics"),
    ({"diagnostics": [None]}, "diagnostics[0]"),
    ({"diagnostics": [{"diagnostic": {"range": RANGE, "message": "m"}}]}, "diagnostics[0].path"),
    ({"diagnostics": [{"uri": 5, "diagnostic": {}}]}, "diagnostics[0].uri"),
    ({"diagnostics": [{"uri": "file:///x.py"}]}, "diagnostics[0].diagnostic"),
    (bad_diagnostic(message=None), "diagnostics[0].diagnostic.message"),
    (bad_diagnostic(message=["m"]), "diagnostics[0].diagnostic.message"),
    (bad_diagnostic(severity=9), "diagnostics[0].diagnostic.severity"),
    (bad_diagnostic(code={}), "diagnostics[0].diagnostic.code"),
    (bad_diagnostic(range={"start": {"line": -1, "character": 0}}), "diagnostics[0].diagnostic.range.start.line"),
    (bad_diagnostic(range={"start": {"line": 0, "character": 0}}), "diagnostics[0].diagnostic.range.end"),
    (bad_diagnostic(range={"start": {"line": 1.5, "character": 0}}), "diagnostics[0].diagnostic.range.start.line"),
    (bad_diagnostic(relatedInformation=[5]), "diagnostics[0].diagnostic.relatedInformation[0]"),
    ({"failureOutput": [{"format": "auto"}]}, "failureOutput[0].text"),
    ({"failureOutput": [{"text": 7}]}, "failureOutput[0].text"),
    ({"failureOutput": [{"text": "x", "cwd": 7}]}, "failureOutput[0].cwd"),
    ({"mentions": [{}]}, "mentions[0]"),
    ({"mentions": [{"path": "/etc/passwd"}]}, "mentions[0].path"),
    ({"mentions": [{"path": "../x"}]}, "mentions[0].path"),
    ({"task": "x", "cursor": {"uri": "file:///x"}}, "cursor.lines"),
    ({"task": "x", "openDocuments": [5]}, "openDocuments[0]"),
    ({"task": "x", "recentEdits": [{"uri": "file:///x"}]}, "recentEdits[0].lines"),
    ({"task": "x", "budget": 5}, "budget"),
    ({"task": "x", "budget": {"maxTokens": -1}}, "budget.maxTokens"),
    ({"task": "x", "budget": {"maxTokens": True}}, "budget.maxTokens"),
    ({"task": "x", "budget": {"maxTokens": "8"}}, "budget.maxTokens"),
    ({"task": "x", "budget": {"maxTokens": 1, "maxChars": 1}}, "budget.maxChars"),
    ({"task": "x", "budget": {"maxTokens": 5, "ceiling": 1}}, "budget.ceiling"),
    ({"task": "x", "budget": {"floors": {"nope": 0.5}}}, "budget.floors.nope"),
    ({"task": "x", "budget": {"perSource": {"bm25": 5}}}, "budget.perSource.bm25"),
    ({"task": "x", "budget": {"stop": "never"}}, "budget.stop"),
    ({"task": "x", "render": {"format": "pdf"}}, "render.format"),
    ({"task": "x", "render": {"lineNumbers": 1}}, "render.lineNumbers"),
    ({"task": "x", "policy": 5}, "policy"),
    ({"task": "x", "policy": "no-such-policy"}, "policy"),
    ({"task": "x", "include": "src"}, "include"),
    ({"task": "x", "exclude": [5]}, "exclude[0]"),
    ({"task": "x", "includeWarnings": "yes"}, "includeWarnings"),
    ({"task": "x", "explain": 1}, "explain"),
    ({"task": "x", "clientKey": 1}, "clientKey"),
]


async def test_malformed_requests_are_answered_naming_the_field(client: Client) -> None:
    for params, path in MALFORMED:
        error = await refused(client, "context/build", params)
        assert error.code == -32602, (params, error)
        assert error.data["path"] == path, (params, error.data)
    assert (await ask(client, "context/status"))["schema"] == 1


async def test_malformed_commands_are_answered_naming_the_field(client: Client) -> None:
    for params, path in (
        ({"command": "repoContext.nope"}, "command"),
        ({"command": 5}, "command"),
        ({"command": "repoContext.build", "arguments": {}}, "arguments"),
        ({"command": "repoContext.build", "arguments": [5]}, "arguments[0]"),
        ({"command": "repoContext.build", "arguments": [{"task": "x"}, {}]}, "arguments"),
        ({"command": "repoContext.build", "arguments": [{"task": 5}]}, "task"),
    ):
        error = await refused(client, "workspace/executeCommand", params)
        assert (error.code, error.data["path"]) == (-32602, path), params


async def test_a_malformed_standard_request_is_answered_naming_the_field(client: Client) -> None:
    error = await refused(client, "textDocument/definition", {"textDocument": {"uri": "file:///x.py"}})
    assert error.code == -32602
    assert error.data["path"] == "position"
    assert (await ask(client, "context/status"))["schema"] == 1
