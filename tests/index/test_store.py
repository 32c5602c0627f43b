"""The facts store keeps what it was given, shares it safely, and never fails its caller."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lsp_server.index import store as store_module
from lsp_server.index.store import FILE_NAME, FactsKey, FactsStore, ManifestRow
from lsp_server.model.candidate import Origin

KEY = FactsKey("aa", "python")
ROW = ManifestRow("a/b.py", 3, 5, "aa", "python", 9)


class Clock:
    """Time that only moves when told."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "repo-context"


@pytest.fixture
def opened(folder: Path, clock: Clock) -> FactsStore:
    return FactsStore(folder, 1, clock=clock)


def test_facts_come_back_in_another_process_of_the_same_versions(folder: Path, opened: FactsStore) -> None:
    opened.put({KEY: b"facts", FactsKey("bb", "go"): b""})
    opened.close()
    again = FactsStore(folder, 1)
    keys = [KEY, FactsKey("bb", "go"), FactsKey("cc", "go")]
    assert again.get(keys) == {KEY: b"facts", FactsKey("bb", "go"): b""}
    assert again.degraded == ()


def test_language_and_extractor_version_are_part_of_the_key(folder: Path, opened: FactsStore) -> None:
    opened.put({FactsKey("aa", "c"): b"as c"})
    assert opened.get([FactsKey("aa", "cpp")]) == {}
    assert FactsStore(folder, 2).get([FactsKey("aa", "c")]) == {}
    assert FactsStore(folder, 1).get([FactsKey("aa", "c")]) == {FactsKey("aa", "c"): b"as c"}


def test_encoding_version_is_part_of_the_key(folder: Path, opened: FactsStore, monkeypatch: pytest.MonkeyPatch) -> None:
    opened.put({KEY: b"old layout"})
    monkeypatch.setattr(store_module, "ENCODING_VERSION", 999)
    assert FactsStore(folder, 1).get([KEY]) == {}


def test_text_of_buffers_is_never_kept(opened: FactsStore) -> None:
    opened.put({KEY: b"unsaved"}, Origin.BUFFER)
    assert opened.get([KEY]) == {}
    assert b"unsaved" not in opened.path.read_bytes()


def test_thousands_of_keys_in_one_call(opened: FactsStore) -> None:
    facts = {FactsKey(f"{number:x}", "go"): bytes([number % 256]) * 10 for number in range(3000)}
    opened.put(facts)
    assert opened.get([*facts, FactsKey("none", "go")]) == facts


@pytest.mark.skipif(os.name == "nt", reason="POSIX modes")
def test_folder_and_files_are_for_the_user_alone(folder: Path, opened: FactsStore) -> None:
    opened.put({KEY: b"x"})
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    modes = {each.name: stat.S_IMODE(each.stat().st_mode) for each in folder.iterdir()}
    assert set(modes.values()) == {0o600}
    assert f"{FILE_NAME}-wal" in modes


@pytest.mark.skipif(os.name == "nt", reason="POSIX modes")
def test_open_folder_is_closed_to_others(folder: Path) -> None:
    folder.mkdir(parents=True, mode=0o755)
    folder.chmod(0o755)
    FactsStore(folder, 1)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_folder_of_somebody_else_is_not_used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.mkdir(parents=True)
    monkeypatch.setattr(os, "getuid", lambda: folder.stat().st_uid + 1, raising=False)
    store = FactsStore(folder, 1)
    store.put({KEY: b"x"})
    assert store.get([KEY]) == {}
    assert "another user" in store.degraded[0]
    assert list(folder.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="links")
def test_database_that_is_a_link_is_not_followed(folder: Path, tmp_path: Path) -> None:
    folder.mkdir(parents=True)
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    (folder / FILE_NAME).symlink_to(victim)
    store = FactsStore(folder, 1)
    store.put({KEY: b"x"})
    assert victim.read_bytes() == b"precious"
    assert store.degraded != ()


# Manifest


def test_manifest_comes_back_and_takes_changes(folder: Path, opened: FactsStore) -> None:
    other = ManifestRow("c d/ü.py", 2**40, 2**62, "bb", "", 1)
    opened.save_manifest("/home/me/w", [ROW, other], head="abc")
    again = FactsStore(folder, 1)
    assert again.manifest("/home/me/w").files == {ROW.path: ROW, other.path: other}
    assert again.manifest("/home/me/w").head == "abc"
    assert again.manifest("/elsewhere").files == {}
    newer = ManifestRow("a/b.py", 4, 6, "cc", "python", 10)
    again.save_manifest("/home/me/w", [newer], ["c d/ü.py", "unknown"])
    assert opened.manifest("/home/me/w").files == {newer.path: newer}
    opened.forget_workspace("/home/me/w")
    assert again.manifest("/home/me/w").files == {}


