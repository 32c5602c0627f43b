"""The MCP server joins a session that runs over the same workspace, and goes on alone when that ends."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from lsp_server.session.session import Session

pytestmark = pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="needs Unix sockets")


async def structured(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    answer = await client.call_tool(tool, arguments)
    assert not answer.is_error, answer.content
    assert isinstance(answer.structured_content, dict)
    return answer.structured_content


@pytest.mark.asyncio
async def test_unsaved_text_counts_while_an_editor_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "code.py").write_text("def on_disk():\n    pass\n")
    # A socket's path must be short, pytest's folders are not.
    with tempfile.TemporaryDirectory(prefix="rc") as runtime:
        monkeypatch.setenv("XDG_RUNTIME_DIR", runtime)
        editor = Session.open([tmp_path], ("cache.enabled=false", "index.workers=1"))
        try:
            assert editor.share()
            editor.wait_fresh()
            editor.document_opened((tmp_path / "code.py").as_uri(), "python", 1, "def unsaved():\n    pass\n")
            command = StdioServerParameters(
                command=sys.executable,
                args=["-m", "lsp_server", "mcp", "--root", str(tmp_path), "--set", "cache.enabled=false"],
                env=dict(os.environ),
            )
            async with Client(command) as client:
                assert (await structured(client, "index_status"))["engine"] == "editor"
                assert len((await structured(client, "grep_code", pattern="unsaved"))["matches"]) == 1
                assert "def unsaved()" in (await structured(client, "repo_map"))["text"]
                editor.close()
                assert (await structured(client, "index_status"))["engine"] == "own"
                assert (await structured(client, "grep_code", pattern="unsaved"))["matches"] == []
                assert len((await structured(client, "grep_code", pattern="on_disk"))["matches"]) == 1
        finally:
            editor.close()


@pytest.mark.parametrize("held", ["engine.ask_shared", "engine.Session.close"])
def test_nothing_holds_the_end_up(held: str, tmp_path: Path) -> None:
    """A question to an editor's server that does not answer, or a session that does not close."""
    script = (
        "import sys, threading\nfrom lsp_server.mcp import engine\n"
        f"def block(*_, **__):\n    threading.Event().wait()\n{held} = block\n"
        "from lsp_server.__main__ import main\nsys.argv[1:] = ['mcp', '--set', 'cache.enabled=false']\nmain()\n"
    )
    (tmp_path / "a.py").write_text("def f(): pass\n")
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)}
    client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}}
    said = [
        {"id": 1, "method": "initialize", "params": client},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": {"name": "grep_code", "arguments": {"pattern": "f"}}},
    ]
    with subprocess.Popen(
        [sys.executable, "-c", script], cwd=tmp_path, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        for message in said:
            running.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
            running.stdin.flush()
            if message.get("id") == 1 or (message.get("id") == 2 and "close" in held):
                assert b'"result"' in running.stdout.readline()
        running.stdin.close()
        try:
            running.wait(60)
        finally:
            running.kill()
