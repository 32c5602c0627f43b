"""Nothing goes out: no socket but Unix and loopback is opened, and everything works without any interface."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.session.workspaces import write

FLOWS = '''
import io, json, sys
from pathlib import Path

addresses = []
asked = []

def watch(event, arguments):
    if event == "socket.__new__":
        asked.append(int(arguments[1]))
    elif event in ("socket.connect", "socket.bind", "socket.sendto"):
        addresses.append(repr(arguments[1]))
    elif event in ("socket.getaddrinfo", "socket.gethostbyname", "urllib.Request", "http.client.connect"):
        addresses.append(f"{event}: {arguments}")

sys.addaudithook(watch)
from lsp_server.session.session import Session
from lsp_server.session.tools import ask

folder = Path(sys.argv[1])
with Session.open([folder], assignments=["index.workers=1"]) as session:
    session.wait_fresh(60)
    shared = session.share()
    answers = {
        "search": ask(session, "search", {"query": "function"}),
        "grep": ask(session, "grep", {"pattern": "def "}),
        "map": ask(session, "map", {}),
        "related": ask(session, "related", {"symbol": "function_1"}),
        "expand": ask(session, "expand", {"id": "pkg/m1.py:1-1"}),
        "parseFailure": ask(session, "parseFailure", {"text": 'File "pkg/m1.py", line 2, in f\\nValueError: x'}),
        "build": ask(session, "build", {"task": "function_1", "budget": {"maxTokens": 2000}}),
        "status": ask(session, "status", {}),
    }
print(json.dumps({
    "addresses": addresses, "families": sorted(set(asked)), "shared": shared,
    "found": len(answers["search"]["hits"]), "items": len(answers["build"]["items"]),
    "files": answers["status"]["files"],
}))
'''  # fmt: skip

FILES = {f"pkg/m{n}.py": f"def function_{n}():\n    return {n}\n" for n in range(40)}


def flows(folder: Path, *prefix: str) -> dict[str, object]:
    """The main flows in a process of their own, with what sockets they asked for."""
    run = folder.parent / "run"
    run.mkdir(mode=0o700)
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(run), "XDG_CACHE_HOME": str(folder.parent / "cache")}
    command = [*prefix, sys.executable, "-c", FLOWS, str(folder)]
    ran = subprocess.run(command, capture_output=True, env=environment, timeout=110, check=False)
    assert ran.returncode == 0, ran.stderr.decode()[-2_000:]
    return json.loads(ran.stdout)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "workspace", FILES)
    return tmp_path / "workspace"


def test_no_socket_but_unix_is_opened(folder: Path) -> None:
    """Indexing with workers, every tool, and sharing: an audit hook sees each socket and each address."""
    import socket

    seen = flows(folder)
    assert seen["files"] == len(FILES)
    assert seen["found"]
    assert seen["items"]
    assert set(seen["families"]) <= {int(socket.AF_UNIX)}  # type: ignore[call-overload]
    assert all(str(address).endswith(".sock'") for address in seen["addresses"])  # type: ignore[union-attr]
    assert bool(seen["addresses"]) == bool(seen["shared"])


def _has_namespaces() -> bool:
    unshare = shutil.which("unshare")
    return (
        unshare is not None
        and subprocess.run([unshare, "-n", "true"], capture_output=True, check=False).returncode == 0
    )


@pytest.mark.skipif(not _has_namespaces(), reason="needs `unshare -n`: Linux and the right to make network namespaces")
def test_everything_works_in_a_namespace_without_interfaces(folder: Path) -> None:
    seen = flows(folder, "unshare", "-n")
    assert seen["files"] == len(FILES)
    assert seen["found"]
    assert seen["items"]


def test_tcp_is_offered_on_loopback_alone() -> None:
    """The only listener of the package is on 127.0.0.1; what it asks of a client: see `test_tcp_needs_the_token`."""
    from lsp_server.server import serve

    package = Path(serve.__file__).parents[1]
    openers = ("create_connection(", ".bind(", "socket.socket(", "http.client", "urllib.request")
    files = {path.relative_to(package).as_posix(): path.read_text(encoding="utf-8") for path in package.rglob("*.py")}
    assert {path for path, text in files.items() if any(word in text for word in openers)} == {"session/sharing.py"}
    assert "AF_INET" not in files["session/sharing.py"]
    assert serve.LOOPBACK == "127.0.0.1"
    assert "socket.create_server((LOOPBACK, port))" in Path(serve.__file__).read_text(encoding="utf-8")
