"""A file that kills or stops its parser costs that file's structure, never the server."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from lsp_server.index.snapshot import SymbolId
from lsp_server.session import extraction, index_turns, pool
from lsp_server.session.documents import TextChange
from lsp_server.session.orders import Order
from lsp_server.session.pending import PendingFiles
from lsp_server.session.pool import PoolLimits
from lsp_server.syntax.drafts import Draft
from lsp_server.text.positions import PositionEncoding

from .workspaces import fresh, session_of, write

KILLS_WORKERS = """
import os
from lsp_server.session import extraction, worker
whole = extraction.draft_of_text
def draft_of_text(path, text, masked, guard=None):
    if "KILLER" in text:
        os.kill(os.getpid(), 11)
    return whole(path, text, masked, guard)
extraction.draft_of_text = draft_of_text
worker.main()
"""
ODD = "def odd_one(): pass\n\x01\n"
KILLER = "def killer_one(): pass  # KILLER\n\x01\n"


@pytest.fixture
def parsed_here(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Texts that a grammar read inside this process; workers die of a text with KILLER in it."""
    limits = partial(PoolLimits, command=(sys.executable, "-c", KILLS_WORKERS))
    monkeypatch.setattr(pool, "PoolLimits", limits)
    seen: list[str] = []
    whole = extraction.draft

    def draft(language: object, text: str, *more: object) -> Draft:
        if language is not None:
            seen.append(text)
        return whole(language, text, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(extraction, "draft", draft)
    yield seen
    assert not any("KILLER" in text for text in seen), "parsed where a crash would have ended the server"


def test_ordinary_files_are_parsed_here_and_odd_ones_in_a_worker(tmp_path: Path, parsed_here: list[str]) -> None:
    write(tmp_path, {"a.py": "def ordinary_one(): pass\n", "odd.py": ODD})
    with session_of(tmp_path) as session:
        snapshot = fresh(session)
        assert snapshot.definitions("ordinary_one")
        assert snapshot.definitions("odd_one")
        assert session.status().quarantined == ()
    assert parsed_here == ["def ordinary_one(): pass\n"]


def test_what_takes_too_long_here_goes_on_in_a_worker(
    tmp_path: Path, parsed_here: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_turns, "FILE_SECONDS", -1.0)
    text = "def slow_one(): pass\n" * 100
    write(tmp_path, {"slow.py": text})
    with session_of(tmp_path) as session:
        assert fresh(session).definitions("slow_one")
        assert session.status().quarantined == ()
    assert parsed_here == [text]


def test_a_killer_is_named_searched_by_lines_and_never_parsed_here(tmp_path: Path, parsed_here: list[str]) -> None:
    write(tmp_path, {"killer.py": KILLER, "a.py": "x = 1\n"})
    uri = (tmp_path / "killer.py").as_uri()
    with session_of(tmp_path) as session:
        snapshot = fresh(session)
        assert [path for path, _ in session.status().quarantined] == ["killer.py"]
        assert not snapshot.definitions("killer_one")
        assert [hit.path for hit in snapshot.search(["killer_one"], 5)] == ["killer.py"]
        session.document_opened(uri, "python", 1, KILLER)  # the open text is parsed here: not this one
        session.document_changed(uri, 2, [TextChange(None, "# 1\n" + KILLER)], PositionEncoding.UTF16)
        assert [hit.path for hit in fresh(session).search(["killer_one"], 5)] == ["killer.py"]
        assert [path for path, _ in session.status().quarantined] == ["killer.py"]
        good = "def repaired(): pass\n"
        session.document_changed(uri, 3, [TextChange(None, good)], PositionEncoding.UTF16)
        assert not fresh(session).definitions("repaired"), "not known good before a worker has read it"
        write(tmp_path, {"killer.py": good})
        session.document_saved(uri)
        assert fresh(session).definitions("repaired")
        assert session.status().quarantined == ()
    assert parsed_here[-1] == good


def test_an_odd_open_document_is_parsed_only_if_a_worker_has_read_it(tmp_path: Path, parsed_here: list[str]) -> None:
    write(tmp_path, {"odd.py": ODD})
    with session_of(tmp_path) as session:
        fresh(session)
        assert ODD not in parsed_here
        session.document_opened((tmp_path / "odd.py").as_uri(), "python", 1, ODD)
        assert fresh(session).definitions("odd_one")
        session.document_opened("untitled:new.py", "python", 1, ODD.replace("odd_one", "new_one"))
        snapshot = fresh(session)
        assert not snapshot.definitions("new_one")
        assert [hit.path for hit in snapshot.search(["new_one"], 5)] == ["untitled:new.py"]
        assert dict(session.status().quarantined).keys() == {"untitled:new.py"}
        session.document_closed("untitled:new.py")
        fresh(session)
        assert session.status().quarantined == ()


def test_odd_text_that_is_pasted_into_a_document_is_not_parsed_here(tmp_path: Path, parsed_here: list[str]) -> None:
    uri, good, pasted = "untitled:a.py", "def good_one(): pass\n", KILLER * 100
    with session_of(tmp_path) as session:
        for version, text in enumerate((good, pasted, good, "# \n" + good + pasted, good)):
            if version:
                session.document_changed(uri, version, [TextChange(None, text)], PositionEncoding.UTF16)
            else:
                session.document_opened(uri, "python", version, text)
            snapshot = fresh(session)
            assert bool(snapshot.definitions("good_one")) == (text == good)
            assert bool(session.status().quarantined) == (text != good)
            assert bool(snapshot.search(["killer_one"], 5)) == (text != good)


def test_an_open_document_that_takes_too_long_is_searched_by_lines_for_a_while(
    tmp_path: Path, parsed_here: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    uri, text = "untitled:slow.py", "def slow_one(): pass\n" * 100
    with session_of(tmp_path) as session:
        with monkeypatch.context() as patch:
            patch.setattr(extraction, "BUFFER_SECONDS", -1.0)
            session.document_opened(uri, "python", 0, text)
            assert not fresh(session).definitions("slow_one")
            assert "too long" in dict(session.status().quarantined)[uri]
        monkeypatch.setattr(extraction, "BUFFER_SECONDS", 60.0)  # a busy machine is not what is tested
        # The first look at the folder may read the document once more, which counts as an edit.
        for version in range(1, extraction.EDITS_TO_RETRY - 1):
            session.document_changed(uri, version, [TextChange(None, text)], PositionEncoding.UTF16)
            assert not session.snapshot().definitions("slow_one")
        found: list[SymbolId] = []
        for version in range(1_000, 1_003):
            session.document_changed(uri, version, [TextChange(None, text)], PositionEncoding.UTF16)
            found += session.snapshot().definitions("slow_one")  # read: edits between two reads are one
        assert found
        assert session.status().quarantined == ()
    assert parsed_here.count(text) == 1


def test_a_fault_of_ours_with_one_document_does_not_cost_the_others(
    tmp_path: Path, parsed_here: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = extraction.draft

    def draft(language: object, text: str, *more: object) -> Draft:
        if language is not None and "bad_one" in text:
            raise IndexError("injected")
        return whole(language, text, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(extraction, "draft", draft)
    with session_of(tmp_path) as session:
        session.document_opened("untitled:a.py", "python", 1, "def bad_one(): pass\n")
        session.document_opened("untitled:b.py", "python", 1, "def good_one(): pass\n")
        snapshot = fresh(session)
        assert snapshot.definitions("good_one")
        assert [hit.path for hit in snapshot.search(["bad_one"], 5)] == ["untitled:a.py"]
        assert session.status().quarantined == (("untitled:a.py", "extraction failed (IndexError)"),)
        assert session.status().last_error is None
    assert parsed_here == ["def good_one(): pass\n"]


WAITS = """
import os, sys, time
from lsp_server.session import extraction, worker
whole = extraction.draft_of_text
def draft_of_text(path, text, masked, guard=None):
    while path == "a_slow.py" and not os.path.exists(sys.argv[1]):
        time.sleep(0.01)
    return whole(path, text, masked, guard)
extraction.draft_of_text = draft_of_text
worker.main()
"""


def test_a_file_that_is_excluded_while_a_worker_reads_it_stays_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go, folder = tmp_path / "go", tmp_path / "work"
    command = (sys.executable, "-c", WAITS, str(go))
    monkeypatch.setattr(pool, "PoolLimits", lambda _workers, *more: PoolLimits(1, *more, command=command))
    write(folder, {**{f"m{number}.py": "x = 1\n" for number in range(40)}, "a_slow.py": "def slow_one(): pass\n"})
    with session_of(folder, index__fileTimeoutSeconds=100.0) as session:
        while "a_slow.py" not in session._indexer._pending._taken:
            session.wait_fresh(0.01)
        write(folder, {".repocontextignore": "a_slow.py\n"})
        session.files_changed([".repocontextignore"])
        turns = session._indexer._turns
        while turns is not None and "a_slow.py" in turns._on_disk:
            session.wait_fresh(0.01)
        go.touch()
        assert not fresh(session).has("a_slow.py")


def test_an_order_that_comes_while_its_path_is_worked_on_is_the_next_one() -> None:
    """Another root may have a file of the same name."""
    pending = PendingFiles()
    pending.put([Order("a.py", "/old/a.py")])
    assert pending.take() == Order("a.py", "/old/a.py")
    pending.put([Order("a.py", "/new/a.py")])
    pending.done(["a.py"])
    assert pending.take() == Order("a.py", "/new/a.py")
    pending.done(["a.py"])
    assert pending.take() is None
    assert len(pending) == 0