def test_path_with_undecodable_bytes_is_left_out(opened: FactsStore) -> None:
    odd = os.fsdecode(b"\xff.py") if os.name != "nt" else "\udcff.py"
    opened.save_manifest("w", [ROW, ManifestRow(odd, 1, 1, "bb", "python", 1)], [odd])
    assert list(opened.manifest("w").files) == [ROW.path]
    assert opened.degraded == ()


# Size cap


def test_oldest_facts_go_when_the_cap_is_reached(folder: Path, clock: Clock) -> None:
    store = FactsStore(folder, 1, max_bytes=10_000, clock=clock)
    keys = [FactsKey(f"{number}", "go") for number in range(30)]
    for key in keys:
        store.put({key: b"x" * 1000})
        clock.now += 3600
    kept = store.get(keys)
    assert keys[-1] in kept
    assert keys[0] not in kept
    assert 5_000 <= sum(map(len, kept.values())) <= 10_000 + 3_000


def test_facts_in_use_outlive_older_ones(folder: Path, clock: Clock) -> None:
    store = FactsStore(folder, 1, max_bytes=10_000, clock=clock)
    used, unused = FactsKey("used", "go"), FactsKey("unused", "go")
    store.put({used: b"x" * 3000})
    clock.now += 3600
    store.put({unused: b"x" * 3000})
    clock.now += 48 * 3600
    assert used in store.get([used])
    store.put({FactsKey("new", "go"): b"x" * 6000})
    store.trim()
    assert set(store.get([used, unused])) == {used}


def test_trimming_gives_space_back(folder: Path, clock: Clock) -> None:
    store = FactsStore(folder, 1, max_bytes=200_000, clock=clock)
    for number in range(100):
        store.put({FactsKey(f"{number}", "go"): os.urandom(20_000)})
    store.close()
    assert (folder / FILE_NAME).stat().st_size < 600_000


# Faults


def break_header(path: Path) -> None:
    path.write_bytes(b"this is no database" * 100)


def break_middle(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 4 : 3 * len(data) // 4] = os.urandom(len(data) // 2)
    path.write_bytes(bytes(data))


def cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 3])


@pytest.mark.parametrize("damage", [break_header, break_middle, cut_short])
def test_damaged_file_is_set_aside_and_begun_anew(folder: Path, damage: Callable[[Path], None]) -> None:
    store = FactsStore(folder, 1)
    facts = {FactsKey(f"{number}", "go"): os.urandom(3000) for number in range(50)}
    store.put(facts)
    store.save_manifest("w", [ROW])
    store.close()
    damage(folder / FILE_NAME)
    store = FactsStore(folder, 1)
    for key, data in store.get(facts).items():
        assert facts[key] == data
    store.manifest("w")
    store.put({KEY: b"new"})
    store.put({KEY: b"new"})
    assert store.get([KEY]) == {KEY: b"new"}
    assert any("corrupt" in text for text in store.degraded)
    assert (folder / FILE_NAME).with_suffix(".corrupt").exists()
    store.close()
    assert FactsStore(folder, 1).degraded == ()


def test_silently_changed_blob_is_never_returned(folder: Path, opened: FactsStore) -> None:
    opened.put({KEY: b"right"})
    other = sqlite3.connect(opened.path)
    other.execute("UPDATE facts SET data = ?", (b"wrong",))
    other.commit()
    other.close()
    assert opened.get([KEY]) == {}
    assert "checksum" in opened.degraded[0]
    opened.put({KEY: b"right"})
    assert opened.get([KEY]) == {KEY: b"right"}


