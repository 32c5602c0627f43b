"""`context/show`: what an editor without a view of its own gets to see after the light bulb."""

from __future__ import annotations

import stat
import sys
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

import pytest

from .conftest import make_workspace
from .raw_server import RawServer

CAN_SHOW = {"window": {"showDocument": {"support": True}}}


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "demo"
    folder.mkdir()
    return make_workspace(folder)


def start(workspace: Path, capabilities: dict[str, Any] | None = None) -> RawServer:
    server = RawServer([sys.executable, "-m", "lsp_server"], workspace)
    settings = {"cache": {"folder": str(workspace.parent / "cache")}}
    server.initialize(workspace, capabilities, initializationOptions={"settings": settings})
    return server


def ask(server: RawServer, method: str, params: dict[str, Any]) -> dict[str, Any]:
    server.send(id=method, method=method, params=params)
    return server.answer(method)


def light_bulb(server: RawServer, workspace: Path) -> dict[str, Any]:
    """The command behind the first action on an error of `service.py`."""
    place = {"start": {"line": 4, "character": 4}, "end": {"line": 4, "character": 9}}
    problem = {"range": place, "severity": 1, "message": "no such name"}
    document = {"uri": (workspace / "src/service.py").as_uri()}
    params = {"textDocument": document, "range": place, "context": {"diagnostics": [problem]}}
    return ask(server, "textDocument/codeAction", params)["result"][0]["command"]


def path_of(uri: str) -> Path:
    return Path(unquote(urlparse(uri).path))


def test_the_light_bulb_opens_the_pack_in_an_editor_that_can(workspace: Path) -> None:
    server = start(workspace, CAN_SHOW)
    command = light_bulb(server, workspace)
    answer = ask(server, "workspace/executeCommand", {k: command[k] for k in ("command", "arguments")})
    pack = answer["result"]
    shown = path_of(pack["shown"])
    assert shown.read_text(encoding="utf-8") == pack["rendered"]
    assert "def total" in pack["rendered"]
    assert stat.S_IMODE(shown.stat().st_mode) == 0o600
    asked = [message for message in server.seen if message.get("method") == "window/showDocument"]
    asked = asked or [server.until(lambda message: message.get("method") == "window/showDocument")]
    assert asked[0]["params"]["uri"] == pack["shown"]
    server.shut_down()


def test_an_editor_that_cannot_open_it_is_told_where_it_is(workspace: Path) -> None:
    server = start(workspace)
    pack = ask(server, "context/show", {"task": "parse a range"})["result"]
    told = [message["params"] for message in server.seen if message.get("method") == "window/showMessage"]
    assert [params["message"] for params in told] == [f"Context: {path_of(pack['shown'])}"]
    assert ask(server, "context/show", {"task": "a span"})["result"]["shown"] == pack["shown"]
    server.shut_down()


def test_the_ending_of_the_file_is_that_of_the_format(workspace: Path) -> None:
    server = start(workspace)
    for form, suffix in (("markdown", ".md"), ("xml", ".xml"), ("json", ".json")):
        pack = ask(server, "context/show", {"task": "a span", "render": {"format": form}})["result"]
        assert path_of(pack["shown"]).suffix == suffix
    refused = ask(server, "context/show", {"task": "a span", "render": {"format": "none"}})
    assert refused["error"]["code"] == -32602
    assert "render.format" in refused["error"]["message"]
    server.shut_down()


def test_a_client_with_its_own_view_gets_the_pack_alone(workspace: Path) -> None:
    server = start(workspace, {"experimental": {"context": {"statusChanged": True}}})
    assert light_bulb(server, workspace)["command"] == "repoContext.build"
    server.shut_down()


def test_an_editor_that_sends_no_diagnostics_is_offered_the_place(workspace: Path) -> None:
    server = start(workspace, CAN_SHOW)
    path = workspace / "src/service.py"
    document = {"uri": path.as_uri(), "languageId": "python", "version": 1, "text": path.read_text()}
    server.send(method="textDocument/didOpen", params={"textDocument": document})
    place = {"start": {"line": 4, "character": 0}, "end": {"line": 4, "character": 0}}
    asked = {"textDocument": {"uri": path.as_uri()}, "range": place, "context": {"diagnostics": []}}
    (action,) = ask(server, "textDocument/codeAction", asked)["result"]
    command = action["command"]
    answer = ask(server, "workspace/executeCommand", {k: command[k] for k in ("command", "arguments")})
    paths = [(item["path"], item["reason"]) for item in answer["result"]["items"]]
    assert ("src/service.py", "mention") in paths
    assert "src/model.py" in {path for path, _ in paths}
    asked["context"] = {"diagnostics": [], "only": ["quickfix"]}
    assert ask(server, "textDocument/codeAction", asked)["result"] in ([], None)
    server.shut_down()
