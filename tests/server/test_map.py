"""The map and contributions over the protocol, with both editors."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from lsp_server.session.sharing import ask_shared

from .asking import ask, close_file, open_file, refused
from .conftest import Client

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_the_map_shows_signatures_within_its_budget(client: Client, workspace: Path) -> None:
    await ask(client, "context/status", {"wait": True})
    drawn = await ask(client, "context/map", {"budget": 300})
    assert "src/model.py\n  def parse_range(text: str) -> tuple[int, int]\n" in drawn["rendered"]
    assert "return int(first)" not in drawn["rendered"]
    assert drawn["used"] <= drawn["budget"] == 300
    (model,) = [file for file in drawn["files"] if file["path"] == "src/model.py"]
    assert model["uri"] == (workspace / "src/model.py").as_uri()
    assert await ask(client, "context/map", {"budget": 300}) == drawn
    focused = await ask(client, "context/map", {"focus": [{"uri": model["uri"]}]})
    assert "src/model.py" not in [file["path"] for file in focused["files"]]


async def test_the_map_is_of_the_text_in_the_editor(client: Client, workspace: Path) -> None:
    uri = open_file(client, workspace / "src/service.py", "def only_in_the_editor():\n    pass\n")
    drawn = await ask(client, "context/map", {"symbols": ["only_in_the_editor"], "budget": 200})
    assert "def only_in_the_editor()" in drawn["rendered"]
    close_file(client, uri)


async def test_wrong_map_requests_name_the_field(client: Client, workspace: Path) -> None:
    for params, field in (({"budget": -1}, "budget"), ({"depth": 99}, "depth"), ({"focus": ["../x"]}, "focus[0]")):
        assert field in (await refused(client, "context/map", params)).message


async def test_contributions_join_the_next_pack_and_can_be_taken_back(client: Client, workspace: Path) -> None:
    uri = (workspace / "src/model.py").as_uri()
    span = {"start": {"line": 3, "character": 0}, "end": {"line": 6, "character": 0}}
    held = await ask(client, "context/contribute", {"source": "plan", "items": [{"uri": uri, "range": span}]})
    assert held == {"source": "plan", "held": 1}
    pack = await ask(client, "context/build", {"task": "zzzz"})
    assert [item["source"] for item in pack["items"]] == ["contribution:plan"]
    assert pack["budget"] == 4_000
    error = await refused(
        client, "context/contribute", {"source": "plan", "items": [{"uri": uri, "range": span, "reason": "failure"}]}
    )
    assert "items[0].reason" in error.message
    await ask(client, "context/contribute", {"source": "plan", "items": []})
    assert (await ask(client, "context/build", {"task": "zzzz"}))["items"] == []


async def test_other_tools_of_the_user_see_what_is_in_the_editor(client: Client, workspace: Path) -> None:
    uri = open_file(client, workspace / "src/service.py", "def typed_but_not_saved():\n    pass\n")
    await ask(client, "context/status", {"wait": True})
    found = await asyncio.to_thread(ask_shared, [workspace], "grep", {"pattern": "typed_but_not_saved"})
    assert [match["path"] for match in found["matches"]] == ["src/service.py"]
    close_file(client, uri)
