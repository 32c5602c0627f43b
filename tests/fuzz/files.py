"""Random and damaged bytes as files of every language, through real worker processes."""

from __future__ import annotations

import random
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

from lsp_server.session.orders import Order, Outcome
from lsp_server.session.pool import Pool, PoolLimits
from lsp_server.session.worker import seconds_for
from lsp_server.syntax.languages import LANGUAGES

from .tally import HANG, Tally

FIXTURES = Path(__file__).parents[1] / "syntax" / "fixtures"
MAX_BYTES = 200_000
NASTY = (
    b"\x00", b"\xff", b"\xef\xbb\xbf", b"\r", b"\x0c", "\u2028".encode(), "😀".encode(), b"(" * 3_000, b"{[" * 900,
    b'"""',
    b"/*", b"`${", b"<?php", b"<<EOF\n", b"#if\n" * 200, b"\\\n", b"@" * 500, b"<" * 2_000, b"a." * 3_000, b"'",
    b"\x1b[31m",
)  # fmt: skip


def _samples() -> dict[str, bytes]:
    """A fixture's bytes by file extension."""
    found: dict[str, bytes] = {}
    for path in sorted(FIXTURES.rglob("*")):
        if path.is_file() and path.suffix not in ("", ".facts"):
            found.setdefault(path.suffix, path.read_bytes()[:MAX_BYTES])
    return found


def damaged(choose: random.Random, sample: bytes) -> bytes:
    """Bytes that no one would write: random, or a real file cut, spliced and sprinkled."""
    if choose.random() < 0.15:
        return choose.randbytes(choose.randrange(5_000))
    data = bytearray(sample[: choose.randrange(1, 6_000)])
    for _ in range(choose.randint(1, 5)):
        at = choose.randrange(len(data) + 1)
        action = choose.randrange(5)
        if action == 0:
            data[at:at] = choose.choice(NASTY) * choose.randint(1, 3)
        elif action == 1:
            del data[at : at + choose.randrange(300)]
        elif action == 2:
            data[at:at] = choose.randbytes(choose.randrange(40))
        elif action == 3:
            data[at:at] = data[: choose.randrange(600)]
        elif data:
            data[choose.randrange(len(data))] = choose.randrange(256)
    return bytes(data)


class Desk:
    """Writes a damaged file for each order, keeps it until it is answered, and counts what came of it."""

    def __init__(self, choose: random.Random, stop: Callable[[], bool], tally: Tally, folder: Path) -> None:
        self._choose, self._stop, self._tally, self._folder = choose, stop, tally, folder
        self._samples = _samples()
        self._extensions = sorted({extension for language in LANGUAGES for extension in language.extensions})
        self._open: dict[str, Path] = {}
        self._number = 0
        self._lock = threading.Lock()
        self.done = threading.Event()

    def take(self, _before: Order | None) -> Order | None:
        """The next file, of each extension in turn."""
        with self._lock:
            if self._stop():
                self._end()
                return None
            extension = self._extensions[self._number % len(self._extensions)]
            self._number += 1
            path = self._folder / f"case{self._number}{extension}"
            own = self._samples.get(extension) or self._choose.choice(list(self._samples.values()))
            path.write_bytes(damaged(self._choose, own))
            self._open[path.name] = path
            return Order(path.name, str(path))

    def give(self, outcome: Outcome) -> None:
        """Count an answer; a dead or stuck worker is a fault. A grammar that takes too long is ended by the
        worker's own limit, which for so small a file lies well below HANG; that is what the limit is for."""
        with self._lock:
            path = self._open.pop(outcome.path)
            self._tally.cases += 1
            if outcome.failed:
                note = f"{path.suffix}: {outcome.failed}: {path.read_bytes()[:1_000]!r}"
                self._count(outcome.failed)(note)
            path.unlink()
            if self._stop():
                self._end()

    def _count(self, why: str) -> Callable[[str], None]:
        if "too long" in why and seconds_for(MAX_BYTES, HANG) < HANG:
            return self._tally.put_aside
        return self._tally.hang if "not answer" in why else self._tally.crash

    def _end(self) -> None:
        if not self._open:
            self.done.set()

    def unanswered(self) -> list[str]:
        """Files that no outcome came for."""
        return sorted(self._open)


def fuzz(choose: random.Random, stop: Callable[[], bool], tally: Tally) -> None:
    """A case is one file through a worker."""
    with tempfile.TemporaryDirectory(prefix="fuzz") as name:
        desk = Desk(choose, stop, tally, Path(name))
        pool = Pool(PoolLimits(1, HANG, 2_000_000), desk.take, desk.give, lambda: 1)
        pool.wake()
        desk.done.wait()
        pool.close()
        for path in desk.unanswered():
            tally.silent(path)
