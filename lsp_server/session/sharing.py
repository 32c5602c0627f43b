"""A running session serves other processes of the same user, so that unsaved text counts for them too.

It listens on a Unix socket in a per-user folder of mode 0700; the socket's name is made from the workspace's
folders. Only the user can reach it, so it needs no token. One connection carries one question: a line of
JSON `{"schema", "tool", "params"}` in, a line `{"result"}` or `{"error": {...}}` out. Where the platform has
no Unix sockets nothing is shared, and the other process indexes for itself.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import socket
import stat
import tempfile
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..context.raw_fields import Fields
from ..model.errors import Cancelled, EditError, RepoContextError, RequestError
from ..model.pack import SCHEMA_VERSION

if TYPE_CHECKING:
    from .session import Session

MAX_LINE_BYTES = 64 * 1024 * 1024
MAX_SOCKET_PATH = 100
"""Bytes of a socket's path that every Unix system takes."""

CONNECT_SECONDS = 1.0
ANSWER_SECONDS = 120.0


class NobodyShares(RepoContextError):
    """No running session of this workspace can be asked."""


def runtime_folder() -> Path:
    """The per-user folder of sockets. It may not exist."""
    base = os.environ.get("XDG_RUNTIME_DIR")
    if base and Path(base).is_dir():
        return Path(base) / "repo-context"
    user = os.getuid() if hasattr(os, "getuid") else 0
    return Path(tempfile.gettempdir()) / f"repo-context-{user}"


def socket_path(folders: Iterable[Path]) -> Path | None:
    """Where a session over exactly these folders listens; None where that cannot be."""
    resolved = sorted({str(folder.resolve()) for folder in folders})
    if not resolved or not hasattr(socket, "AF_UNIX"):
        return None
    name = hashlib.sha256("\0".join(resolved).encode("utf-8", "surrogateescape")).hexdigest()[:24]
    path = runtime_folder() / f"{name}.sock"
    return path if len(os.fsencode(path)) <= MAX_SOCKET_PATH else None


def is_private(folder: Path) -> bool:
    """True when `folder` is a real folder of this user that nobody else can enter."""
    try:
        state = os.lstat(folder)
    except OSError:
        return False
    return stat.S_ISDIR(state.st_mode) and state.st_uid == os.getuid() and not state.st_mode & 0o077


class Sharing:
    """Answers other processes for one session. `close` ends it and removes the socket."""

    def __init__(self, session: Session, path: Path, listener: socket.socket) -> None:
        self._session = session
        self._path = path
        self._listener = listener
        self._closed = False
        self._thread = threading.Thread(target=self._accept, name="sharing", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop listening. Questions being answered end with the session."""
        self._closed = True
        with contextlib.suppress(OSError):
            self._path.unlink()
        # A blocked accept() does not notice a close: a last connection wakes it.
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join(0.2)

    def _accept(self) -> None:
        while not self._closed:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), name="sharing-answer", daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError, ValueError):
            connection.settimeout(ANSWER_SECONDS)
            line = _read_line(connection)
            if line:
                connection.sendall(_line(self._answer(line)))

    def _answer(self, line: bytes) -> dict[str, Any]:
        from .tools import ask

        try:
            asked: Any = json.loads(line)
            fields = Fields(asked, "")
            if fields.whole("schema") != SCHEMA_VERSION:
                raise RequestError("schema", f"must be {SCHEMA_VERSION}")
            tool = fields.text("tool") or ""
            params: object = fields.get("params")
            job = self._session.submit(lambda checkpoint: ask(self._session, tool, params, checkpoint))
            return {"result": job.future.result(ANSWER_SECONDS)}
        except json.JSONDecodeError:
            return {"error": {"kind": "request", "path": "", "message": "is not JSON"}}
        except RepoContextError as error:
            return {"error": error_to_dict(error)}
        except Exception as error:  # the asker learns that it failed; the session goes on
            return {"error": {"kind": "internal", "path": "", "message": type(error).__name__}}


def share(session: Session, folders: Iterable[Path]) -> Sharing | None:
    """Begin to answer others; None when that cannot be or somebody already does for the same folders."""
    path = socket_path(folders)
    if path is None:
        return None
    listener: socket.socket | None = None
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not is_private(path.parent):
            return None
        if path.exists() and not _is_dead(path):
            return None
        path.unlink(missing_ok=True)
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.bind(str(path))
        os.chmod(path, 0o600)
        listener.listen(16)
        return Sharing(session, path, listener)
    except OSError:
        if listener is not None:
            listener.close()
        return None


def _is_dead(path: Path) -> bool:
    """True for a socket that a killed process left behind."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(CONNECT_SECONDS)
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            return True
        except OSError:
            return False
    return False


def ask_shared(folders: Iterable[Path], tool: str, params: object) -> dict[str, Any]:
    """The answer of the session that shares this workspace.

    Raises NobodyShares when there is none (any more), and the RequestError or EditError it answered with.
    """
    path = socket_path(folders)
    if path is None or not is_private(path.parent):
        raise NobodyShares("nothing shares this workspace")
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(CONNECT_SECONDS)
            connection.connect(str(path))
            connection.settimeout(ANSWER_SECONDS)
            connection.sendall(_line({"schema": SCHEMA_VERSION, "tool": tool, "params": params}))
            line = _read_line(connection)
        answer: Any = json.loads(line)
    except (OSError, ValueError) as error:
        raise NobodyShares(f"the session that shares this workspace does not answer ({error})") from None
    if not isinstance(answer, dict):
        raise NobodyShares("the session that shares this workspace speaks another language")
    found: dict[str, Any] = {str(key): value for key, value in answer.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if "result" in found:
        return found["result"]
    raise _error_from(found.get("error") or {})


def error_to_dict(error: RepoContextError) -> dict[str, Any]:
    """An error as it travels."""
    if isinstance(error, RequestError):
        return {"kind": "request", "path": error.path, "message": error.problem}
    if isinstance(error, EditError):
        return {"kind": "edit", "path": str(getattr(error, "code", "")), "message": str(error)}
    return {"kind": "cancelled" if isinstance(error, Cancelled) else "other", "path": "", "message": str(error)}


def _error_from(plain: dict[str, Any]) -> RepoContextError:
    kind, message = plain.get("kind"), str(plain.get("message", "no answer"))
    if kind == "request":
        if plain.get("path") == "schema":
            return NobodyShares("the session that shares this workspace is of another version")
        return RequestError(str(plain.get("path", "")), message)
    return EditError(message) if kind == "edit" else NobodyShares(message)


def _line(plain: object) -> bytes:
    return json.dumps(plain, separators=(",", ":")).encode() + b"\n"


def _read_line(connection: socket.socket) -> bytes:
    """Bytes up to the first line end; raises ValueError when there are too many or none."""
    parts = bytearray()
    while not parts.endswith(b"\n"):
        data = connection.recv(1 << 16)
        if not data:
            raise ValueError("the connection ended early")
        parts += data
        if len(parts) > MAX_LINE_BYTES:
            raise ValueError("too long")
    return bytes(parts)
