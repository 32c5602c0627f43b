"""Malformed requests of every shape, sent to a server that is served as on stdio, in this process.

Every request must be answered exactly once and within HANG, never with an internal error; and the server must
still answer a good request afterwards.
"""

from __future__ import annotations

import asyncio
import json
import logging
import queue
import random
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lsp_server.server.app import create_server
from lsp_server.server.serve import serve_stream

from .broken_json import any_value, broken, nested
from .tally import HANG, Tally

BATCH = 12
WARM_UP = 60.0
INTERNAL_ERROR = -32603
FILES = {
    "src/model.py": "class Span:\n    def length(self):\n        return self.last - self.first\n",
    "src/service.py": "from model import Span\n\ndef total(spans):\n    return sum(span.length() for span in spans)\n",
    "web/app.ts": "export function greet(name: string) {\n  return `héllo 😀 ${name}`;\n}\ngreet('x');\n",
    "notes.md": "# Spans\n\ntotal of all lengths\n",
    ".env": "A=b\n",
    ".repo-context.toml": "[cache]\nenabled = false\n\n[grep]\ntimeoutSeconds = 1.0\n",
}


def valid_requests(folder: Path) -> dict[str, Any]:
    """One good request of every kind."""
    uri = (folder / "src/service.py").as_uri()
    place = {"line": 4, "character": 12}
    span = {"start": place, "end": {"line": 4, "character": 15}}
    at = {"textDocument": {"uri": uri}, "position": place}
    item = {
        "name": "total", "kind": 12, "uri": uri, "range": span, "selectionRange": span,
        "data": {"path": "src/service.py", "name": "total", "line": 4},
    }  # fmt: skip
    diagnostic = {
        "range": span, "message": "boom", "severity": 1, "code": "E1", "source": "t", "tags": [1],
        "relatedInformation": [{"location": {"uri": uri, "range": span}, "message": "here"}],
    }  # fmt: skip
    build = {
        "diagnostics": [{"uri": uri, "version": 1, "diagnostic": diagnostic}],
        "failureOutput": [{"text": 'File "src/service.py", line 5, in total\nTypeError: no', "cwd": "."}],
        "task": "total of spans", "cursor": {"uri": uri, "position": place}, "openDocuments": [uri],
        "recentEdits": [{"uri": uri, "range": span}], "mentions": [{"path": "src/model.py"}, {"symbol": "Span.length"}],
        "budget": {"maxTokens": 2000, "ceiling": 4000, "reserve": 10, "maxItems": 9, "perFile": 3, "stop": "fill",
                   "perSource": {"bm25": {"maxItems": 2, "maxCost": 100}}, "floors": {"failure": 0.3}},
        "render": {"format": "markdown", "lineNumbers": True}, "policy": "tiered", "include": ["src/**"],
        "exclude": ["*.md"], "includeWarnings": True, "includeRules": True, "explain": True,
        "workDoneToken": "w", "partialResultToken": "p",
    }  # fmt: skip
    block = "src/model.py\n<<<<<<< SEARCH\nclass Span:\n=======\nclass Piece:\n>>>>>>> REPLACE\n"
    return {
        "context/build": build,
        "context/map": {"budget": 500, "focus": ["src/model.py"], "symbols": ["Span"], "query": "total", "depth": 2,
                        "folder": "src", "include": ["*.py"], "exclude": []},
        "context/search": {"query": "total spans", "limit": 5, "include": ["src/**"], "exclude": []},
        "context/grep": {"pattern": "to.al", "kind": "regex", "case": "smart", "limit": 5, "include": []},
        "context/related": {"symbol": "total", "uri": uri, "lines": {"start": 4, "end": 5}, "limit": 5},
        "context/expand": {"id": "src/model.py:2-3", "extent": "unit", "neighbours": 3},
        "context/verify": {"items": [{"id": "a", "path": "src/model.py", "lines": {"start": 1, "end": 2},
                                      "contentHash": "00"}]},
        "context/explain": {"path": "src/model.py", "line": 2, "symbol": "Span"},
        "context/parseFailure": {"text": "src/model.py:2: error: boom", "format": "auto", "cwd": ""},
        "context/applyEdits": {"edits": block, "expected": {"src/model.py": {"contentHash": "00", "version": 1}}},
        "context/status": {},
        "context/reindex": {},
        "workspace/executeCommand": {"command": "repoContext.search", "arguments": [{"query": "span"}]},
        "workspace/symbol": {"query": "tot"},
        "textDocument/documentSymbol": {"textDocument": {"uri": uri}},
        "textDocument/definition": at,
        "textDocument/references": {**at, "context": {"includeDeclaration": True}},
        "textDocument/documentHighlight": at,
        "textDocument/prepareCallHierarchy": at,
        "callHierarchy/incomingCalls": {"item": item},
        "callHierarchy/outgoingCalls": {"item": item},
        "textDocument/codeAction": {"textDocument": {"uri": uri}, "range": span,
                                    "context": {"diagnostics": [diagnostic]}},
        "initialize": {"processId": None, "rootUri": None, "capabilities": {}},
    }  # fmt: skip


