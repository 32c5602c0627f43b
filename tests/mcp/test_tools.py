"""Each tool through a real MCP client over stdio, in both protocol modes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Literal

import pytest
from mcp import Client, StdioServerParameters

from lsp_server.text.tokens import EstimateCounter

FILES = {
    "shop/order.py": "class Order:\n    def __init__(self, lines):\n        self.lines = lines\n\n"
    "    def subtotal(self):\n        return sum(line.price for line in self.lines)\n",
    "shop/checkout.py": "from shop.order import Order\n\n\ndef checkout(order: Order) -> int:\n"
    "    return order.subtotal() + 1\n",
    "tests/test_checkout.py": "from shop.checkout import checkout\nfrom shop.order import Order\n\n\n"
    "def test_checkout_of_nothing_is_free():\n    assert checkout(Order([])) == 0\n",
    "shop/big.py": "".join(f"def filler_{n}(order):\n    return order.subtotal() * {n}\n\n\n" for n in range(200)),
    ".env": "TOKEN=very-secret-value-4711\n",
}

FAILURE = """\
_______________________ test_checkout_of_nothing_is_free _______________________

    def test_checkout_of_nothing_is_free():
>       assert checkout(Order([])) == 0
E       assert 1 == 0
E        +  where 1 = checkout(Order([]))

tests/test_checkout.py:6: AssertionError
=========================== short test summary info ============================
FAILED tests/test_checkout.py::test_checkout_of_nothing_is_free - assert 1 == 0
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    for name, text in FILES.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return folder


def parameters(workspace: Path) -> StdioServerParameters:
    runtime = workspace.parent / "run"
    runtime.mkdir(exist_ok=True, mode=0o700)
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "lsp_server", "mcp", "--root", str(workspace), "--set", "cache.enabled=false"],
        env={**os.environ, "XDG_RUNTIME_DIR": str(runtime)},
    )


MODES = pytest.mark.parametrize("mode", ["auto", "legacy"])


async def call(client: Client, tool: str, **arguments: Any) -> tuple[dict[str, Any], str]:
    """Structured and text form; both keep the budget."""
    answer = await client.call_tool(tool, arguments)
    text = answer.content[0].text  # type: ignore[union-attr]
    assert not answer.is_error, text
    structured = answer.structured_content
    assert isinstance(structured, dict)
    limit = arguments.get("max_tokens")
    if limit is not None:
        count = EstimateCounter().count
        assert count(text) <= limit
        assert count(json.dumps(structured, ensure_ascii=False)) <= limit
    return structured, text


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    answer = await client.call_tool(tool, arguments)
    assert answer.is_error
    return answer.content[0].text  # type: ignore[union-attr,no-any-return]


@MODES
@pytest.mark.asyncio
async def test_every_tool_answers(workspace: Path, mode: Literal["auto", "legacy"]) -> None:
    async with Client(parameters(workspace), mode=mode) as client:
        await ask_every_tool(client)


async def ask_every_tool(client: Client) -> None:
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert set(tools) == {
        "build_context", "repo_map", "search_code", "grep_code", "related_code", "expand_code",
        "parse_failure", "apply_edits", "index_status",
    }  # fmt: skip
    assert all(tool.description and tool.output_schema for tool in tools.values())
    assert tools["apply_edits"].annotations.destructive_hint
    assert all(tools[name].annotations.read_only_hint for name in set(tools) - {"apply_edits"})

    pack, text = await call(client, "build_context", failure_output=FAILURE, max_tokens=1_500)
    assert "def test_checkout_of_nothing_is_free" in text
    assert "def checkout(order: Order)" in text
    assert not pack["missingCritical"]
    assert pack["text"] == text
    assert pack["failures"][0]["items"]

    drawn, text = await call(client, "repo_map", max_tokens=400)
    assert "class Order" in text
    assert "return sum" not in text
    assert drawn["symbolsLeftOut"] > 0

    found, text = await call(client, "search_code", query="checkout an order", max_tokens=600)
    assert found["hits"][0]["path"] in ("shop/checkout.py", "tests/test_checkout.py")
    assert "checkout" in text

    matches, text = await call(client, "grep_code", pattern="subtotal", limit=500, max_tokens=700)
    assert matches["cut"] > 100
    assert f"({matches['cut']} more matches did not fit" in text
    nothing, text = await call(client, "grep_code", pattern="4711")
    assert nothing["matches"] == []

    related, text = await call(client, "related_code", symbol="Order.subtotal", max_tokens=600)
    assert related["items"][0]["relation"] == "definition"
    assert related["cut"] > 0

    expanded, text = await call(client, "expand_code", path="shop/checkout.py", start_line=5)
    assert expanded["content"].startswith("def checkout")
    by_id, _ = await call(client, "expand_code", path=expanded["id"], extent="range")
    assert by_id["content"] == expanded["content"]
    cut, text = await call(client, "expand_code", path="shop/big.py:1-790", extent="range", max_tokens=300)
    assert cut["linesLeftOut"] > 700
    assert "more lines did not fit" in text

    failures, text = await call(client, "parse_failure", output=FAILURE)
    assert failures["failures"][0]["locations"][0]["path"].startswith(("shop/", "tests/"))

    status, text = await call(client, "index_status")
    assert status["engine"] == "own"
    assert status["files"] >= 4


