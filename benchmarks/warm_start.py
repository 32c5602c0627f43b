"""Warm start: from the start of a process to the first full answer, with all facts in the store."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import IO, Any

from .measuring import PROJECT, Spent, Stopwatch, ratios, run_timed
from .options import Options
from .places import FailingPlace, failing_places
from .report import Row
from .sessions import indexed

FIGURE = "warm start"
SERVER_REACH, CLI_REACH = 2.0, 5.0
SERVER_IMPORTS = "import pygls.lsp.server, tree_sitter, numpy"
CLI_IMPORTS = "import tree_sitter, numpy"

AS_INSTALLED = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""Installed packages have their bytecode beside them, those that they are compared with as well: where none may be
written, every start would compile our modules anew."""


def measure(options: Options) -> list[Row]:
    """Two rows a corpus: the server over stdio, and the command `build`."""
    rows: list[Row] = []
    for name, root in options.corpora:
        cache = options.scratch / f"warm-{name}"
        with indexed(root, cache) as session:
            place = failing_places(session.snapshot(), root, 3)[1]
        output = options.scratch / "warm-failure.txt"
        output.write_text(place.output(), encoding="utf-8")
        cli: list[Spent] = []
        server: list[Spent] = []
        plain: list[Spent] = []
        with_pygls: list[Spent] = []
        for _ in range(max(2, options.scale.repeats)):  # the first run also writes bytecode
            plain.append(run_timed((sys.executable, "-c", CLI_IMPORTS), env=AS_INSTALLED))
            cli.append(run_timed(_build_command(root, cache, output), env=AS_INSTALLED))
            with_pygls.append(run_timed((sys.executable, "-c", SERVER_IMPORTS), env=AS_INSTALLED))
            server.append(_server_answer(root, cache, place))
        rows.append(_row(name, "CLI build / import tree_sitter, numpy", cli[1:], plain[1:], CLI_REACH))
        rows.append(_row(name, "server / import pygls, tree_sitter, numpy", server[1:], with_pygls[1:], SERVER_REACH))
    return rows


def _row(name: str, what: str, ours: list[Spent], imports: list[Spent], reach: float) -> Row:
    wall, cpu = ratios(ours, imports)
    note = f"CPU {cpu:.2f} x; {ours[-1].wall:.2f} s against {imports[-1].wall:.2f} s"
    return Row(FIGURE, name, what, wall, reach=reach, note=note, detail={"cpu": cpu})


def _build_command(root: Path, cache: Path, output: Path) -> tuple[str, ...]:
    settings = ("--set", f"cache.folder={cache}")
    return (sys.executable, "-m", "lsp_server", "build", "--root", str(root), "--failure", str(output), *settings)


def _server_answer(root: Path, cache: Path, place: FailingPlace) -> Spent:
    """Start the server, say hello, ask for one pack, and count until its answer is here."""
    watch = Stopwatch()
    process = subprocess.Popen(
        (sys.executable, "-m", "lsp_server", "serve", "--stdio"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=PROJECT,
        env=AS_INSTALLED,
    )
    stdin, stdout = process.stdin, process.stdout
    assert stdin is not None
    assert stdout is not None
    hello = {
        "processId": None,
        "capabilities": {},
        "workspaceFolders": [{"uri": root.as_uri(), "name": "corpus"}],
        "initializationOptions": {"settings": {"cache": {"folder": str(cache)}}},
    }
    _send(stdin, {"id": 1, "method": "initialize", "params": hello})
    _answer(stdout, 1)
    _send(stdin, {"method": "initialized", "params": {}})
    asked = {"failureOutput": [{"text": place.output()}]}
    _send(stdin, {"id": 2, "method": "context/build", "params": asked})
    pack = _answer(stdout, 2)
    wall = watch.spent().wall
    if not pack.get("items"):
        raise AssertionError(f"the server's pack about {place.path} is empty")
    _send(stdin, {"id": 3, "method": "shutdown"})
    _answer(stdout, 3)
    _send(stdin, {"method": "exit"})
    process.communicate(timeout=20)
    return Spent(wall, watch.spent().cpu)


def _send(stream: IO[bytes], message: dict[str, Any]) -> None:
    data = json.dumps({"jsonrpc": "2.0", **message}).encode()
    stream.write(b"Content-Length: %d\r\n\r\n%b" % (len(data), data))
    stream.flush()


def _answer(stream: IO[bytes], number: int) -> dict[str, Any]:
    """The result of request `number`; notifications and the server's own requests are passed over."""
    while True:
        size = 0
        while (line := stream.readline()) not in (b"\r\n", b""):
            if line.lower().startswith(b"content-length:"):
                size = int(line.split(b":")[1])
        if not size:
            raise AssertionError("the server ended before it answered")
        message = json.loads(stream.read(size))
        if message.get("id") == number and "method" not in message:
            if "error" in message:
                raise AssertionError(f"the server answered {message['error']}")
            return message.get("result") or {}
