"""A real workspace and a real server over stdio, once with each editor's capabilities."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_lsp
from lsprotocol import converters, types
from pygls.protocol import JsonRPCNotification, JsonRPCRequestMessage, JsonRPCResponseMessage
from pytest_lsp import ClientServerConfig, LanguageClient
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, register_lsp_features

HERE = Path(__file__).parent
CAPABILITIES = ("vscode_1.139", "neovim_0.11.4")

MODEL = '''"""Ranges in text."""


def parse_range(text: str) -> tuple[int, int]:
    """`3-7` as a pair of numbers."""
    first, last = text.split("-")
    return int(first), int(last)


class Span:
    def __init__(self, first: int, last: int) -> None:
        self.first = first
        self.last = last

    def length(self) -> int:
        return self.last - self.first
'''

SERVICE = """from model import Span, parse_range


def total(texts: list[str]) -> int:
    spans = [Span(*parse_range(text)) for text in texts]
    return sum(span.length() for span in spans)
"""

TEST = """from service import total


def test_total_counts_both_ends():
    assert total(["1-3"]) == 3
"""

FILES = {
    "src/model.py": MODEL,
    "src/service.py": SERVICE,
    "tests/test_service.py": TEST,
    "web/app.ts": "export function greet(name: string): string {\n  return `héllo 😀 ${name}`;\n}\n\ngreet('x');\n",
    ".env": "TOKEN=very-secret-value-4711\n",
    ".repo-context.toml": "[cache]\nenabled = false\n",
}


def capabilities(name: str) -> types.ClientCapabilities:
    """What an editor says it can do."""
    raw = json.loads((HERE / "capabilities" / f"{name}.json").read_text())
    return converters.get_converter().structure(raw, types.ClientCapabilities)


def _converter() -> Any:
    converter = converters.get_converter()
    for message in (JsonRPCRequestMessage, JsonRPCNotification, JsonRPCResponseMessage):
        names = [field.name for field in message.__attrs_attrs__]

        def structure(data: dict[str, Any], _: Any, message: Any = message, names: list[str] = names) -> Any:
            return message(**{name: data.get(name) for name in names})

        converter.register_structure_hook(message, structure)
    return converter


class Client(LanguageClient):
    """Keeps what the server said, registered and sent as progress."""

    registrations: list[str]
    partial: dict[types.ProgressToken, list[Any]]
    answer: types.InitializeResult


def make_client() -> Client:
    """A client that gets the answers of custom requests as plain JSON."""
    client = Client(converter_factory=_converter)
    features = {name: function for name, function in DEFAULT_CLIENT_FEATURES.items() if name != types.PROGRESS}
    register_lsp_features(client, features)
    client.registrations, client.partial = [], {}

    @client.feature(types.PROGRESS)
    def progress(params: types.ProgressParams) -> None:
        client.partial.setdefault(params.token, []).append(params.value)

    @client.feature(types.CLIENT_REGISTER_CAPABILITY)
    def register(params: types.RegistrationParams) -> None:
        client.registrations.extend(registration.method for registration in params.registrations)

    return client


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small Python and TypeScript project in a Git repository; one for all tests of a module."""
    return make_workspace(tmp_path_factory.mktemp("demo"))


def make_workspace(tmp_path: Path) -> Path:
    """The project's files in `tmp_path`."""
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    return tmp_path


def command(*more: str) -> list[str]:
    """How the server is started."""
    return [sys.executable, "-m", "lsp_server", *more]


@pytest_lsp.fixture(
    scope="module", params=CAPABILITIES, config=ClientServerConfig(server_command=command(), client_factory=make_client)
)
async def client(
    request: pytest.FixtureRequest, lsp_client: Client, workspace: Path, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[None]:
    lsp_client.answer = await lsp_client.initialize_session(
        types.InitializeParams(
            capabilities=capabilities(request.param),
            workspace_folders=[types.WorkspaceFolder(workspace.as_uri(), "demo")],
            initialization_options={"settings": {"cache": {"folder": str(tmp_path_factory.mktemp("cache"))}}},
        )
    )
    yield
    await lsp_client.shutdown_session()
