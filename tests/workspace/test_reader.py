"""Reading: what was asked for, as it is now, or a typed refusal; never a hang, never outside."""

from __future__ import annotations

import os
import pickle
import socket
from pathlib import Path

import pytest

from lsp_server.model.candidate import Origin
from lsp_server.model.errors import SourceDenied, SourceMissing, SourceUnreadable
from lsp_server.workspace.privacy import PrivacyPolicy
from lsp_server.workspace.reader import DiskReader
from lsp_server.workspace.roots import Roots
from lsp_server.workspace.skip import SkipReason, SourceRefused


@pytest.fixture
def top(tmp_path: Path) -> Path:
    folder = tmp_path / "top"
    folder.mkdir()
    return folder


@pytest.fixture
def reader(top: Path) -> DiskReader:
    return DiskReader(Roots.of([top]), max_bytes=1_000)


def test_a_text_keeps_its_line_ends_and_says_where_it_is_from(top: Path, reader: DiskReader) -> None:
    (top / "a.py").write_bytes(b"\xef\xbb\xbfone\r\ntwo\fx\rthree")
    source = reader.read("./a.py")
    assert (source.path, source.lines, source.ends) == ("a.py", ("one", "two\fx", "three"), ("\r\n", "\r", ""))
    assert (source.origin, source.encoding, source.text) == (Origin.DISK, "utf-8", "one\r\ntwo\fx\rthree")
    assert reader.load("a.py").decoded.bom == b"\xef\xbb\xbf"


def test_each_read_is_fresh(top: Path, reader: DiskReader) -> None:
    (top / "a.py").write_text("1")
    before = reader.read("a.py")
    (top / "a.py").write_text("2")
    assert reader.read("a.py").content_hash != before.content_hash


@pytest.mark.parametrize("path", ["gone.py", "gone/x.py", "a.py/x"])
def test_a_file_that_is_not_there_is_missing(top: Path, reader: DiskReader, path: str) -> None:
    (top / "a.py").write_text("1")
    with pytest.raises(SourceMissing):
        reader.read(path)


@pytest.mark.parametrize("path", ["../secret", "/etc/passwd", "", "a\0b", "x" * 300])
def test_a_path_that_is_no_place_in_the_workspace_is_refused(reader: DiskReader, path: str) -> None:
    with pytest.raises(SourceUnreadable):
        reader.read(path)


@pytest.mark.parametrize("path", [".env", "sub/id_rsa", ".git/config"])
def test_denied_files_are_not_even_looked_at(reader: DiskReader, path: str) -> None:
    with pytest.raises(SourceDenied):
        reader.read(path)
    assert not reader.allowed(path)


def test_a_link_inside_reads_its_target_under_the_targets_name(top: Path, reader: DiskReader) -> None:
    (top / "sub").mkdir()
    (top / "sub" / "real.py").write_text("x")
    (top / "link.py").symlink_to("sub/real.py")
    (top / "alias").symlink_to("sub")
    assert reader.read("link.py").path == "sub/real.py"
    assert reader.read("alias/real.py").path == "sub/real.py"


def test_a_link_to_a_denied_file_is_denied(top: Path, reader: DiskReader) -> None:
    (top / ".env").write_text("SECRET=1")
    (top / "notes.txt").symlink_to(".env")
    with pytest.raises(SourceDenied):
        reader.read("notes.txt")
    assert not reader.allowed("notes.txt")


def test_links_out_of_the_workspace_are_refused(tmp_path: Path, top: Path, reader: DiskReader) -> None:
    (tmp_path / "secret.txt").write_text("x")
    (top / "out.txt").symlink_to(tmp_path / "secret.txt")
    (top / "folder").symlink_to(tmp_path)
    for path in ("out.txt", "folder/secret.txt"):
        with pytest.raises(SourceUnreadable, match="leads out"):
            reader.read(path)
        assert not reader.allowed(path)


def test_loops_and_dangling_links_are_refused(top: Path, reader: DiskReader) -> None:
    (top / "loop").symlink_to("loop")
    (top / "dangling").symlink_to("nowhere")
    for path in ("loop", "dangling"):
        with pytest.raises((SourceUnreadable, SourceMissing)):
            reader.read(path)


def test_pipes_sockets_devices_and_folders_never_hang(
    top: Path, reader: DiskReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(top / "pipe")
    (top / "folder").mkdir()
    monkeypatch.chdir(top)  # socket names are short
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
        for path in ("pipe", "folder", "socket"):
            with pytest.raises(SourceRefused) as caught:
                reader.read(path)
            assert caught.value.reason is SkipReason.SPECIAL


def test_a_file_over_the_limit_is_refused_with_its_reason(top: Path, reader: DiskReader) -> None:
    (top / "big.py").write_text("x" * 1_001)
    (top / "fits.py").write_text("x" * 1_000)
    with pytest.raises(SourceRefused) as caught:
        reader.read("big.py")
    assert caught.value.reason is SkipReason.TOO_LARGE
    assert len(reader.read("fits.py").text) == 1_000


def test_minified_text_is_read_for_showing_but_not_for_the_index(top: Path) -> None:
    (top / "a.js").write_text("var a=1;" * 5_000)
    reader = DiskReader(Roots.of([top]))
    assert reader.read("a.js").lines
    with pytest.raises(SourceRefused) as caught:
        reader.read_for_index("a.js")
    assert caught.value.reason is SkipReason.MINIFIED


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_without_permission_is_unreadable(top: Path, reader: DiskReader) -> None:
    (top / "a.py").write_text("x")
    (top / "a.py").chmod(0)
    with pytest.raises(SourceUnreadable, match="permission"):
        reader.read("a.py")


@pytest.mark.parametrize("name", [b"caf\xe9.py", b"a\nb.py", b"%41#.py", b"sp ace.py"])
def test_odd_names_are_read(top: Path, reader: DiskReader, name: bytes) -> None:
    (top / os.fsdecode(name)).write_text("x")
    assert reader.read(os.fsdecode(name)).text == "x"


def test_a_reader_travels_to_another_process(top: Path) -> None:
    (top / "a.py").write_text("x")
    reader = DiskReader(Roots.of([top]), PrivacyPolicy(rules=("b.py",)))
    assert pickle.loads(pickle.dumps(reader)).read("a.py").text == "x"
