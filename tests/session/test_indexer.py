"""The index follows disk, editor and version control, and says what it left out."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from lsp_server.index.store import FactsStore
from lsp_server.model.candidate import Origin
from lsp_server.model.request import BuildRequest, FailureOutput
from lsp_server.model.source import no_checkpoint
from lsp_server.session.documents import OpenDocuments, TextChange
from lsp_server.session.indexer import Indexer
from lsp_server.session.new_workspace import MANY_FILES, is_new_and_large
from lsp_server.session.session import Session
from lsp_server.session.settings import Settings
from lsp_server.session.settings_check import Resolved
from lsp_server.syntax.extract import EXTRACTOR_VERSION
from lsp_server.text.hashing import content_hash
from lsp_server.text.positions import PositionEncoding, WirePosition, WireRange
from lsp_server.workspace.roots import Roots

from .workspaces import HANG, contents, fresh, git, session_of, write

UTF16 = PositionEncoding.UTF16
MANY = 60


def python_files(count: int, body: str = "def function_{n}():\n    return {n}\n") -> dict[str, str]:
    return {f"pkg/module_{number}.py": body.format(n=number) for number in range(count)}


def wait_for(condition: object) -> None:
    deadline = time.monotonic() + HANG
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_few_files_need_no_worker_and_many_do(tmp_path: Path) -> None:
    write(tmp_path, python_files(3))
    with session_of(tmp_path) as session:
        assert len(fresh(session).paths()) == 3
    write(tmp_path, python_files(MANY))
    with session_of(tmp_path, index__workers=2) as session:
        snapshot = fresh(session)
        assert len(snapshot.paths()) == MANY
        assert snapshot.definitions("function_17")
        assert session.status().quarantined == ()
        assert session.status().last_error is None


def test_open_text_wins_and_the_disk_counts_again_after_closing(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "def on_disk():\n    pass\n"})
    uri = (tmp_path / "a.py").as_uri()
    with session_of(tmp_path) as session:
        session.document_opened(uri, "python", 1, "def in_buffer():\n    pass\n")
        snapshot = fresh(session)
        view = snapshot.file("a.py")
        assert view is not None
        assert (view.origin, view.version) == (Origin.BUFFER, 1)
        assert snapshot.definitions("in_buffer")
        assert not snapshot.definitions("on_disk")
        assert session.reader().read("a.py").text.startswith("def in_buffer")
        write(tmp_path, {"a.py": "def changed_outside():\n    pass\n"})
        session.uris_changed([uri])
        assert not fresh(session).definitions("changed_outside")
        session.document_closed(uri)
        snapshot = fresh(session)
        assert snapshot.definitions("changed_outside")
        view = snapshot.file("a.py")
        assert view is not None
        assert view.origin is Origin.DISK


def test_every_keystroke_is_in_the_snapshot_of_the_next_request(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "x = 1\n"})
    uri = (tmp_path / "a.py").as_uri()
    with session_of(tmp_path) as session:
        session.document_opened(uri, "python", 1, "x = 1\n")
        for number in range(200):
            here = WireRange(WirePosition(0, 0), WirePosition(0, 0))
            session.document_changed(uri, number + 2, [TextChange(here, f"def f{number}(): pass\n")], UTF16)
            if number % 20 == 0:
                assert session.snapshot().definitions(f"f{number}")
        snapshot = session.snapshot()
        assert all(snapshot.definitions(f"f{number}") for number in range(200))


def test_a_deleted_open_file_stays_until_it_is_closed(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "def f(): pass\n"})
    uri = (tmp_path / "a.py").as_uri()
    with session_of(tmp_path) as session:
        session.document_opened(uri, "python", 1, "def f(): pass\n")
        fresh(session)
        (tmp_path / "a.py").unlink()
        session.uris_changed([uri])
        assert fresh(session).has("a.py")
        session.document_closed(uri)
        assert not fresh(session).has("a.py")


def test_documents_of_odd_uris_are_buffers_or_nothing(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "x = 1\n"})
    with session_of(tmp_path) as session:
        session.document_opened("untitled:Untitled-1", "python", 1, "def scratch(): pass\n")
        session.document_opened("git:/a.py?HEAD", "python", 1, "def old_revision(): pass\n")
        session.document_opened("vscode-notebook-cell:/n.ipynb#W0", "python", 1, "def cell(): pass\n")
        session.document_opened("::nonsense::", "python", 1, "def nonsense(): pass\n")
        snapshot = fresh(session)
        assert [target.path for target in snapshot.definitions("scratch")] == ["untitled:Untitled-1"]
        assert snapshot.definitions("cell")
        assert not snapshot.definitions("old_revision")
        assert session.uri_of("untitled:Untitled-1") == "untitled:Untitled-1"


def test_created_deleted_and_moved_files_and_folders(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "def a(): pass\n", "pkg/b.py": "def b(): pass\n", "pkg/c.py": "def c(): pass\n"})
    with session_of(tmp_path) as session:
        fresh(session)
        write(tmp_path, {"d.py": "def d(): pass\n"})
        (tmp_path / "a.py").unlink()
        session.files_changed(["a.py", "d.py", "d.py", "never.py"])
        assert set(fresh(session).paths()) == {"d.py", "pkg/b.py", "pkg/c.py"}
        (tmp_path / "pkg").rename(tmp_path / "moved")
        session.files_changed(["pkg"])
        session.reindex()
        assert set(fresh(session).paths()) == {"d.py", "moved/b.py", "moved/c.py"}


def test_excluded_open_text_stays_out_though_its_file_is_gone_or_was_never_there(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    write(tmp_path, {"own.py": "x = 1\n", "gits.py": "x = 1\n", "b.py": "y = 1\n"})
    write(tmp_path, {".repocontextignore": "own.py\nnew/\n", ".gitignore": "gits.py\n"})
    names = ("own.py", "gits.py", "new/never_saved.py")
    with session_of(tmp_path) as session:
        fresh(session)
        for name in names:
            session.document_opened((tmp_path / name).as_uri(), "python", 1, "def hidden_text(): pass\n")
        assert not fresh(session).definitions("hidden_text")
        for name in names[:2]:
            (tmp_path / name).unlink()
        session.files_changed(names)
        assert not fresh(session).definitions("hidden_text")
        session.reindex()
        assert not fresh(session).definitions("hidden_text")
        session.document_opened((tmp_path / "unsaved.py").as_uri(), "python", 1, "def shown_text(): pass\n")
        assert fresh(session).definitions("shown_text")


def test_ignore_rules_that_change_take_effect(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    write(tmp_path, {"a.py": "x = 1\n", "b.py": "x = 2\n"})
    with session_of(tmp_path) as session:
        assert {"a.py", "b.py"} <= set(fresh(session).paths())
        write(tmp_path, {".gitignore": "b.py\n"})
        session.files_changed([".gitignore"])
        assert "b.py" not in fresh(session).paths()
        (tmp_path / ".gitignore").unlink()
        session.files_changed([".gitignore"])
        assert "b.py" in fresh(session).paths()


def test_another_branch_is_noticed_without_any_event(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "one")
    write(tmp_path, {"a.py": "def on_one(): pass\n"})
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "one")
    git(tmp_path, "checkout", "-qb", "two")
    write(tmp_path, {"a.py": "def on_two(): pass\n"})
    git(tmp_path, "commit", "-qam", "two")
    with session_of(tmp_path) as session:
        two = fresh(session)
        assert two.definitions("on_two")
        git(tmp_path, "checkout", "-q", "one")
        wait_for(lambda: session.snapshot().definitions("on_one"))
        one = fresh(session)
        assert not one.definitions("on_two")
        assert one.head != two.head


def test_a_file_that_breaks_its_worker_is_named_and_tried_again(tmp_path: Path) -> None:
    write(tmp_path, {**python_files(MANY), "bad.py": "x = " + "(" * 900_000})
    with session_of(tmp_path, index__workers=2, index__fileTimeoutSeconds=20.0) as session:
        snapshot = fresh(session)
        assert len(snapshot.paths()) >= MANY
        write(tmp_path, {"bad.py": "def repaired(): pass\n"})
        session.files_changed(["bad.py"])
        assert fresh(session).definitions("repaired")
        assert session.status().quarantined == ()


def test_what_is_left_out_is_listed_with_its_reason(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "x = 1\n", ".env": "SECRET=1\n", "big.py": "x = 1\n" * 2000})
    (tmp_path / "binary.py").write_bytes(b"\x7fELF\x02\x01" + bytes(range(256)))
    os.mkfifo(tmp_path / "pipe.py")
    with session_of(tmp_path, index__maxFileBytes=5000) as session:
        assert set(fresh(session).paths()) == {"a.py"}
        reasons = dict(session.status().skipped)
    assert reasons[".env"] == "denied"
    assert reasons["big.py"] == "too-large"
    assert reasons["binary.py"] == "binary"
    assert reasons["pipe.py"] == "special"


def test_a_cap_is_told(tmp_path: Path) -> None:
    write(tmp_path, python_files(10))
    with session_of(tmp_path, index__maxFiles=4) as session:
        assert len(fresh(session).paths()) == 4
        assert session.status().capped


def test_roots_come_and_go(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    write(one, {"a.py": "def a(): pass\n"})
    write(two, {"a.py": "def a(): pass\n", "b.py": "def b(): pass\n"})
    with session_of(one) as session:
        uri = (one / "a.py").as_uri()
        session.document_opened(uri, "python", 3, "def edited(): pass\n")
        assert set(fresh(session).paths()) == {"a.py"}
        session.change_roots([two], [])
        snapshot = fresh(session)
        assert set(snapshot.paths()) == {"one/a.py", "two/a.py", "two/b.py"}
        assert [target.path for target in snapshot.definitions("edited")] == ["one/a.py"]
        assert session.uri_of("one/a.py") == uri
        session.change_roots([one / "sub"], [two])
        session.document_closed(uri)
        snapshot = fresh(session)
        assert set(snapshot.paths()) == {"a.py"}
        assert snapshot.definitions("a")


def test_settings_that_shape_the_index_rebuild_it(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "x = 1\n", "b.py": "x = 2\n"})
    with session_of(tmp_path) as session:
        assert set(fresh(session).paths()) == {"a.py", "b.py"}
        problems = session.change_settings({"cache": {"enabled": False}, "index": {"exclude": ["b.py"]}, "nope": 1})
        assert len(problems) == 1
        assert set(fresh(session).paths()) == {"a.py"}


def test_a_second_start_takes_the_facts_from_the_store(tmp_path: Path) -> None:
    workspace, cache = tmp_path / "w", tmp_path / "cache"
    write(workspace, python_files(MANY))
    old = time.time() - 100
    for path in workspace.rglob("*.py"):
        os.utime(path, (old, old))
    settings = {"cache__enabled": True, "cache__folder": str(cache)}
    with session_of(workspace, **settings) as session:
        first = contents(fresh(session))
    assert (cache.stat().st_mode & 0o777) == 0o700
    with session_of(workspace, **settings) as session:
        assert contents(fresh(session)) == first
        assert session.status().workers == 0


def test_unsaved_text_never_reaches_the_store(tmp_path: Path) -> None:
    workspace, cache = tmp_path / "w", tmp_path / "cache"
    write(workspace, {"a.py": "x = 1\n"})
    with session_of(workspace, cache__enabled=True, cache__folder=str(cache)) as session:
        fresh(session)
        session.document_opened((workspace / "a.py").as_uri(), "python", 1, "unsaved_marker = 1\n")
        assert fresh(session).definitions("unsaved_marker")
    rows = FactsStore(cache, EXTRACTOR_VERSION).manifest(str(workspace)).files
    assert {row.content_hash for row in rows.values()} == {content_hash("x = 1\n")}


def test_a_cache_that_cannot_be_used_is_told_and_done_without(tmp_path: Path) -> None:
    workspace = tmp_path / "w"
    write(workspace, {"a.py": "def f(): pass\n"})
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where a folder should be")
    with session_of(workspace, cache__enabled=True, cache__folder=str(blocked)) as session:
        assert fresh(session).definitions("f")
        assert session.degraded


@pytest.mark.parametrize("name", ["a b.py", "p%20q.py", "h#sh.py", "ünï.py", "новый.py", "x" * 240 + ".py"])
def test_odd_file_names_are_indexed_and_found_by_uri(tmp_path: Path, name: str) -> None:
    write(tmp_path, {name: "def f(): pass\n"})
    with session_of(tmp_path) as session:
        assert list(fresh(session).paths()) == [name]
        assert session.key_of((tmp_path / name).as_uri()) == name


def test_no_folder_at_all_still_serves_open_files() -> None:
    with Session((), Resolved(Settings(cache=False), {})) as session:
        session.document_opened("untitled:x", "python", 1, "def f(): pass\n")
        assert fresh(session).definitions("f")


def test_closing_twice_and_asking_after_closing(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "x = 1\n"})
    session = session_of(tmp_path)
    fresh(session)
    session.close()
    session.close()
    assert session.wait_fresh(1.0) in (True, False)
    assert session.status().files == 1


def test_what_a_request_names_does_not_wait_for_the_rest(tmp_path: Path) -> None:
    write(tmp_path, python_files(400, "def function_{n}():\n    return {n}\n" * 50))
    with session_of(tmp_path, index__workers=1) as session:
        output = 'Traceback (most recent call last):\n  File "pkg/module_399.py", line 2, in function_399\nValueError\n'
        pack = session.build(BuildRequest(failure_output=(FailureOutput(output),)))
        assert pack.selection.items[0].path == "pkg/module_399.py"
        assert len(fresh(session).paths()) == 400


def test_while_a_request_waits_a_worker_that_has_loaded_does_what_it_needs_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lsp_server.session.indexer.HOLD_SECONDS", HANG)
    write(tmp_path, python_files(400))
    settings = session_of(index__workers=2)
    settings.close()
    indexer = Indexer(Roots.of([tmp_path]), settings.settings, OpenDocuments())
    try:
        with indexer.urgent():
            indexer.start()
            assert indexer.wait_scanned(HANG, no_checkpoint)
            worker = indexer.report().workers
            assert len(worker) == 1
            for path in ("pkg/module_399.py", "pkg/module_7.py"):
                assert indexer.wait_paths(indexer.hurry([path]), HANG, no_checkpoint)
                assert path in indexer.snapshot.paths()
            assert len(indexer.snapshot.paths()) == 2
            assert indexer.report().workers == worker
        assert indexer.wait_fresh(HANG, no_checkpoint)
        assert len(indexer.snapshot.paths()) == 400
    finally:
        indexer.close()


def test_a_workspace_is_new_and_large_until_an_image_of_it_is_kept(tmp_path: Path) -> None:
    folder, cache = tmp_path / "workspace", str(tmp_path / "cache")
    write(folder, python_files(MANY_FILES - 1))
    roots = Roots.of([folder])
    with session_of(folder, cache__enabled=True, cache__folder=cache) as session:
        assert not is_new_and_large(roots, session.settings)
        fresh(session)
        assert session.wait_saved(HANG)
        write(folder, {"one_more.py": ""})
        assert not is_new_and_large(roots, session.settings)
    with session_of() as session:
        assert is_new_and_large(roots, session.settings)
