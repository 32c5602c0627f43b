"""Writing: all files or none; encoding, mark, line ends and mode stay."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lsp_server.model.errors import SourceDenied, SourceError, SourceMissing, SourceStale, SourceUnreadable
from lsp_server.workspace import writer as writer_module
from lsp_server.workspace.reader import DiskReader
from lsp_server.workspace.roots import Roots
from lsp_server.workspace.writer import FileWrite, write_files


@pytest.fixture
def top(tmp_path: Path) -> Path:
    folder = tmp_path / "top"
    folder.mkdir()
    return folder


@pytest.fixture
def reader(top: Path) -> DiskReader:
    return DiskReader(Roots.of([top]))


def change(reader: DiskReader, path: str, text: str) -> FileWrite:
    return FileWrite(path, text, reader.read(path).content_hash)


def tree(top: Path) -> dict[str, bytes]:
    return {str(path.relative_to(top)): path.read_bytes() for path in top.rglob("*") if path.is_file()}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_encoding_mark_and_line_ends_stay(top: Path, reader: DiskReader, encoding: str) -> None:
    old, new = "größe = 1\r\nfür = 2\n" * 3, "größe = 2\r\nfür = 2\n" * 3
    (top / "a.py").write_bytes(old.encode(encoding))
    assert reader.read("a.py").text == old
    assert write_files(reader, [change(reader, "a.py", new)]) == ("a.py",)
    assert (top / "a.py").read_bytes() == new.encode(encoding)


def test_mode_stays_and_no_temporary_file_is_left(top: Path, reader: DiskReader) -> None:
    (top / "run.sh").write_text("a\n")
    (top / "run.sh").chmod(0o750)
    write_files(reader, [change(reader, "run.sh", "b\n")])
    assert (top / "run.sh").stat().st_mode & 0o777 == 0o750
    assert os.listdir(top) == ["run.sh"]


def test_a_new_file_and_its_folders_are_made(top: Path, reader: DiskReader) -> None:
    write_files(reader, [FileWrite("a/b/new.py", "x\n", None)])
    assert tree(top) == {"a/b/new.py": b"x\n"}


def test_a_link_inside_stays_a_link_and_its_target_is_written(top: Path, reader: DiskReader) -> None:
    (top / "real.py").write_text("a")
    (top / "link.py").symlink_to("real.py")
    assert write_files(reader, [change(reader, "link.py", "b")]) == ("real.py",)
    assert (top / "link.py").is_symlink()
    assert (top / "real.py").read_text() == "b"


def refusals(top: Path, reader: DiskReader, tmp_path: Path) -> list[tuple[FileWrite, type[SourceError]]]:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "x.py").write_text("x")
    (top / "there.py").write_text("x")
    (top / "out").symlink_to(tmp_path / "elsewhere")
    (top / "latin.py").write_bytes("größe und übel für alle, schön wär's\n".encode("latin-1"))
    (top / "binary").write_bytes(bytes(range(256)))
    latin = reader.read("latin.py").content_hash
    return [
        (FileWrite("there.py", "y", "0" * 64), SourceStale),
        (FileWrite("there.py", "y", None), SourceStale),
        (FileWrite("gone.py", "y", "0" * 64), SourceMissing),
        (FileWrite("../x.py", "y", None), SourceUnreadable),
        (FileWrite("/tmp/x.py", "y", None), SourceUnreadable),
        (FileWrite("out/new.py", "y", None), SourceUnreadable),
        (FileWrite("out/x.py", "y", "0" * 64), SourceUnreadable),
        (FileWrite(".env", "y", None), SourceDenied),
        (FileWrite(".git/hooks/pre-commit", "y", None), SourceDenied),
        (FileWrite("there.py/new.py", "y", None), SourceUnreadable),
        (FileWrite("binary", "y", "0" * 64), SourceUnreadable),
        (FileWrite("latin.py", "漢字", latin), SourceUnreadable),
    ]


@pytest.mark.parametrize("number", range(12))
def test_one_refused_file_leaves_all_untouched(top: Path, reader: DiskReader, tmp_path: Path, number: int) -> None:
    (top / "good.py").write_text("good")
    refused, error = refusals(top, reader, tmp_path)[number]
    before = tree(tmp_path)
    with pytest.raises(error):
        write_files(reader, [change(reader, "good.py", "changed"), FileWrite("n/ew.py", "x", None), refused])
    assert tree(tmp_path) == before
    assert not (top / "n").exists()


def test_a_rename_that_fails_half_way_is_undone(top: Path, reader: DiskReader, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a.py", "b.py"):
        (top / name).write_bytes(name.encode() + b"\r\n")
        (top / name).chmod(0o640)
    writes = [change(reader, name, "changed") for name in ("a.py", "b.py")]
    writes.insert(1, FileWrite("new.py", "x", None))
    before = tree(top)
    real = os.replace

    def replace(source: str | Path, target: str | Path) -> None:
        if Path(target).name == "b.py":
            raise OSError(28, "No space left on device")
        real(source, target)

    monkeypatch.setattr(writer_module.os, "replace", replace)
    with pytest.raises(SourceUnreadable, match="no space left"):
        write_files(reader, writes)
    assert tree(top) == before
    assert (top / "a.py").stat().st_mode & 0o777 == 0o640
