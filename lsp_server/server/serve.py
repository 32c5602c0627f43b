"""Serving: over stdin and stdout, or over loopback for clients that show a token."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import select
import signal
import socket
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

from ..session.exit_guard import ExitGuard
from .app import ContextServer, create_server
from .client_process import watch_client
from .responsive import keep_loop_responsive
from .transport import ByteSource, FrameWriter, claim_stdout, pump, read_stdin

LOOPBACK = "127.0.0.1"


def serve_stdio(log_file: Path | None = None, log_level: str | None = None) -> int:
    """Serve one client over stdin and stdout until it says exit, closes stdin or is gone.

    Returns the exit code the protocol asks for.
    """
    write = claim_stdout()
    sys.stdout = sys.stderr
    set_up_logging(log_file, log_level)
    guard = ExitGuard()

    def read(size: int) -> bytes:
        data = b""
        try:
            data = read_stdin(size)
        finally:
            if not data:  # told here, for the message loop may be held up
                guard.arm(1)
        return data

    return asyncio.run(serve_stream(create_server, read, write, guard.arm))


def serve_tcp(
    port: int, token_file: Path | None = None, log_file: Path | None = None, log_level: str | None = None
) -> int:
    """Serve clients on the loopback interface until the process is ended.

    The token is written to `token_file`, readable by the user alone; a client must send it as
    `initializationOptions.token`. Port 0 takes a free one; the address is printed.
    """
    set_up_logging(log_file, log_level)
    token = secrets.token_urlsafe(32)
    with socket.create_server((LOOPBACK, port)) as listener, _woken_by_signals() as woken:
        address = listener.getsockname()
        place = write_token(token_file or default_token_file(address[1]), token)
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that the token goes, too
        print(f"listening on {address[0]}:{address[1]}, token in {place}", flush=True)
        making = threading.Lock()
        try:
            while True:
                ready, _, _ = select.select([listener, woken], [], [])
                if woken in ready:
                    woken.recv(1_024)  # what the signal is for is done by its handler
                if listener not in ready:
                    continue
                connection, _ = listener.accept()
                threading.Thread(target=_serve_connection, args=(connection, token, making), daemon=True).start()
        except KeyboardInterrupt:
            ExitGuard().arm(0)
            return 0
        finally:
            place.unlink(missing_ok=True)


@contextmanager
def _woken_by_signals() -> Generator[socket.socket]:
    """A socket that can be read when a signal has come, also just before the main thread began to wait.

    A call that waits for a client alone would then go on waiting, and the signal would be seen with the next client.
    """
    woken, told = socket.socketpair()
    with woken, told:
        told.setblocking(False)
        before = signal.set_wakeup_fd(told.fileno())
        try:
            yield woken
        finally:
            signal.set_wakeup_fd(before)


def write_token(path: Path, token: str) -> Path:
    """Write a token file that the user alone can read; an old one is replaced, a link never followed."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(token)
    return path


def default_token_file(port: int) -> Path:
    """In the user's runtime folder, else the cache folder."""
    base = os.environ.get("XDG_RUNTIME_DIR") or str(Path.home() / ".cache")
    return Path(base) / "repo-context" / f"token-{port}"


def _serve_connection(connection: socket.socket, token: str, making: threading.Lock) -> None:
    def make() -> ContextServer:
        with making:  # the protocol's types are completed with the first server, and not safely by two at once
            return create_server(token)

    with connection:
        asyncio.run(serve_stream(make, connection.recv, connection.sendall))


def _nothing_more(_code: int) -> None:
    """The connection is over, the process goes on."""


async def serve_stream(
    make_server: Callable[[], ContextServer],
    read: ByteSource,
    write: Callable[[bytes], object],
    on_end: Callable[[int], object] = _nothing_more,
) -> int:
    """Serve one connection; returns the exit code, of which `on_end` is told before anything is closed."""
    server = make_server()
    keep_loop_responsive()
    loop = asyncio.get_running_loop()

    def broken() -> None:
        loop.call_soon_threadsafe(server.leave, 1)

    writer = FrameWriter(write, broken)
    server.protocol.set_writer(writer)  # pyright: ignore[reportArgumentType]
    watch = asyncio.ensure_future(watch_client(server))
    try:
        await pump(read, server.protocol.handle_bytes, server.done)
    finally:
        on_end(server.final_code)
        watch.cancel()
        await asyncio.to_thread(server.close_session)
        writer.close()
    return server.final_code


def set_up_logging(log_file: Path | None, level: str | None = None) -> None:
    """Our own warnings to the file, or to stderr; pygls only when something is broken (its messages hold text)."""
    handler: logging.Handler = (
        logging.StreamHandler(sys.stderr) if log_file is None else logging.FileHandler(log_file, encoding="utf-8")
    )
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=(level or "warning").upper(), handlers=[handler], force=True)
    for name in ("pygls", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