def notifications(folder: Path) -> dict[str, Any]:
    """One good notification of every kind."""
    uri = (folder / "src/service.py").as_uri()
    span = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 4}}
    document = {"uri": uri, "languageId": "python", "version": 1, "text": "def total(): pass\n"}
    return {
        "textDocument/didOpen": {"textDocument": document},
        "textDocument/didChange": {"textDocument": {"uri": uri, "version": 2},
                                   "contentChanges": [{"range": span, "text": "x"}, {"text": "def y(): pass\n"}]},
        "textDocument/didSave": {"textDocument": {"uri": uri}, "text": "def total(): pass\n"},
        "textDocument/didClose": {"textDocument": {"uri": uri}},
        "workspace/didChangeWatchedFiles": {"changes": [{"uri": uri, "type": 2}]},
        "workspace/didChangeConfiguration": {"settings": {"repoContext": {"budget": {"maxTokens": 100}}}},
        "workspace/didRenameFiles": {"files": [{"oldUri": uri, "newUri": uri + "x"}]},
        "workspace/didCreateFiles": {"files": [{"uri": uri}]},
        "workspace/didDeleteFiles": {"files": [{"uri": uri}]},
        "$/cancelRequest": {"id": 1},
        "$/setTrace": {"value": "off"},
        "window/workDoneProgress/cancel": {"token": "x"},
        "no/such/notification": {},
    }  # fmt: skip