BLOCK = """\
shop/checkout.py
<<<<<<< SEARCH
    return order.subtotal() + 1
=======
    return order.subtotal()
>>>>>>> REPLACE
"""


@MODES
@pytest.mark.asyncio
async def test_edits_are_previewed_then_applied(workspace: Path, mode: Literal["auto", "legacy"]) -> None:
    async with Client(parameters(workspace), mode=mode) as client:
        await preview_then_apply(client, workspace)


async def preview_then_apply(client: Client, workspace: Path) -> None:
    block = BLOCK
    before = (workspace / "shop/checkout.py").read_text()
    preview, text = await call(client, "apply_edits", edits=block, mode="preview")
    assert not preview["applied"]
    assert "-    return order.subtotal() + 1\n+    return order.subtotal()\n" in text
    assert (workspace / "shop/checkout.py").read_text() == before
    done, _ = await call(client, "apply_edits", edits=block, mode="apply")
    assert done["applied"]
    assert (workspace / "shop/checkout.py").read_text() == before.replace(" + 1", "")
    message = await refused(client, "apply_edits", edits=block, mode="apply")
    assert "the SEARCH text is not in the file" in message
    assert "return order.subtotal()" in message
    message = await refused(client, "apply_edits", edits=block.replace("shop/checkout.py", ".env"), mode="apply")
    assert "denies" in message


@pytest.mark.asyncio
async def test_errors_say_what_to_do(workspace: Path) -> None:
    async with Client(parameters(workspace)) as client:
        assert "is_regex" in await refused(client, "grep_code", pattern="(", is_regex=True)
        assert "failure_output" in await refused(client, "build_context")
        assert "../x" in await refused(client, "expand_code", path="../x", start_line=1)
        assert "search_code" in await refused(client, "expand_code", path="shop/none.py", start_line=1)
        assert "max_tokens" in await refused(client, "repo_map", max_tokens=-5)


@pytest.mark.asyncio
@pytest.mark.skipif(sys.platform != "linux", reason="names of any bytes")
async def test_names_of_any_bytes_are_shown(workspace: Path) -> None:
    """An answer that cannot be written would end the server."""
    for number, name in enumerate((b"\xff\xfe.py", b"new\nline.py", "\u202egnp.py".encode())):
        (workspace / os.fsdecode(name)).write_text(f"def oddly_named_{number}():\n    return checkout(None)\n")
    async with Client(parameters(workspace)) as client:
        found, text = await call(client, "grep_code", pattern="def oddly_named")
        assert {match["path"] for match in found["matches"]} == {
            "\\udcff\\udcfe.py", "new\nline.py", "\u202egnp.py",
        }  # fmt: skip
        assert text.count("\n") == 3
        for tool, arguments in {
            "search_code": {"query": "oddly_named_0"},
            "related_code": {"symbol": "oddly_named_0"},
            "repo_map": {"max_tokens": 20_000},
            "build_context": {"task": "oddly_named_0"},
            "parse_failure": {"output": FAILURE},
        }.items():
            assert await call(client, tool, **arguments), tool
        assert "udcff" in await refused(client, "expand_code", path="\\udcff\\udcfe.py", start_line=99)


@pytest.mark.asyncio
async def test_answers_say_what_does_not_work(workspace: Path) -> None:
    (workspace.parent / "no-folder").write_text("")
    unusable = parameters(workspace)
    unusable.args[-1] = f"cache.folder={workspace.parent / 'no-folder'}"
    async with Client(unusable) as client:
        for tool, arguments in {
            "grep_code": {"pattern": "def checkout"},
            "search_code": {"query": "checkout"},
            "repo_map": {},
            "build_context": {"task": "checkout"},
            "related_code": {"symbol": "checkout"},
            "expand_code": {"path": "shop/order.py", "start_line": 1},
            "parse_failure": {"output": FAILURE},
        }.items():
            answer = await client.call_tool(tool, arguments)
            assert not answer.is_error, answer.content
            assert answer.structured_content is not None
            assert answer.structured_content["degraded"], tool
            assert answer.structured_content["degraded"][0] in answer.content[0].text  # type: ignore[union-attr]


def test_the_server_ends_with_its_stdin(workspace: Path) -> None:
    given = parameters(workspace)
    done = subprocess.run(
        [given.command, *given.args], stdin=subprocess.DEVNULL, env=given.env, timeout=60, check=False
    )
    assert done.returncode == 0
