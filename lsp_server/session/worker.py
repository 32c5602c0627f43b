"""A worker process: reads file names on stdin, writes facts on stdout. `python -m lsp_server.session.worker`.

Frames in: one JSON line a file, `{"file", "path", "max_bytes", "seconds"}`; out: a `FRAME` head, then a JSON head and
the facts' bytes. `{"load": language}` is no question: some of its files will come. Of the files that wait some are
worked on together, because that is cheaper; the answers come in the order of the questions. It ends when its stdin
ends, so no worker outlives its parent; while a grammar runs and nothing else can, an alarm ends it after the file's
time limit, and on Linux the kernel ends it together with its parent.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ..workspace.skip import SkipReason
from .orders import FRAME
from .parse_guard import LeftToWorker, ParseGuard

if TYPE_CHECKING:
    from ..syntax.drafts import Draft
    from ..workspace.secrets import Masked

_PR_SET_PDEATHSIG = 1
MEMORY_LIMIT = 4 << 30
"""Bytes of address space a worker may use."""

BATCH = 12
"""Files worked on together at most. The gain is small beyond eight."""

COLLECT_AFTER = 200_000
"""Objects made before the garbage collector looks at them: some ten files' worth."""


def main() -> None:
    """Serve until stdin ends."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints must not break the frames
    _die_with_parent()
    _limit_memory()
    _load()
    for orders in _batches():
        answers: list[bytes] = []
        for head, body in work_together(orders):
            data = json.dumps(head).encode()
            answers += (FRAME.pack(len(data), len(body)), data, body)
        out.write(b"".join(answers))
        out.flush()


def _batches() -> Iterator[list[dict[str, Any]]]:
    """The orders on stdin, as many together as wait there and are to be worked on together."""
    rest = b""
    while data := os.read(0, 1 << 16):
        *lines, rest = (rest + data).split(b"\n")
        asked = [json.loads(line) for line in lines]
        for each in asked:
            if "load" in each:
                _load_language(each["load"])
        orders = [each for each in asked if "load" not in each]
        for start in range(0, len(orders), BATCH):
            yield orders[start : start + BATCH]


def _load_language(name: str) -> None:
    """Compile what reads files of this language: orders for some are about to come."""
    from ..syntax.languages import BY_ID
    from ..syntax.parse import query

    with suppress(Exception):  # a grammar that is not installed: the files will tell
        query(BY_ID[name])


def _load() -> None:
    """Import what extraction needs before any file's time is running, and let the collector skip all that.

    A file's facts hold no cycles, so looking for some after every few hundred objects is time lost.
    """
    from ..index import encoding as _encoding
    from . import extraction as _extraction

    del _encoding, _extraction
    gc.freeze()
    gc.set_threshold(COLLECT_AFTER, 20, 20)


Answer = tuple[dict[str, Any], bytes]
"""What became of an order: head and encoded facts. The head has `size`, `mtime_ns` and the time of reading, and
`refused` or `failed` with the reason."""


def work(order: dict[str, Any], guard: ParseGuard | None = None) -> Answer:
    """One file. With a guard it may raise LeftToWorker."""
    return _worked([order], guard, _no_alarm)[0]


def work_together(orders: list[dict[str, Any]]) -> list[Answer]:
    """Some files, each within its time of the processor, in their order."""
    return _worked(orders, None, _alarm)


def _worked(orders: list[dict[str, Any]], guard: ParseGuard | None, alarm: Callable[[float], object]) -> list[Answer]:
    answers: list[Answer] = []
    read: list[tuple[int, str]] = []
    for order in orders:
        alarm(float(order["seconds"]))
        head, text = _read(order)
        if text is not None:
            read.append((len(answers), text))
        answers.append((head, b""))
    begun: list[tuple[int, Draft]] = []
    for (at, text), masked in zip(read, _masked([text for _, text in read]), strict=True):
        alarm(seconds_for(answers[at][0]["size"], float(orders[at]["seconds"])))
        drafted = _draft(orders[at]["path"], text, masked, guard)
        if isinstance(drafted, str):
            answers[at][0]["failed"] = drafted
        else:
            begun.append((at, drafted))
    alarm(0)
    heads = [(answers[at][0], drafted) for at, drafted in begun]
    for (at, _), answer in zip(begun, _finish(heads), strict=True):
        answers[at] = answer
    return answers


def _no_alarm(_seconds: float) -> None:
    """Nothing ends the process."""


def seconds_for(size: int, most: float) -> float:
    """Processor time for a file of `size` bytes: twenty times what ordinary code takes, and time to load a grammar."""
    return min(most, 3.0 + size / 500_000)


def _read(order: dict[str, Any]) -> tuple[dict[str, Any], str | None]:
    """The head for one file, and its text unless it is clear already what becomes of it."""
    from .extraction import Refused, text_of_bytes

    noted_ns = time.time_ns()
    try:
        data, size, mtime_ns = read_limited(order["file"], order["max_bytes"])
    except TooLarge:
        return {"refused": SkipReason.TOO_LARGE}, None
    except FileNotFoundError:
        return {"refused": SkipReason.MISSING}, None
    except OSError:
        return {"refused": SkipReason.UNREADABLE}, None
    stamp: dict[str, Any] = {"size": size, "mtime_ns": mtime_ns, "noted_ns": noted_ns}
    try:
        text = text_of_bytes(order["path"], data)
    except (Exception, MemoryError) as error:  # a fault of ours with this one file
        return {"failed": _failure(error), **stamp}, None
    if isinstance(text, Refused):
        return {"refused": text.reason, **stamp}, None
    return stamp, text


def _masked(texts: list[str]) -> list[Masked | str]:
    """The texts without their secrets; a fault of ours in place of one."""
    from ..workspace.secrets import mask_all

    try:
        return [*mask_all(texts)]
    except (Exception, MemoryError) as error:  # with one of these texts
        return [_masked([text])[0] for text in texts] if len(texts) > 1 else [_failure(error)]


def _draft(path: str, text: str, masked: Masked | str, guard: ParseGuard | None) -> Draft | str:
    """The draft, or what went wrong. With a guard it may raise LeftToWorker."""
    from . import extraction

    if isinstance(masked, str):
        return masked
    try:
        return extraction.draft_of_text(path, text, masked, guard)
    except LeftToWorker:
        raise
    except (Exception, RecursionError, MemoryError) as error:  # a fault of ours with this one file
        return _failure(error)


def _failure(error: BaseException) -> str:
    return f"extraction failed ({type(error).__name__})"


def _finish(begun: list[tuple[dict[str, Any], Draft]]) -> list[Answer]:
    from ..index.encoding import encode_facts
    from ..syntax.drafts import finished

    if not begun:
        return []
    try:
        facts = finished([drafted for _, drafted in begun])
        return [(head, encode_facts(each)) for (head, _), each in zip(begun, facts, strict=True)]
    except (Exception, RecursionError, MemoryError) as error:  # a fault of ours with one of these files
        if len(begun) > 1:
            return [_finish([each])[0] for each in begun]
        return [({"failed": _failure(error), **begun[0][0]}, b"")]


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