def test_locked_by_another_process_costs_a_write_and_is_tried_again(
    opened: FactsStore, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened.put({KEY: b"before"})
    other = sqlite3.connect(opened.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    late = FactsKey("late", "go")
    opened.put({late: b"x"})
    assert opened.get([KEY, late]) == {KEY: b"before"}
    assert "locked" in opened.degraded[0]
    other.execute("ROLLBACK")
    other.close()
    clock.now += 10
    opened.put({late: b"x"})
    assert opened.get([late]) == {late: b"x"}
    assert opened.degraded == ()


def test_full_disk_stops_writing_not_reading(opened: FactsStore, clock: Clock) -> None:
    opened.put({KEY: b"before"})
    database = opened._opened()
    pages = database.execute("PRAGMA page_count").fetchone()[0]
    database.execute(f"PRAGMA max_page_count = {pages + 1}")
    big = FactsKey("big", "go")
    opened.put({big: b"x" * 100_000})
    assert opened.get([KEY, big]) == {KEY: b"before"}
    assert "full" in opened.degraded[0]
    database.execute("PRAGMA max_page_count = 100000")
    clock.now += 100
    opened.put({big: b"x" * 100_000})
    assert big in opened.get([big])
    assert opened.degraded == ()


def test_read_only_database_is_still_read(opened: FactsStore) -> None:
    opened.put({KEY: b"before"})
    opened._opened().execute("PRAGMA query_only = 1")
    opened.put({FactsKey("late", "go"): b"x"})
    assert opened.get([KEY]) == {KEY: b"before"}
    assert "read-only" in opened.degraded[0]


def test_read_only_folder_is_still_read(folder: Path, opened: FactsStore, monkeypatch: pytest.MonkeyPatch) -> None:
    opened.put({KEY: b"before"})

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "read-only")

    monkeypatch.setattr(Path, "mkdir", refuse)
    store = FactsStore(folder, 1)
    assert store.get([KEY]) == {KEY: b"before"}
    store.put({FactsKey("late", "go"): b"x"})
    assert store.get([FactsKey("late", "go")]) == {}
    assert any("read-only" in text for text in store.degraded)


def test_folder_that_cannot_be_made_means_doing_without(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    store = FactsStore(tmp_path / "file" / "cache", 1)
    store.put({KEY: b"x"})
    store.save_manifest("w", [ROW])
    assert store.get([KEY]) == {}
    assert store.manifest("w").files == {}
    store.trim()
    store.close()
    assert len(store.degraded) == 1


def test_folder_deleted_while_in_use_is_not_missed(folder: Path, opened: FactsStore, clock: Clock) -> None:
    opened.put({KEY: b"x"})
    for each in folder.iterdir():
        each.unlink()
    folder.rmdir()
    opened.put({FactsKey("b", "go"): b"y"})
    opened.get([KEY])
    opened.close()
    clock.now += 100
    opened.put({KEY: b"x"})
    assert opened.get([KEY]) == {KEY: b"x"}


FAULTY = (
    sqlite3.OperationalError("odd"),
    sqlite3.DatabaseError("odd"),
    OSError(5, "I/O"),
    sqlite3.InternalError("odd"),
)


@pytest.mark.parametrize("error", FAULTY, ids=lambda error: type(error).__name__)
def test_any_fault_while_opening_is_told_not_raised(
    folder: Path, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> sqlite3.Connection:
        raise error

    monkeypatch.setattr(store_module, "_open", fail)
    store = FactsStore(folder, 1)
    store.put({KEY: b"x"})
    assert store.get([KEY]) == {}
    assert store.manifest("w").files == {}
    assert store.degraded


def test_two_processes_write_at_once_and_lose_nothing(folder: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from lsp_server.index.store import *\n"
        "store = FactsStore(Path(sys.argv[1]), 1)\n"
        "for n in range(60):\n"
        "    store.put({FactsKey(f'{n}', 'go'): b'same' * n, FactsKey(sys.argv[2] + f'{n}', 'go'): b'own'})\n"
        "    store.save_manifest(sys.argv[2], [ManifestRow(f'{n}', n, n, 'h', 'go', 1)])\n"
        "assert not store.degraded, store.degraded\n"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", script, str(folder), name], stderr=subprocess.PIPE) for name in "pq"
    ]
    for process in running:
        _, errors = process.communicate(timeout=60)
        assert process.returncode == 0, errors.decode()
    store = FactsStore(folder, 1)
    keys = [FactsKey(prefix + str(n), "go") for prefix in ("", "p", "q") for n in range(60)]
    assert set(store.get(keys)) == set(keys)
    assert len(store.manifest("p").files) == len(store.manifest("q").files) == 60


@given(st.dictionaries(st.tuples(st.text(max_size=4), st.text(max_size=3)), st.binary(max_size=50), max_size=8))
@settings(max_examples=20, deadline=None)
def test_any_keys_and_bytes_come_back(
    tmp_path_factory: pytest.TempPathFactory, facts: dict[tuple[str, str], bytes]
) -> None:
    store = FactsStore(tmp_path_factory.mktemp("store"), 1)
    given_facts = {FactsKey(*key): data for key, data in facts.items()}
    store.put(given_facts)
    assert store.get(given_facts) == given_facts
    store.close()
