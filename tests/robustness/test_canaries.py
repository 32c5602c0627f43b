"""No secret comes out: by no request, no command, no log, no file that is written.

Canaries are planted everywhere (see `planted`), every route is run over them, and everything that left the
process or was written is searched.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from lsp_server.failures.shown import WITHHELD
from lsp_server.index.encoding import decode_facts
from lsp_server.index.image import decode_image
from lsp_server.session import index_images
from tests.server.raw_server import RawServer
from tests.session.workspaces import fresh, session_of

from .planted import Planted, plant

RANGE = {"start": {"line": 8, "character": 4}, "end": {"line": 8, "character": 10}}


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Planted:
    return plant(tmp_path_factory.mktemp("canaries"))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where everything that is kept beside the workspace is written."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def environment(home: Path) -> dict[str, str]:
    folders = {"XDG_CACHE_HOME": home / "cache", "XDG_RUNTIME_DIR": home / "run", "HOME": home, "TMPDIR": home / "tmp"}
    for folder in folders.values():
        folder.mkdir(mode=0o700, exist_ok=True)
    return {**os.environ, **{name: str(folder) for name, folder in folders.items()}}


def failing_output(planted: Planted) -> str:
    """What a test run, a tool and a shell print around secrets."""
    coloured = planted.token("coloured output")
    return (
        "=================================== FAILURES ===================================\n"
        f"_________________ test_charge[{planted.token('test id')}] _________________\n\n"
        "    def test_charge():\n"
        f">       assert charge('{planted.token('printed source line')}') == 1\n"
        f"E       AssertionError: assert '{planted.token('assertion')}' == 1\n"
        f"E         \x1b[31m- {coloured[:9]}\x1b[0m{coloured[9:]}\n"
        f"E         {planted.key('key in output')}\n\n"
        "tests/test_payments.py:5: AssertionError\n"
        "Traceback (most recent call last):\n"
        '  File "src/payments.py", line 11, in charge\n'
        f"    connect('{planted.token('frame source')}')\n"
        f'  File "/usr/lib/python3/{planted.token("library path")}.py", line 3, in run\n'
        f"ValueError: bad token {planted.token('exception message')}\n"
        f"src/ledger.ts(3,5): error TS2322: '{planted.token('compiler message')}' is not assignable\n"
    )


def junit(planted: Planted) -> str:
    """The same in a structured report."""
    return (
        f'<testsuite><testcase name="test_charge" classname="{planted.token("class name")}" '
        f'file="tests/test_payments.py" line="5"><failure message="got {planted.token("XML message")}">'
        f"tests/test_payments.py:5: {planted.token('XML text')}</failure></testcase></testsuite>"
    )


def build_params(planted: Planted, form: str) -> dict[str, Any]:
    """A request that holds canaries wherever a client may put one."""
    uri = (planted.folder / "src/payments.py").as_uri()
    denied = (planted.folder / ".env").as_uri()
    here = {"uri": uri, "range": RANGE}
    diagnostic = {
        "range": RANGE,
        "severity": 1,
        "message": f"bad literal {planted.token('diagnostic')}",
        "code": planted.token("diagnostic code"),
        "relatedInformation": [
            {"location": here, "message": f"given {planted.token('related information')} here"},
            {"location": {"uri": denied, "range": RANGE}, "message": f"from {planted.word('related, denied file')}"},
        ],
    }
    own = {"range": RANGE, "severity": 1, "message": f"PAYMENT={planted.word('diagnostic of a denied file')}"}
    return {
        "diagnostics": [{"uri": uri, "diagnostic": diagnostic}, {"uri": denied, "diagnostic": own}],
        "failureOutput": [{"text": failing_output(planted)}, {"text": junit(planted), "format": "junit"}],
        "task": f"charge fails with {planted.token('task')}",
        "pinned": {"goal": f"rotate {planted.token('goal')}", "state": f"tried {planted.token('state')}"},
        "mentions": [*({"path": path} for path in FILES), {"symbol": "refund"}],
        "budget": {"maxTokens": 20_000},
        "render": {"format": form},
        "explain": True,
    }


def requests(planted: Planted) -> Iterator[tuple[str, Any]]:
    """Every request that can show something of the workspace."""
    place = {"path": "docs/notes.md", "lines": {"start": 1, "end": 3}, "reason": "search", "score": 1.0}
    why = f"seen with {planted.token('reason of another tool')}"
    yield "context/contribute", {"source": "other", "items": [{**place, "why": why}, {**place, "path": ".env"}]}
    for form in ("markdown", "xml", "json"):
        yield "context/build", build_params(planted, form)
    yield "context/show", build_params(planted, "markdown")
    for line in range(1, 24):
        yield "context/explain", {"path": "src/payments.py", "line": line}
    yield "context/explain", {"path": ".env", "line": 1}
    for text in (failing_output(planted), junit(planted)):
        yield "context/parseFailure", {"text": text}
    for query in ("charge token api key payment", "PAYMENT", "ghp", *planted.canaries.values()):
        yield "context/search", {"query": query}
    for pattern in ("ghp_", "PAYMENT", "MII", "plain", "charge", "postgres://", *planted.canaries.values()):
        yield "context/grep", {"pattern": pattern}
    yield "context/grep", {"pattern": "^.*$", "kind": "regex", "limit": 2000}
    yield "context/related", {"symbol": "charge"}
    for path in FILES:
        yield "context/related", {"path": path}
        yield (
            "context/expand",
            {"path": path, "lines": {"start": 1, "end": 1}, "extent": "neighbours", "neighbours": 50},
        )
        yield "context/expand", {"id": f"{path}:2-3"}
        yield "context/applyEdits", {"edits": block(path, "no such line\n", "x\n")}
        yield "context/applyEdits", {"edits": block(path, "", "x\n")}
        claim = {"path": path, "lines": {"start": 1, "end": 1}, "contentHash": "0"}
        yield "context/verify", {"items": [claim]}
        document = {"textDocument": {"uri": (planted.folder / path).as_uri()}}
        for method in ("documentSymbol", "codeLens"):
            yield f"textDocument/{method}", document
        for method in ("definition", "documentHighlight", "prepareCallHierarchy"):
            yield f"textDocument/{method}", {**document, "position": RANGE["start"]}
        around = {"position": RANGE["start"], "context": {"includeDeclaration": True}}
        yield "textDocument/references", document | around
    yield "context/applyEdits", {"edits": block("src/payments.py", "    return -charge(card)\n", "    return 1\n")}
    yield "context/map", {"budget": 4000}
    yield "context/map", {"focus": [".env", "src/payments.py"], "budget": 4000}
    yield "workspace/symbol", {"query": "charge"}
    yield "workspace/symbol", {"query": ""}
    yield "context/status", {}


FILES = (
    "src/payments.py", "src/ledger.ts", "tests/test_payments.py", "docs/notes.md", "data/run.ipynb", ".env",
    "deploy/id_rsa", "deploy/secrets.yml", ".aws/credentials", "linked.py", "settings_link.py", ".envrc",
    "target_of_denied_link.py", "hidden.py", "ignored.py", "src/unsaved.py",
)  # fmt: skip


def block(path: str, search: str, replace: str) -> str:
    return f"{path}\n<<<<<<< SEARCH\n{search}=======\n{replace}>>>>>>> REPLACE\n"


def documents(planted: Planted) -> dict[str, str]:
    """Texts that only the editor has."""
    return {
        "src/unsaved.py": f"def charge_unsaved():\n    return '{planted.token('unsaved text')}'\n",
        ".env": f"PAYMENT={planted.word('unsaved text of a denied file')}\n",
    }


@pytest.fixture(scope="module")
def said(planted: Planted, environment: dict[str, str], home: Path) -> dict[str, list[str]]:
    """What the server answered by method, and what it wrote to stderr and its log."""
    command = [sys.executable, "-m", "lsp_server", "serve", "--stdio", "--log-file", str(home / "log")]
    server = RawServer(command, planted.folder, environment)
    server.initialize(planted.folder)
    for name, text in documents(planted).items():
        document = {"uri": (planted.folder / name).as_uri(), "languageId": "python", "version": 1, "text": text}
        server.send(method="textDocument/didOpen", params={"textDocument": document})
    server.send(id="wait", method="context/status", params={"wait": True})
    server.answer("wait")
    answers: dict[str, list[str]] = {}
    for number, (method, params) in enumerate(requests(planted)):
        server.send(id=number, method=method, params=params)
        answers.setdefault(method, []).append(json.dumps(server.answer(number)))
    server.shut_down()
    answers["everything sent"] = [json.dumps(message) for message in server.seen]
    answers["stderr"] = [server.stderr()]
    return answers


METHODS = (
    "context/contribute", "context/build", "context/show",
    "context/explain", "context/parseFailure", "context/search", "context/grep", "context/related",
    "context/expand", "context/applyEdits", "context/verify", "context/map", "context/status", "workspace/symbol",
    "textDocument/documentSymbol", "textDocument/definition", "textDocument/documentHighlight",
    "textDocument/prepareCallHierarchy", "textDocument/references", "textDocument/codeLens",
    "everything sent", "stderr",
)  # fmt: skip


def readable(answer: str) -> str:
    """An answer with its JSON and URI escapes undone."""
    return answer + unquote(answer) + answer.replace("\\n", "\n")


@pytest.mark.parametrize("method", METHODS)
def test_no_canary_is_answered(method: str, said: dict[str, list[str]], planted: Planted) -> None:
    found = {place for answer in said[method] for place in planted.found_in(readable(answer))}
    assert found == set()


def test_the_code_around_the_canaries_was_shown(said: dict[str, list[str]]) -> None:
    """Nothing would leak from answers that show nothing."""
    pack = json.loads(said["context/build"][0])["result"]
    assert {"src/payments.py", "tests/test_payments.py"} <= {item["path"] for item in pack["items"]}
    assert any(item.get("masked") for item in pack["items"])
    assert "charge fails" not in pack["rendered"]
    messages = [failure["message"] for failure in pack["failures"]]
    assert any("assert '****" in message for message in messages)
    assert any("bad literal ****" in message for message in messages)
    assert WITHHELD in messages
    assert "****" in said["context/grep"][-1]
    assert "charge_unsaved" in said["workspace/symbol"][0]
    assert all("-32602" in answer for answer in said["context/expand"] if ".env" in answer)


def test_a_search_for_a_canary_finds_nothing(said: dict[str, list[str]], planted: Planted) -> None:
    count = len(planted.canaries)
    for answer in said["context/grep"][6 : 6 + count]:
        assert json.loads(answer)["result"]["matches"] == []


def test_denied_files_leave_a_placeholder_without_content_or_hash(said: dict[str, list[str]]) -> None:
    pack = json.loads(said["context/build"][0])["result"]
    denied = {omission["path"]: omission for omission in pack["omitted"] if omission["cause"] == "policy"}
    assert {".env", "deploy/id_rsa"} <= denied.keys()
    assert all("content" not in omission and "contentHash" not in omission for omission in denied.values())


def test_nothing_that_is_kept_holds_a_canary(
    said: dict[str, list[str]], planted: Planted, home: Path, environment: dict[str, str]
) -> None:
    """Cache (as it lies there and decoded), log, sockets, temporary files."""
    kept = [path for path in home.rglob("*") if path.is_file()]
    assert any(path.suffix == ".sqlite3" for path in kept)
    assert any(path.parent.name == "shown" for path in kept)
    for path in kept:
        assert planted.found_in(path.name) == []
        assert planted.found_in(path.read_bytes()) == [], path
    assert planted.found_in("\n".join(cached_words(home))) == []


def cached_words(home: Path) -> list[str]:
    """All strings of all facts in the cache."""
    import sqlite3

    words: list[str] = []
    for database in home.rglob("*.sqlite3"):
        with closing(sqlite3.connect(database)) as opened:
            for (data,) in opened.execute("SELECT data FROM facts"):
                words.append(repr(decode_facts(data)))
            words += [str(row) for row in opened.execute("SELECT * FROM manifest")]
    assert any("refund" in word for word in words)
    return words


COMMANDS = (
    ("build", "--failure", "-", "--budget", "20000", "--explain"), ("build", "--failure", "-", "--format", "xml"),
    ("build", "--failure", "-", "--json"), ("parse", "-"), ("parse", "--json", "-"), ("map", "--budget", "4000"),
    ("search", "charge", "token", "api", "key"), ("grep", "-E", "^.*$"), ("related", "charge"),
    ("expand", "src/payments.py:3"), ("expand", ".env:1"), ("status", "--json"), ("map", "--graph", "dot"),
)  # fmt: skip


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda arguments: " ".join(arguments))
def test_no_command_prints_a_canary(arguments: tuple[str, ...], planted: Planted, environment: dict[str, str]) -> None:
    command, *rest = arguments
    ran = subprocess.run(
        [sys.executable, "-m", "lsp_server", command, *rest, "--root", str(planted.folder)],
        input=failing_output(planted).encode(),
        capture_output=True,
        env=environment,
        timeout=100,
        check=False,
    )
    assert ran.returncode in (0, 1, 2)
    assert ran.stdout or ran.stderr
    assert planted.found_in(ran.stdout) == []
    assert planted.found_in(ran.stderr) == []


@pytest.mark.asyncio
async def test_no_tool_of_an_agent_panel_shows_a_canary(planted: Planted, environment: dict[str, str]) -> None:
    mcp = pytest.importorskip("mcp")
    output = failing_output(planted)
    calls: list[tuple[str, dict[str, Any]]] = [
        ("build_context", {"failure_output": output, "max_tokens": 20_000}),
        ("parse_failure", {"output": output}),
        ("repo_map", {"max_tokens": 3_000}),
        ("search_code", {"query": "charge token api key payment"}),
        ("grep_code", {"pattern": "^.*$", "is_regex": True, "limit": 500}),
        ("grep_code", {"pattern": "ghp_"}),
        ("related_code", {"symbol": "charge"}),
        ("index_status", {}),
        *(("expand_code", {"path": path, "start_line": 1, "extent": "neighbours"}) for path in FILES),
        *(("apply_edits", {"edits": block(path, "no such line\n", "x\n")}) for path in FILES),
    ]
    command = ["-m", "lsp_server", "mcp", "--root", str(planted.folder)]
    started = mcp.StdioServerParameters(command=sys.executable, args=command, env=environment)
    shown: list[str] = []
    async with mcp.Client(started) as client:
        for tool, arguments in calls:
            answer = await client.call_tool(tool, arguments)
            shown.append(answer.model_dump_json())
            assert planted.found_in(readable(shown[-1])) == [], tool
    assert "def charge(card" in shown[0]
    assert "****" in shown[0]


def test_the_index_as_a_whole_on_disk_holds_no_canary(
    planted: Planted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is written when a hundred files have changed; here at once, with a secret in an open document, too."""
    monkeypatch.setattr(index_images, "FEW_CHANGES", -1)
    cache = tmp_path / "cache"
    with session_of(planted.folder, cache__enabled=True, cache__folder=str(cache)) as session:
        fresh(session)
        typed = planted.token("typed, never saved")
        session.document_opened("untitled:scratch.py", "python", 1, f"scratch_{typed} = '{typed}'\n")
        fresh(session)
        deadline = time.monotonic() + 60
        while not (images := list(cache.glob("*.image"))):
            session.reindex()
            fresh(session)
            assert time.monotonic() < deadline, "no image was written"
    data = images[0].read_bytes()
    assert b"refund" in data
    assert planted.found_in(data) == []
    image = decode_image(data)
    held = [repr(decode_facts(bytes(entry.encoded or b""))) for entry in image.entries]
    assert any("refund" in each for each in held)
    assert planted.found_in("\n".join((*(entry.path for entry in image.entries), *held))) == []
