"""Messages that no client should send are answered or ignored; the server lives. Found by fuzzing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lsp_server.model.errors import PathError
from lsp_server.session.uris import file_path, file_uri, outside_key
from lsp_server.workspace.paths import fold_path
from lsp_server.workspace.patterns import path_matches, patterns_of
from lsp_server.workspace.privacy import PrivacyPolicy
from lsp_server.workspace.roots import Roots
from tests.fuzz.broken_json import nested
from tests.fuzz.requests import Errors, LocalServer, served

SURROGATE = "src/\ud800.py"


@pytest.fixture(scope="module")
def server() -> Iterator[tuple[LocalServer, Errors]]:
    errors = Errors()
    with served(errors) as (server, _):
        yield server, errors


def answered(server: LocalServer, message: dict[str, Any]) -> dict[str, Any]:
    """The answer to `message`, or to the good request after it when it has none."""
    server.send({"jsonrpc": "2.0", **message})
    server.send({"jsonrpc": "2.0", "id": "after", "method": "context/status", "params": {}})
    answers: dict[Any, dict[str, Any]] = {}
    while "after" not in answers or ("id" in message and message["id"] not in answers):
        found = server.out.get(timeout=60)
        if "method" not in found:
            answers[found.get("id")] = found
    return answers.get(message.get("id"), answers["after"])


@pytest.mark.parametrize(
    "message",
    [
        {"method": "$/cancelRequest", "params": {"id": [1]}},
        {"method": "$/cancelRequest", "params": 5},
        {"method": "window/workDoneProgress/cancel", "params": {"token": {"a": 1}}},
        {"method": 5, "params": {}},
        {},
    ],
)
def test_a_malformed_notification_is_ignored(server: tuple[LocalServer, Errors], message: dict[str, Any]) -> None:
    found = answered(server[0], message)
    assert found.get("id") == "after" or found["error"]["code"] == -32600
    assert server[1].taken() == []


@pytest.mark.parametrize("field", ["uri", "path"])
def test_a_name_that_no_file_can_have_is_answered(server: tuple[LocalServer, Errors], field: str) -> None:
    name = f"file:///{SURROGATE}" if field == "uri" else SURROGATE
    params = {field: name, "lines": {"start": 1, "end": 1}}
    found = answered(server[0], {"id": 7, "method": "context/expand", "params": params})
    assert found["error"]["code"] == -32602


@pytest.mark.parametrize("depth", [101, 900])
@pytest.mark.parametrize("method", ["textDocument/codeAction", "workspace/symbol", "context/status"])
def test_params_that_are_nested_without_end_are_refused(
    server: tuple[LocalServer, Errors], method: str, depth: int
) -> None:
    for lists in (True, False):
        found = answered(server[0], {"id": 8, "method": method, "params": {"data": nested(depth, lists)}})
        assert found["error"]["code"] == -32602
        assert "nested" in found["error"]["message"]
    assert answered(server[0], {"method": "textDocument/didClose", "params": nested(depth, True)})["id"] == "after"
    assert server[1].taken() == []


def test_half_a_character_in_a_glob_matches_nothing(server: tuple[LocalServer, Errors]) -> None:
    params = {"query": "total", "include": ["\ud800", "src/\udc80*"], "exclude": ["\udfff"]}
    for method in ("context/search", "context/map"):
        found = answered(server[0], {"id": 9, "method": method, "params": params})
        assert "result" in found, found
    assert path_matches(patterns_of(["\ud800", "*.py"]), "a.py")
    assert not path_matches(patterns_of(["a.py"]), "untitled:\ud800")


def test_a_line_that_no_file_has_is_refused(server: tuple[LocalServer, Errors]) -> None:
    item = {"path": "src/model.py", "lines": {"start": 1, "end": 10**40}, "contentHash": "00"}
    found = answered(server[0], {"id": 10, "method": "context/verify", "params": {"items": [item]}})
    assert (found["error"]["code"], found["error"]["data"]["path"]) == (-32602, "items[0].lines.end")


def test_lone_surrogates_are_no_file_names(tmp_path: Path) -> None:
    with pytest.raises(PathError):
        fold_path(SURROGATE)
    assert Roots.of([tmp_path]).canonical(f"{tmp_path}/{SURROGATE}") is None
    assert PrivacyPolicy().denied(SURROGATE)
    assert fold_path("src/\udcff.py") == "src/\udcff.py"  # a byte that is not UTF-8 is a name


@pytest.mark.parametrize("uri", [f"file:///{SURROGATE}", f"/{SURROGATE}", f"untitled:{SURROGATE}"])
def test_a_uri_with_a_lone_surrogate_has_a_key(uri: str) -> None:
    assert "\ud800" not in outside_key(uri)
    path = file_path(uri)
    assert path is None or file_uri(path).startswith("file:")
