"""Clients over TCP: each has a session of its own, and needs the token."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .conftest import command, make_workspace
from .raw_server import HANG


class TcpClient:
    """One connection; answers come in order of the questions here."""

    def __init__(self, port: int) -> None:
        self._connection = socket.create_connection(("127.0.0.1", port), timeout=HANG)
        self._stream = self._connection.makefile("rb")

    def send(self, **message: Any) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._connection.sendall(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    def ask(self, id: int, method: str, **params: Any) -> dict[str, Any]:
        self.send(id=id, method=method, params=params)
        while True:
            length = int(self._stream.readline().split(b":")[1])
            self._stream.readline()
            message = json.loads(self._stream.read(length))
            if message.get("id") == id and "method" not in message:
                return message
            if "id" in message and "method" in message:
                self.send(id=message["id"], result=None)

    def initialize(self, folder: Path, token: str | None) -> dict[str, Any]:
        options = {} if token is None else {"token": token}
        folders = [{"uri": folder.as_uri(), "name": folder.name}]
        asked = {"processId": None, "rootUri": None, "capabilities": {}, "workspaceFolders": folders}
        answer = self.ask(0, "initialize", initializationOptions=options, **asked)
        self.send(method="initialized", params={})
        return answer

    def open(self, uri: str, text: str) -> None:
        document = {"uri": uri, "languageId": "python", "version": 1, "text": text}
        self.send(method="textDocument/didOpen", params={"textDocument": document})

    def grep(self, id: int, pattern: str) -> list[str]:
        return [match["path"] for match in self.ask(id, "context/grep", pattern=pattern)["result"]["matches"]]

    def close(self) -> None:
        self._stream.close()
        self._connection.close()


def _heed_interrupts() -> None:
    """What a shell runs in the background ignores SIGINT, and so does all that it starts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.fixture
def running(tmp_path: Path) -> Iterator[tuple[int, Path, subprocess.Popen[bytes]]]:
    token = tmp_path / "token"
    started = subprocess.Popen(
        command("serve", "--tcp", "0", "--token-file", str(token)),
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        preexec_fn=_heed_interrupts if sys.platform != "win32" else None,
    )
    assert started.stdout is not None
    port = int(started.stdout.readline().split()[2].decode().rstrip(",").rpartition(":")[2])
    yield port, token, started
    started.kill()
    started.wait()
    started.stdout.close()


def test_connections_share_nothing(tmp_path: Path, running: tuple[int, Path, subprocess.Popen[bytes]]) -> None:
    port, token_file, _ = running
    token = token_file.read_text()
    one_folder, other_folder = tmp_path / "one", tmp_path / "other"
    for folder in (one_folder, other_folder):
        folder.mkdir()
        make_workspace(folder)
    (one_folder / "src/only_one.py").write_text("def only_in_one(): pass\n")
    one, other, same, stranger = (TcpClient(port) for _ in range(4))
    assert "result" in one.initialize(one_folder, token)
    assert "result" in other.initialize(other_folder, token)
    assert "result" in same.initialize(one_folder, token)
    assert "error" in stranger.initialize(one_folder, None)
    assert stranger.ask(1, "context/grep", pattern="def")["error"]["code"] == -32002
    # Text that one client has open counts for that client alone, in the same workspace too.
    one.open((one_folder / "src/model.py").as_uri(), "def unsaved_text(): pass\n")
    assert one.grep(1, "unsaved_text") == ["src/model.py"]
    assert other.grep(1, "unsaved_text") == same.grep(1, "unsaved_text") == []
    assert one.grep(2, "only_in_one") == same.grep(2, "only_in_one") == ["src/only_one.py"]
    assert other.grep(2, "only_in_one") == []
    # So do settings and packs.
    one.send(method="workspace/didChangeConfiguration", params={"settings": {"repoContext": {"grep": {"x": 1}}}})
    pack = one.ask(3, "context/build", task="parse_range")["result"]
    assert one.ask(4, "context/verify", fingerprint=pack["fingerprint"])["result"]["valid"]
    assert same.ask(4, "context/verify", fingerprint=pack["fingerprint"])["error"]["code"] == -32602
    # One that shuts down, and one that just goes, leave the others as they were.
    assert one.ask(5, "shutdown")["result"] is None
    one.send(method="exit")
    other.close()
    assert same.grep(5, "only_in_one") == ["src/only_one.py"]
    again = TcpClient(port)
    assert "result" in again.initialize(one_folder, token)
    assert again.grep(1, "unsaved_text") == []
    for client in (one, same, stranger, again):
        client.close()


def test_clients_that_come_at_once_are_all_served(
    tmp_path: Path, running: tuple[int, Path, subprocess.Popen[bytes]]
) -> None:
    port, token_file, _ = running
    folder, token = make_workspace(tmp_path), token_file.read_text()
    clients = [TcpClient(port) for _ in range(8)]
    assert all("result" in client.initialize(folder, token) for client in clients)
    for client in clients:
        client.close()


@pytest.mark.skipif(sys.platform == "win32", reason="Unix signals")
@pytest.mark.parametrize("told", [signal.SIGINT, signal.SIGTERM])
def test_the_token_goes_with_the_server(
    running: tuple[int, Path, subprocess.Popen[bytes]], told: signal.Signals, tmp_path: Path
) -> None:
    port, token_file, process = running
    client = TcpClient(port)
    assert "result" in client.initialize(make_workspace(tmp_path), token_file.read_text())
    process.send_signal(told)
    assert process.wait(HANG) == 0
    assert not token_file.exists()
    client.close()


@pytest.mark.skipif(sys.platform == "win32", reason="Unix signals")
def test_a_signal_is_seen_though_it_came_just_before_the_wait_for_a_client(tmp_path: Path) -> None:
    """Sent when only the handler in C has run: the wait must end, not go on until somebody connects."""
    script = (
        "import os, pathlib, select, signal, sys\n"
        "from lsp_server.server import serve\n"
        "wait, looked = select.select, []\n"
        "def late(*sockets):\n"
        "    if not looked:\n"
        "        looked.append(1)\n"
        "        signal.signal(signal.SIGINT, lambda *_: None)  # the flag of the signal is spent here\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "        signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "        ready = wait(*sockets, 30)\n"
        "        print('woken' if ready[0] else 'asleep', flush=True)\n"
        "        os._exit(0)\n"
        "serve.select.select = late\n"
        "serve.serve_tcp(0, pathlib.Path(sys.argv[1]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "token")],
        capture_output=True,
        text=True,
        timeout=HANG,
        check=False,
    )
    assert done.stdout.split()[-1:] == ["woken"], done.stderr
