"""Start, end, floods, cancellation and the death of either side."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from .conftest import command, make_workspace
from .raw_server import HANG, RawServer

FILES = 300


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RawServer]:
    running = RawServer(command(), make_workspace(tmp_path))
    yield running
    running.process.kill()
    running.process.wait()


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """Enough files that indexing takes a moment and needs workers."""
    folder = make_workspace(tmp_path)
    for number in range(FILES):
        body = "\n\n".join(f"def function_{number}_{index}(value):\n    return value + {index}" for index in range(60))
        (folder / "src" / f"module_{number}.py").write_text(body + "\n")
    return folder


def children_of(process: int) -> list[int]:
    found: list[int] = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == process and fields[0] != "Z":
                found.append(int(entry.name))
    return found


def wait_until(condition: object, what: str) -> None:
    deadline = time.monotonic() + HANG
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < deadline, what
        time.sleep(0.02)


def gone(process: int) -> bool:
    try:
        os.kill(process, 0)
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def test_a_polite_end_is_code_0_with_a_quiet_stderr(server: RawServer, tmp_path: Path) -> None:
    answer = server.initialize(tmp_path)
    context = answer["result"]["capabilities"]["experimental"]["context"]
    assert context["schema"] == 1
    assert "context/build" in context["methods"]
    server.send(id=1, method="context/build", params={"task": "parse_range"})
    assert server.answer(1)["result"]["items"]
    assert server.shut_down() == 0
    assert server.stderr() == ""


def test_exit_without_shutdown_is_code_1(server: RawServer, tmp_path: Path) -> None:
    server.initialize(tmp_path)
    server.send(method="exit")
    assert server.process.wait(HANG) == 1


def test_the_end_of_stdin_ends_the_server(server: RawServer, tmp_path: Path) -> None:
    server.initialize(tmp_path)
    assert server.process.stdin is not None
    server.process.stdin.close()
    assert server.process.wait(HANG) == 1


HELD_UP = {
    "a session that never closes": "from lsp_server.session.session import Session as c; c.close = block",
    "a message loop that stands still": "from lsp_server.server.handlers import sync as c; c.did_open = block",
    "a request that never ends": "from lsp_server.session.session import Session as c; c.build = block",
    "a thread of the loop that never ends": "from lsp_server.server import app as c; c._load_engine = block",
}


@pytest.mark.parametrize("held", HELD_UP)
def test_nothing_holds_the_end_up(held: str, tmp_path: Path) -> None:
    """Each of these would keep the process for ever; it must end all the same, when stdin ends and on `exit`."""
    script = (
        "import sys, threading\ndef block(*_, **__):\n    threading.Event().wait()\n"
        f"{HELD_UP[held]}\nfrom lsp_server.__main__ import main\nsys.argv[1:] = ['serve']\nmain()\n"
    )
    document = {"uri": "untitled:a", "languageId": "python", "version": 1, "text": "x = 1\n"}
    folder = make_workspace(tmp_path)
    for said in ("exit", "nothing"):
        server = RawServer([sys.executable, "-c", script], folder)
        server.initialize(folder)
        server.send(method="textDocument/didOpen", params={"textDocument": document})
        server.send(id=1, method="context/build", params={"task": "parse_range"})
        if said == "exit":
            server.send(id=2, method="shutdown")
            server.send(method="exit")
        assert server.process.stdin is not None
        server.process.stdin.close()
        assert server.process.wait(HANG) in (0, 1)


def test_requests_before_initialize_and_after_shutdown_are_refused(server: RawServer, tmp_path: Path) -> None:
    server.send(id=1, method="context/status")
    assert server.answer(1)["error"]["code"] == -32002
    server.initialize(tmp_path)
    server.send(id=2, method="initialize", params={"processId": None, "rootUri": None, "capabilities": {}})
    assert server.answer(2)["error"]["code"] == -32600
    server.send(id=3, method="shutdown")
    server.send(id=4, method="context/status")
    assert server.answer(3)["result"] is None
    assert server.answer(4)["error"]["code"] == -32600


def test_broken_messages_do_not_end_the_server(server: RawServer, tmp_path: Path) -> None:
    server.initialize(tmp_path)
    for body in (b"{", b"[]", b"5", b'{"jsonrpc":"1.0"}', b"\xff\xfe", b'{"jsonrpc":"2.0","id":[],"method":"x"}'):
        server.send_bytes(body)
        assert server.until(lambda message: message.get("id", 0) is None)["error"]["code"] in (-32700, -32600)
    server.send(method="textDocument/didChange", params={"textDocument": 5})
    server.send(method="textDocument/didOpen")
    server.send(method="$/unknown", params={})
    server.send(id=1, method="no/such/method", params={"deep": {"jsonrpc": "2.0"}})
    assert server.answer(1)["error"]["code"] == -32601
    server.send(id=2, method="context/status", params={"deep": {"jsonrpc": "2.0", "id": 7}})
    assert server.answer(2)["result"]["schema"] == 1


def test_a_malformed_initialize_is_refused_and_a_good_one_taken(server: RawServer, tmp_path: Path) -> None:
    server.send(id=1, method="initialize", params={"processId": None, "rootUri": None})
    error = server.answer(1)["error"]
    assert (error["code"], error["data"]["path"]) == (-32602, "capabilities")
    assert "result" in server.initialize(tmp_path)


def test_a_cancelled_request_is_answered_and_the_server_goes_on(large: Path) -> None:
    server = RawServer(command(), large)
    server.initialize(large)
    server.send(id=1, method="context/status", params={"wait": True})
    server.send(method="$/cancelRequest", params={"id": 1})
    assert server.answer(1)["error"]["code"] == -32800
    server.send(id=2, method="context/build", params={"task": "function_7_3", "budget": {"maxTokens": 500}})
    assert "result" in server.answer(2)
    assert server.shut_down() == 0


def test_a_flood_is_answered_once_each_and_the_newest_wins(large: Path) -> None:
    server = RawServer(command(), large)
    server.initialize(large)
    for number in range(100):
        params = {"task": f"function_{number}_1", "clientKey": "panel", "budget": {"maxTokens": 500}}
        server.send(id=number, method="context/build", params=params)
    answers = {number: server.until(lambda message: "method" not in message) for number in range(100)}
    ids = [answer["id"] for answer in answers.values()]
    assert sorted(ids) == list(range(100))
    by_id = {answer["id"]: answer for answer in answers.values()}
    assert "result" in by_id[99]
    assert all("result" in answer or answer["error"]["code"] == -32801 for answer in by_id.values())
    assert sum("error" in answer for answer in by_id.values()) > 50
    assert server.shut_down() == 0


def test_indexing_shows_progress_to_a_client_that_can(large: Path) -> None:
    server = RawServer(command(), large)
    server.initialize(large, {"window": {"workDoneProgress": True}})
    end = server.until(lambda message: message.get("params", {}).get("value", {}).get("kind") == "end")
    kinds = [m["params"]["value"]["kind"] for m in server.seen if m.get("method") == "$/progress"]
    assert kinds[0] == "begin"
    assert kinds[-1] == "end"
    assert str(FILES)[0] in end["params"]["value"]["message"]
    assert server.shut_down() == 0


def test_status_notifications_only_for_those_who_asked(large: Path) -> None:
    server = RawServer(command(), large)
    server.initialize(large, {"experimental": {"context": {"statusChanged": True}}})
    ready = server.until(lambda m: m.get("method") == "context/statusChanged" and m["params"]["state"] == "ready")
    assert ready["params"]["pendingFiles"] == 0
    assert ready["params"]["files"] >= FILES
    assert server.shut_down() == 0


def test_answers_come_while_indexing_and_say_how_fresh_they_are(large: Path) -> None:
    server = RawServer(command("serve"), large)
    server.initialize(large)
    output = (
        'Traceback (most recent call last):\n  File "src/module_299.py", line 2, in function_299_0\nValueError: x\n'
    )
    server.send(id=1, method="context/build", params={"failureOutput": [{"text": output}]})
    pack = server.answer(1)["result"]
    assert pack["items"][0]["path"] == "src/module_299.py"
    assert pack["freshness"]["pendingFiles"] >= 0
    server.send(id=2, method="context/status", params={"wait": True})
    status = server.answer(2)["result"]
    assert (status["phase"], status["pendingFiles"]) == ("ready", 0)
    assert status["files"] >= FILES
    assert server.shut_down() == 0


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_the_server_and_its_workers_go_with_the_client(large: Path) -> None:
    script = (
        "import json, os, subprocess, sys, time\n"
        "server = subprocess.Popen(json.loads(sys.argv[1]), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)\n"
        "keep = os.dup(server.stdin.fileno())\n"
        "params = {'processId': os.getpid(), 'rootUri': sys.argv[2], 'capabilities': {}}\n"
        "def send(**m):\n"
        "    body = json.dumps({'jsonrpc': '2.0', **m}).encode()\n"
        "    server.stdin.write(b'Content-Length: %d\\r\\n\\r\\n%b' % (len(body), body)); server.stdin.flush()\n"
        "send(id=1, method='initialize', params=params)\n"
        "send(method='initialized', params={})\n"
        "print(server.pid, flush=True)\n"
        "time.sleep(1000)\n"
    )
    import json

    parent = subprocess.Popen(
        [sys.executable, "-c", script, json.dumps(command()), large.as_uri()], cwd=large, stdout=subprocess.PIPE
    )
    assert parent.stdout is not None
    server = int(parent.stdout.readline())
    wait_until(lambda: children_of(server), "no worker was started")
    workers = children_of(server)
    parent.kill()
    parent.wait()
    wait_until(lambda: gone(server), "the server outlived its client")
    wait_until(lambda: all(gone(worker) for worker in workers), "a worker outlived the server")


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_killed_server_leaves_no_worker(large: Path) -> None:
    server = RawServer(command(), large)
    server.initialize(large)
    wait_until(lambda: children_of(server.process.pid), "no worker was started")
    workers = children_of(server.process.pid)
    server.process.send_signal(signal.SIGKILL)
    server.process.wait()
    wait_until(lambda: all(gone(worker) for worker in workers), "a worker outlived the server")


def test_tcp_needs_the_token(tmp_path: Path) -> None:
    import json
    import socket
    import stat

    folder = make_workspace(tmp_path)
    token_file = tmp_path / "token"
    running = subprocess.Popen(
        command("serve", "--tcp", "0", "--token-file", str(token_file)), cwd=folder, stdout=subprocess.PIPE
    )
    try:
        assert running.stdout is not None
        port = int(running.stdout.readline().split()[2].decode().rstrip(",").rpartition(":")[2])
        assert stat.S_IMODE(token_file.stat().st_mode) == 0o600

        def initialize(options: object) -> dict[str, object]:
            with socket.create_connection(("127.0.0.1", port), timeout=HANG) as connection:
                params = {"processId": None, "rootUri": folder.as_uri(), "capabilities": {}}
                params["initializationOptions"] = options
                body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}).encode()
                connection.sendall(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
                with connection.makefile("rb") as stream:
                    length = int(stream.readline().split(b":")[1])
                    stream.readline()
                    return json.loads(stream.read(length))

        assert "error" in initialize(None)
        assert "error" in initialize({"token": "wrong"})
        assert "result" in initialize({"token": token_file.read_text()})
    finally:
        running.kill()
        running.wait()


def test_the_editors_own_servers_add_exact_definitions(server: RawServer, tmp_path: Path) -> None:
    """A call that the index alone cannot resolve: the client's answer becomes evidence."""
    (tmp_path / "src/dynamic.py").write_text("def hidden_target():\n    return 0\n")
    caller = tmp_path / "src/caller.py"
    caller.write_text("def run(thing):\n    return thing.mystery()\n")
    server.initialize(tmp_path, {"experimental": {"context": {"resolveDefinition": True}}})
    server.send(id=0, method="context/status", params={"wait": True})
    server.answer(0)
    span = {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 20}}
    problem = {"uri": caller.as_uri(), "diagnostic": {"range": span, "message": "boom"}}
    found = {"uri": (tmp_path / "src/dynamic.py").as_uri(), "range": {"start": {"line": 0, "character": 4}}}

    def build(number: int, respond: object) -> dict[str, object]:
        server.send(id=number, method="context/build", params={"diagnostics": [problem]})
        while True:
            message = server.messages.get(timeout=HANG)
            assert message is not None
            if message.get("method") == "context/resolveDefinition":
                assert message["params"]["deadlineMs"] > 0
                names = len(message["params"]["positions"])
                if respond is not None:
                    server.send(id=message["id"], result=respond(names))  # type: ignore[operator]
            elif message.get("id") == number:
                return message["result"]

    pack = build(1, lambda names: {"definitions": [{"provider": "pyright", "locations": [found]}] * names})
    sources = {item["source"]: item["path"] for item in pack["items"]}  # type: ignore[union-attr]
    assert sources.get("lsp:pyright") == "src/dynamic.py"
    for answer in (None, lambda _: None, lambda _: {"definitions": [5, {"locations": [{}]}]}):
        plain = build(2, answer)
        assert "lsp:pyright" not in {item["source"] for item in plain["items"]}  # type: ignore[union-attr]
