"""Ends the server when the client's process is gone, for clients that die without closing our stdin."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .app import ContextServer

CHECK_SECONDS = 0.5


async def watch_client(server: ContextServer) -> None:
    """Look at the process that `initialize` named until it is gone.

    A process that is not there from the start is not watched: the client may live in another container.
    """
    seen = False
    while not server.done.is_set():
        await asyncio.sleep(CHECK_SECONDS)
        process = server.process_id
        if process is None or process <= 0:
            continue
        alive = is_alive(process)
        if seen and not alive:
            server.leave(1)
        seen = seen or alive


def is_alive(process: int) -> bool:
    """False when there is no such process, or only its unburied remains."""
    if os.name == "nt":
        return _is_alive_windows(process)
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    try:
        status = Path(f"/proc/{process}/stat").read_bytes()
        return status.rpartition(b")")[2].split()[0] not in (b"Z", b"X")
    except (OSError, IndexError):
        return True


def _is_alive_windows(process: int) -> bool:
    import ctypes

    synchronize, still_running = 0x00100000, 0x102
    kernel = getattr(ctypes, "windll").kernel32  # noqa: B009 - not there on other systems
    handle = kernel.OpenProcess(synchronize, False, process)
    if not handle:
        return False
    try:
        return bool(kernel.WaitForSingleObject(handle, 0) == still_running)
    finally:
        kernel.CloseHandle(handle)
