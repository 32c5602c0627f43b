"""Bytes in, bytes out: LSP framing over stdin/stdout or a loopback socket.

Reading is a daemon thread of its own, so that a blocked read never holds the exit back, and writing is
another, so that a client that reads slowly never blocks the loop. stdout belongs to the protocol
alone: file descriptor 1 is moved away and points to stderr for everything else in the process.
"""

from __future__ import annotations

import asyncio
import os
import queue
import re
import threading
from collections.abc import Callable, Iterator
from typing import Protocol

MAX_MESSAGE = 256 * 1024 * 1024
"""Bytes one message may have; a larger one ends the connection."""

_LENGTH = re.compile(rb"content-length:\s*(\d+)\s*$", re.IGNORECASE)


class ByteSource(Protocol):
    """Blocking reads of at most `size` bytes; b"" at the end."""

    def __call__(self, size: int, /) -> bytes: ...


def frames(read: ByteSource) -> Iterator[bytes]:
    """Message bodies until the input ends. A header block without a length is skipped."""
    buffer = bytearray()
    length: int | None = None
    while True:
        end = buffer.find(b"\n")
        while end < 0:
            data = _read(read)
            if not data:
                return
            buffer += data
            end = buffer.find(b"\n")
        line = bytes(buffer[:end]).strip()
        del buffer[: end + 1]
        if line:
            match = _LENGTH.match(line)
            length = int(match.group(1)) if match else length
            continue
        if length is None:
            continue
        if length > MAX_MESSAGE:
            return
        while len(buffer) < length:
            data = _read(read)
            if not data:
                return
            buffer += data
        yield bytes(buffer[:length])
        del buffer[:length]
        length = None


def _read(read: ByteSource) -> bytes:
    try:
        return read(65536)
    except (OSError, ValueError):
        return b""


class FrameWriter:
    """Writes in a thread of its own, in order. `on_broken` is called once when the client is gone."""

    def __init__(self, write: Callable[[bytes], object], on_broken: Callable[[], object]) -> None:
        self._write = write
        self._on_broken = on_broken
        self._queue: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._pump, name="protocol-writer", daemon=True)
        self._thread.start()

    def write(self, data: bytes) -> None:
        """Queue `data`."""
        self._queue.put(data)

    def close(self, timeout: float = 1.0) -> None:
        """Write what is queued, waiting at most `timeout` seconds."""
        self._queue.put(None)
        self._thread.join(timeout)

    def _pump(self) -> None:
        while True:
            data = self._queue.get()
            if data is None:
                return
            try:
                self._write(data)
            except (OSError, ValueError):
                self._on_broken()
                return


def claim_stdout() -> Callable[[bytes], object]:
    """Take file descriptor 1 for the protocol; whatever else prints goes to stderr from now on."""
    out = os.dup(1)
    os.dup2(2, 1)

    def write(data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(out, view) :]

    return write


def read_stdin(size: int) -> bytes:
    """Raw read of file descriptor 0."""
    return os.read(0, size)


async def pump(read: ByteSource, handle: Callable[[bytes], None], done: asyncio.Event) -> None:
    """Hand each message to `handle` in order until the input ends or `done` is set.

    Between two messages the loop runs once, so that a handler's first step comes before the next message.
    """
    loop = asyncio.get_running_loop()
    inbox: asyncio.Queue[bytes | None] = asyncio.Queue()

    def feed() -> None:
        for body in frames(read):
            if not _post(loop, inbox, body):
                return
        _post(loop, inbox, None)

    threading.Thread(target=feed, name="protocol-reader", daemon=True).start()
    ended = asyncio.ensure_future(done.wait())
    while not done.is_set():
        message = asyncio.ensure_future(inbox.get())
        await asyncio.wait({message, ended}, return_when=asyncio.FIRST_COMPLETED)
        if not message.done():
            message.cancel()
            return
        body = message.result()
        if body is None:
            ended.cancel()
            return
        handle(body)
        await asyncio.sleep(0)


def _post(loop: asyncio.AbstractEventLoop, inbox: asyncio.Queue[bytes | None], body: bytes | None) -> bool:
    try:
        loop.call_soon_threadsafe(inbox.put_nowait, body)
    except RuntimeError:  # the loop is closed
        return False
    return True
