"""The standard features, from the same index, for every editor."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from .asking import ask, change, close_file, diagnostic, open_file, refused
from .conftest import Client

pytestmark = pytest.mark.asyncio(loop_scope="module")


def at(path: Path, line: int, character: int, **more: Any) -> dict[str, Any]:
    return {"textDocument": {"uri": path.as_uri()}, "position": {"line": line, "character": character}, **more}


def places(locations: list[dict[str, Any]]) -> list[tuple[str, int, int, int]]:
    return [
        (
            location["uri"].rsplit("/", 1)[-1],
            location["range"]["start"]["line"],
            location["range"]["start"]["character"],
            location["range"]["end"]["character"],
        )
        for location in locations
    ]


async def test_definition_follows_an_import(client: Client, workspace: Path) -> None:
    await ask(client, "context/status", {"wait": True})
    found = await ask(client, "textDocument/definition", at(workspace / "src/service.py", 4, 25))
    assert places(found) == [("model.py", 3, 4, 15)]


async def test_definition_between_names_is_empty(client: Client, workspace: Path) -> None:
    assert await ask(client, "textDocument/definition", at(workspace / "src/service.py", 1, 0)) == []


async def test_references_with_and_without_the_definition(client: Client, workspace: Path) -> None:
    asked = at(workspace / "src/model.py", 3, 6)
    uses = await ask(client, "textDocument/references", {**asked, "context": {"includeDeclaration": False}})
    assert ("service.py", 4, 19, 30) in places(uses)
    everything = await ask(client, "textDocument/references", {**asked, "context": {"includeDeclaration": True}})
    assert places(everything)[0] == ("model.py", 3, 4, 15)
    assert len(everything) == len(uses) + 1


async def test_partial_results_replace_the_answer(client: Client, workspace: Path) -> None:
    asked = at(workspace / "src/model.py", 3, 6, context={"includeDeclaration": True}, partialResultToken="part-1")
    assert await ask(client, "textDocument/references", asked) == []
    sent = [location for part in client.partial["part-1"] for location in part]
    assert places(sent)[0] == ("model.py", 3, 4, 15)


async def test_highlights_of_a_name(client: Client, workspace: Path) -> None:
    found = await ask(client, "textDocument/documentHighlight", at(workspace / "src/model.py", 3, 6))
    assert next((one["range"]["start"]["line"], one["kind"]) for one in found) == (3, 3)


async def test_the_outline_is_nested_or_flat_as_the_client_wants(client: Client, workspace: Path) -> None:
    asked = {"textDocument": {"uri": (workspace / "src/model.py").as_uri()}}
    found = await ask(client, "textDocument/documentSymbol", asked)
    names = [symbol["name"] for symbol in found]
    assert names[0] == "parse_range"
    span = found[names.index("Span")]
    if "children" in span:
        assert {"__init__", "length"} <= {child["name"] for child in span["children"]}
        for symbol in found:
            assert symbol["range"]["start"]["line"] <= symbol["selectionRange"]["start"]["line"]
            assert symbol["selectionRange"]["end"]["line"] <= symbol["range"]["end"]["line"]
    else:
        assert {"__init__", "length"} <= set(names)


async def test_workspace_symbols_are_fuzzy(client: Client, workspace: Path) -> None:
    found = await ask(client, "workspace/symbol", {"query": "prng"})
    assert [symbol["name"] for symbol in found] == ["parse_range"]
    assert await ask(client, "workspace/symbol", {"query": ""}) == []


async def test_call_hierarchy_both_ways(client: Client, workspace: Path) -> None:
    items = await ask(client, "textDocument/prepareCallHierarchy", at(workspace / "src/service.py", 3, 5))
    assert [item["name"] for item in items] == ["total"]
    outgoing = await ask(client, "callHierarchy/outgoingCalls", {"item": items[0]})
    assert "parse_range" in {call["to"]["name"] for call in outgoing}
    incoming = await ask(client, "callHierarchy/incomingCalls", {"item": items[0]})
    assert {call["from"]["name"] for call in incoming} == {"test_total_counts_both_ends"}


async def test_the_light_bulb_runs_as_a_command(client: Client, workspace: Path) -> None:
    path = workspace / "src/service.py"
    uri = open_file(client, path)
    problem = diagnostic(uri, 4)["diagnostic"]
    asked = {"textDocument": {"uri": uri}, "range": problem["range"], "context": {"diagnostics": [problem, problem]}}
    actions = await ask(client, "textDocument/codeAction", asked)
    assert [action["title"] for action in actions][-1] == "Build context for all 2 errors here"
    command = actions[0]["command"]
    run = {"command": command["command"], "arguments": command["arguments"]}
    pack = await ask(client, "workspace/executeCommand", run)
    assert pack["items"][0]["path"] == "src/service.py"
    close_file(client, uri)


async def test_code_lens_is_off(client: Client, workspace: Path) -> None:
    asked = {"textDocument": {"uri": (workspace / "src/model.py").as_uri()}}
    assert (await refused(client, "textDocument/codeLens", asked)).code == -32601


async def test_positions_count_in_the_clients_units(client: Client, workspace: Path) -> None:
    path = workspace / "web/app.ts"
    text = "const 名 = '😀'; export function greet2() {}\ngreet2();\n"
    uri = open_file(client, path, text, "typescript")
    found = await ask(client, "textDocument/definition", at(path, 1, 2))
    prefix = text[: text.index("greet2")]
    units = {"utf-16": len(prefix.encode("utf-16-le")) // 2, "utf-8": len(prefix.encode())}
    assert found[0]["range"]["start"]["character"] == units[client.answer.capabilities.position_encoding]
    close_file(client, uri)


async def test_an_unsaved_rename_is_seen_at_once(client: Client, workspace: Path) -> None:
    path = workspace / "src/model.py"
    uri = open_file(client, path)
    change(client, uri, 2, ((3, 4, 3, 15), "read_range"))
    found = await ask(client, "workspace/symbol", {"query": "read_range"})
    assert [symbol["name"] for symbol in found] == ["read_range"]
    close_file(client, uri)
    await ask(client, "context/status", {"wait": True})
    assert await ask(client, "workspace/symbol", {"query": "read_range"}) == []


async def test_a_denied_or_unknown_document_has_no_symbols(client: Client, workspace: Path) -> None:
    for uri in ((workspace / ".env").as_uri(), "untitled:Nothing", "git:/a/b.py?HEAD", "nonsense"):
        assert not await ask(client, "textDocument/documentSymbol", {"textDocument": {"uri": uri}})
