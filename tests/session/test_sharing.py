"""Joining a running session: unsaved text counts, only the user can, and a dead one is no obstacle."""

from __future__ import annotations

import os
import socket
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from lsp_server.model.errors import EditError, PathError
from lsp_server.session import sharing
from lsp_server.session.session import Session
from lsp_server.session.sharing import NobodyShares, ask_shared, is_private, share, socket_path

pytestmark = pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="needs Unix sockets")

SETTINGS = ("cache.enabled=false", "index.workers=1")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    # A socket's path must be short, pytest's folders are not.
    with tempfile.TemporaryDirectory(prefix="rc") as runtime:
        monkeypatch.setenv("XDG_RUNTIME_DIR", runtime)
        work = tmp_path / "work"
        work.mkdir()
        (work / "code.py").write_text("def on_disk():\n    pass\n")
        yield work


@pytest.fixture
def session(folder: Path) -> Iterator[Session]:
    with Session.open([folder], SETTINGS) as opened:
        opened.wait_fresh()
        assert opened.share()
        yield opened


def test_another_process_sees_unsaved_text(session: Session, folder: Path) -> None:
    session.document_opened((folder / "code.py").as_uri(), "python", 1, "def unsaved_name():\n    pass\n")
    found = ask_shared([folder], "grep", {"pattern": "unsaved_name"})
    assert [match["path"] for match in found["matches"]] == ["code.py"]
    assert ask_shared([folder], "status", {})["openDocuments"] == 1


def test_edits_of_unsaved_text_are_refused_and_say_why(session: Session, folder: Path) -> None:
    session.document_opened((folder / "code.py").as_uri(), "python", 1, "def unsaved_name():\n    pass\n")
    block = "code.py\n<<<<<<< SEARCH\ndef unsaved_name():\n=======\ndef renamed():\n>>>>>>> REPLACE\n"
    preview = ask_shared([folder], "applyEdits", {"edits": block})
    assert "+def renamed():" in preview["files"][0]["diff"]
    with pytest.raises(EditError, match="unsaved changes"):
        ask_shared([folder], "applyEdits", {"edits": block, "apply": True})
    assert (folder / "code.py").read_text() == "def on_disk():\n    pass\n"


def test_errors_travel_with_their_field(session: Session, folder: Path) -> None:
    with pytest.raises(PathError.__mro__[1], match="path"):
        ask_shared([folder], "expand", {"path": "../x", "lines": {"start": 1, "end": 1}})
    with pytest.raises(PathError.__mro__[1], match="unknown tool"):
        ask_shared([folder], "no-such-tool", {})


def test_only_the_user_can_reach_the_socket(session: Session, folder: Path) -> None:
    path = socket_path([folder])
    assert path is not None
    assert stat.S_IMODE(os.stat(path.parent).st_mode) == 0o700
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600


def test_a_folder_that_others_can_enter_is_not_trusted(session: Session, folder: Path) -> None:
    path = socket_path([folder])
    assert path is not None
    path.parent.chmod(0o755)
    assert not is_private(path.parent)
    with pytest.raises(NobodyShares):
        ask_shared([folder], "status", {})
    with Session([folder], session._resolved) as other:
        assert share(other, [folder / "elsewhere"]) is None


def test_the_first_session_answers_and_the_next_takes_over(session: Session, folder: Path) -> None:
    with Session.open([folder], SETTINGS) as second:
        assert not second.share()
        session.close()
        with pytest.raises(NobodyShares):
            ask_shared([folder], "status", {})
        assert second.share()
        assert ask_shared([folder], "status", {})["openDocuments"] == 0


def test_a_socket_that_a_killed_process_left_is_replaced(folder: Path) -> None:
    path = socket_path([folder])
    assert path is not None
    path.parent.mkdir(mode=0o700)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as left:
        left.bind(str(path))
    assert path.exists()
    with Session.open([folder], SETTINGS) as opened:
        assert opened.share()
        assert ask_shared([folder], "status", {})["schema"] == 1


def test_the_setting_switches_it_off(folder: Path) -> None:
    with Session.open([folder], (*SETTINGS, "share=false")) as opened:
        assert not opened.share()
    with pytest.raises(NobodyShares):
        ask_shared([folder], "status", {})


@pytest.mark.parametrize("sent", [b"not json\n", b"[1]\n", b'{"schema": 99, "tool": "status"}\n', b"{}\n"])
def test_nonsense_gets_an_error_and_the_session_goes_on(session: Session, folder: Path, sent: bytes) -> None:
    path = socket_path([folder])
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(30)
        connection.connect(str(path))
        connection.sendall(sent)
        assert connection.recv(1 << 16).startswith(b'{"error"')
    assert ask_shared([folder], "status", {})["schema"] == 1


def test_other_folders_are_another_workspace(session: Session, folder: Path, tmp_path: Path) -> None:
    assert socket_path([folder]) == socket_path([folder / ".", folder])
    with pytest.raises(NobodyShares):
        ask_shared([tmp_path], "status", {})
    assert sharing.socket_path([]) is None
