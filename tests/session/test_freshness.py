"""Every answer says how current it is, and what does not work."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from lsp_server.context.answers import lacking, lacking_text, short_grep, short_map, short_pack, short_search
from lsp_server.context.grep import GrepRequest
from lsp_server.context.looking import Looking
from lsp_server.session import session as session_module
from lsp_server.session.session import Session
from lsp_server.session.tools import ask

from .workspaces import fresh, session_of, write

ASKED: dict[str, dict[str, Any]] = {
    "build": {"task": "total of spans", "budget": {"maxTokens": 500}, "render": {"format": "markdown"}},
    "map": {"budget": 500},
    "search": {"query": "total"},
    "grep": {"pattern": "total"},
    "related": {"symbol": "total"},
    "expand": {"path": "a.py", "lines": {"start": 1, "end": 1}},
    "verify": {"items": [{"path": "a.py", "lines": {"start": 1, "end": 1}, "contentHash": "00"}]},
    "explain": {"path": "a.py", "line": 1},
    "parseFailure": {"text": "a.py:1: error: boom"},
}


@pytest.fixture(params=[True, False], ids=["degraded", "whole"])
def session(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Session]:
    cache = tmp_path / "cache"
    if request.param:
        cache.write_text("a file where the folder should be")
    write(tmp_path / "work", {"a.py": "def total(spans):\n    return sum(spans)\n"})
    with session_of(tmp_path / "work", cache__enabled=True, cache__folder=str(cache)) as opened:
        fresh(opened)
        assert bool(opened.degraded) == request.param
        yield opened


@pytest.mark.parametrize("tool", ASKED)
def test_every_answer_says_what_does_not_work(tool: str, session: Session) -> None:
    plain = ask(session, tool, ASKED[tool])
    assert plain["freshness"]["pendingFiles"] == 0
    assert plain["freshness"]["revision"] > 0
    assert tuple(plain["freshness"].get("degraded", ())) == session.degraded
    assert lacking(plain) == ({"degraded": list(session.degraded)} if session.degraded else {})
    assert all(sentence in lacking_text(plain) for sentence in session.degraded)
    assert bool(lacking_text(plain)) == bool(session.degraded)


def test_short_forms_keep_it(session: Session) -> None:
    for tool, shorten in {"build": short_pack, "map": short_map, "search": short_search, "grep": short_grep}.items():
        short = shorten(ask(session, tool, ASKED[tool]))
        assert tuple(short.get("degraded", ())) == session.degraded
        if "text" in short:
            assert ("attention" in short["text"]) == bool(session.degraded)


def test_files_that_are_not_indexed_yet_are_told() -> None:
    plain = {"hits": [], "truncated": False, "freshness": {"pendingFiles": 3, "revision": 1, "head": None}}
    assert short_search(plain)["pendingFiles"] == 3
    assert "3 files are not indexed yet" in lacking_text(short_search(plain))


def test_the_wait_for_the_index_is_not_part_of_a_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"a.py": "needle = 1\n"})
    with session_of(tmp_path) as opened:
        fresh(opened)
        clock = [0.0]
        whole = opened.looking

        def slow(*more: Any) -> Looking:
            clock[0] += 100.0
            return whole(*more)

        monkeypatch.setattr(opened, "looking", slow)
        monkeypatch.setattr(session_module, "time", SimpleNamespace(monotonic=lambda: clock[0]))
        found = opened.grep(GrepRequest("needle"))
    assert [match.path for match in found.matches] == ["a.py"]
    assert found.stopped == ""