class Errors(logging.Handler):
    """Errors that the server logs: a notification has no answer to tell of its crash."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(self.format(record))

    def taken(self) -> list[str]:
        """What was logged since the last time."""
        said, self.said = self.said, []
        return said


class LocalServer:
    """A served connection whose bytes come from and go to queues."""

    def __init__(self, folder: Path) -> None:
        self._in: queue.Queue[bytes] = queue.Queue()
        self.out: queue.Queue[dict[str, Any]] = queue.Queue()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        folders = [{"uri": folder.as_uri(), "name": "demo"}]
        params = {"processId": None, "rootUri": None, "capabilities": {}, "workspaceFolders": folders}
        self.send({"jsonrpc": "2.0", "id": "init", "method": "initialize", "params": params})
        self.out.get(timeout=WARM_UP)
        self.send({"jsonrpc": "2.0", "method": "initialized", "params": {}})

    def warm_up(self, requests: dict[str, Any]) -> None:
        """One good request of each kind, so that nothing is loaded while the clock runs."""
        for method, params in requests.items():
            self.send({"jsonrpc": "2.0", "id": method, "method": method, "params": params})
        waiting = set(requests)
        while waiting:
            waiting.discard(self.out.get(timeout=WARM_UP).get("id"))

    def _serve(self) -> None:
        asyncio.run(serve_stream(create_server, self._read, self._write))

    def _read(self, _size: int) -> bytes:
        return self._in.get()

    def _write(self, data: bytes) -> None:
        self.out.put(json.loads(data.partition(b"\r\n\r\n")[2]))

    @property
    def alive(self) -> bool:
        return self._thread.is_alive()

    def send(self, message: Any) -> None:
        self.send_body(json.dumps(message).encode())

    def send_body(self, body: bytes) -> None:
        self._in.put(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    def close(self) -> None:
        self._in.put(b"")
        self._thread.join(10)


@contextmanager
def served(errors: Errors) -> Iterator[tuple[LocalServer, Path]]:
    with tempfile.TemporaryDirectory(prefix="fuzz") as name:
        folder = Path(name).resolve()
        for path, text in FILES.items():
            (folder / path).parent.mkdir(exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8")
        own, log = logging.getLogger("lsp_server"), logging.getLogger("pygls")
        level = log.level
        log.setLevel(logging.CRITICAL)  # as the real server does: its messages hold text
        own.addHandler(errors)
        server = LocalServer(folder)
        try:
            yield server, folder
        finally:
            server.close()
            log.setLevel(level)
            own.removeHandler(errors)


def fuzz(choose: random.Random, stop: Callable[[], bool], tally: Tally) -> None:
    """Batches of requests and notifications; each batch must be answered whole."""
    errors = Errors()
    with served(errors) as (server, folder):
        valid, noted = valid_requests(folder), notifications(folder)
        server.warm_up(valid)
        batch = 0
        while not stop():
            batch += 1
            sent: dict[Any, Any] = {}
            for number in range(BATCH):
                if choose.random() < 0.25:
                    method = choose.choice(sorted(noted))
                    server.send({"jsonrpc": "2.0", "method": method, "params": broken(choose, noted[method])})
                    tally.cases += 1
                    continue
                message = _request(choose, valid, f"{batch}.{number}")
                sent[message["id"]] = message
                server.send(message)
            if choose.random() < 0.1:
                server.send_body(_junk(choose))
            _collect(server, sent, tally)
            for said in errors.taken():
                tally.crash(said)
            if not server.alive:
                tally.crash("the server ended")
                return


def _request(choose: random.Random, valid: dict[str, Any], id: str) -> dict[str, Any]:
    method = choose.choice(sorted(valid))
    params = any_value(choose) if choose.random() < 0.1 else broken(choose, valid[method])
    message = {"jsonrpc": "2.0", "id": id, "method": method, "params": params}
    if choose.random() < 0.03:
        message["method"] = choose.choice(("", "no/such", "context/", "$/odd", "\ud800"))
    if choose.random() < 0.03:
        del message["params"]
    return message


def _junk(choose: random.Random) -> bytes:
    """A body that is no request at all; nobody waits for an answer."""
    bodies = (
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        b"null",
        json.dumps(nested(900, lists=True)).encode(),
        b'{"jsonrpc":"2.0"}',
    )
    return choose.choice(bodies)


def _collect(server: LocalServer, sent: dict[Any, Any], tally: Tally) -> None:
    waiting = dict(sent)
    worked, begun = time.process_time(), time.monotonic()
    while waiting:
        try:
            answer = server.out.get(timeout=1.0)
        except queue.Empty:
            # On a busy machine the server, which is in this process, gets little of the processor.
            if time.process_time() - worked < HANG and time.monotonic() - begun < WARM_UP:
                continue
            for message in waiting.values():
                tally.silent(json.dumps(message))
            return
        worked, begun = time.process_time(), time.monotonic()
        if "method" in answer and "id" in answer:
            server.send({"jsonrpc": "2.0", "id": answer["id"], "result": None})
            continue
        answered = answer.get("id")
        if "method" in answer or answered is None:
            continue
        message = waiting.pop(answered, None)
        if message is None:
            tally.crash(f"answered twice or never asked: {json.dumps(answer)[:300]}")
            continue
        tally.cases += 1
        if answer.get("error", {}).get("code") == INTERNAL_ERROR:
            tally.crash(f"{answer['error']['message']} for {json.dumps(message)}")
