"""A worker process: reads file names on stdin, writes facts on stdout. `python -m lsp_server.session.worker`.

Frames in: one JSON line a file, `{"file", "path", "max_bytes", "seconds"}`; out: a `FRAME` head, then a
JSON head and the facts' bytes. It ends when its stdin ends, so no worker outlives its parent; while a
grammar runs and nothing else can, an alarm ends it after the file's time limit, and on Linux the
kernel ends it together with its parent.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import stat
import sys
import time
from typing import Any

from ..workspace.skip import SkipReason
from .orders import FRAME
from .parse_guard import LeftToWorker, ParseGuard

_PR_SET_PDEATHSIG = 1
MEMORY_LIMIT = 4 << 30
"""Bytes of address space a worker may use."""

COLLECT_AFTER = 200_000
"""Objects made before the garbage collector looks at them: some ten files' worth."""


def main() -> None:
    """Serve until stdin ends."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints must not break the frames
    _die_with_parent()
    _limit_memory()
    _load()
    for line in sys.stdin.buffer:
        order = json.loads(line)
        _alarm(float(order["seconds"]))
        head, body = work(order)
        _alarm(0)
        data = json.dumps(head).encode()
        out.write(FRAME.pack(len(data), len(body)) + data + body)
        out.flush()


def _load() -> None:
    """Import what extraction needs before any file's time is running, and let the collector skip all that.

    A file's facts hold no cycles, so looking for some after every few hundred objects is time lost.
    """
    from ..index import encoding as _encoding
    from . import extraction as _extraction

    del _encoding, _extraction
    gc.freeze()
    gc.set_threshold(COLLECT_AFTER, 20, 20)


def work(order: dict[str, Any], guard: ParseGuard | None = None) -> tuple[dict[str, Any], bytes]:
    """One file: (head, encoded facts). The head has `size`, `mtime_ns` and the time of reading, and `refused`
    or `failed` with the reason. With a guard it may raise LeftToWorker."""
    from ..index.encoding import encode_facts
    from .extraction import Refused, facts_of_bytes

    noted_ns = time.time_ns()
    try:
        data, size, mtime_ns = read_limited(order["file"], order["max_bytes"])
    except TooLarge:
        return {"refused": SkipReason.TOO_LARGE}, b""
    except FileNotFoundError:
        return {"refused": SkipReason.MISSING}, b""
    except OSError:
        return {"refused": SkipReason.UNREADABLE}, b""
    stamp: dict[str, Any] = {"size": size, "mtime_ns": mtime_ns, "noted_ns": noted_ns}
    try:
        facts = facts_of_bytes(order["path"], data, guard)
        if isinstance(facts, Refused):
            return {"refused": facts.reason, **stamp}, b""
        return stamp, encode_facts(facts)
    except LeftToWorker:
        raise
    except (Exception, RecursionError, MemoryError) as error:  # a fault of ours with this one file
        return {"failed": f"extraction failed ({type(error).__name__})", **stamp}, b""


class TooLarge(OSError):
    """The file is over the limit, or not a regular file."""


def read_limited(file: str, max_bytes: int) -> tuple[bytes, int, int]:
    """(bytes, size, mtime in ns) of a regular file of at most `max_bytes`; a FIFO or device never blocks."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    descriptor = os.open(file, flags)
    with os.fdopen(descriptor, "rb") as opened:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_size > max_bytes:
            raise TooLarge(file)
        data = opened.read(max_bytes + 1)
        if len(data) > max_bytes:
            raise TooLarge(file)
        return data, len(data), status.st_mtime_ns


def _alarm(seconds: float) -> None:
    # Processor time: on a busy machine a good file must not be set aside for others' work.
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, seconds)  # the default action ends the process


def _die_with_parent() -> None:
    if sys.platform == "linux":
        import ctypes

        try:
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        except (OSError, AttributeError):
            return
        if os.getppid() == 1:
            os._exit(0)


def _limit_memory() -> None:
    if sys.platform != "win32":
        import resource

        try:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        except (OSError, ValueError):
            return


if __name__ == "__main__":
    main()
