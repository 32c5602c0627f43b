"""A server process spoken to byte by byte, for what a well-behaved client never does."""

from __future__ import annotations

import json
import queue
import subprocess
import threading
from pathlib import Path
from typing import Any

HANG = 60.0
"""Seconds after which a test gives up waiting; nothing here takes that long."""


class RawServer:
    """Sends messages, collects what comes back; answers the server's own requests with null."""

    def __init__(self, command: list[str], folder: Path, env: dict[str, str] | None = None) -> None:
        self.process = subprocess.Popen(
            command, cwd=folder, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.messages: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self.seen: list[dict[str, Any]] = []
        threading.Thread(target=self._read, daemon=True).start()

    def send(self, **message: Any) -> None:
        self.send_bytes(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def send_bytes(self, body: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self.process.stdin.flush()

    def _read(self) -> None:
        out = self.process.stdout
        assert out is not None
        while True:
            length = 0
            while (line := out.readline()) not in (b"\r\n", b""):
                name, _, value = line.partition(b":")
                assert name.lower() == b"content-length", f"not protocol: {line!r}"
                length = int(value)
            if not line:
                self.messages.put(None)
                return
            self.messages.put(json.loads(out.read(length)))

    def next(self) -> dict[str, Any] | None:
        """The next message, None at the end of the output."""
        message = self.messages.get(timeout=HANG)
        if message is not None:
            self.seen.append(message)
            if "method" in message and "id" in message:
                self.send(id=message["id"], result=None)
        return message

    def until(self, wanted: Any) -> dict[str, Any]:
        """The first message for which `wanted` is true."""
        while True:
            message = self.next()
            assert message is not None, "the server ended"
            if wanted(message):
                return message

    def answer(self, id: Any) -> dict[str, Any]:
        """The response to request `id`."""
        return self.until(lambda message: message.get("id") == id and "method" not in message)

    def initialize(self, folder: Path, capabilities: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
        folders = [{"uri": folder.as_uri(), "name": "demo"}]
        params = {"processId": None, "rootUri": None, "capabilities": capabilities or {}, "workspaceFolders": folders}
        self.send(id="init", method="initialize", params={**params, **more})
        answer = self.answer("init")
        if "result" in answer:
            self.send(method="initialized", params={})
        return answer

    def shut_down(self) -> int:
        """Polite end; the exit code."""
        self.send(id="down", method="shutdown")
        self.answer("down")
        self.send(method="exit")
        return self.process.wait(HANG)

    def stderr(self) -> str:
        assert self.process.stderr is not None
        return self.process.stderr.read().decode()
