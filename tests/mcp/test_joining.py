"""The MCP server joins a session that runs over the same workspace, and goes on alone when that ends."""

from __future__ import annotations

import os
import socket
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
