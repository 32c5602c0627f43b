"""The workspace that faults happen to, what must be true of every answer, and one server process to hit."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lsp_server.index.snapshot import Snapshot
from lsp_server.session.session import Session
from tests.server.raw_server import RawServer
from tests.session.workspaces import session_of, write

FILES = 80
LIMIT = 5.0
"""Seconds after which neither a right answer nor an honest one has come."""

WAIT = 60.0


@dataclass(frozen=True, slots=True)
class Ended:
    """How a fault ended: `right`, or `degraded` with the sentence that says so; seconds until then."""

    how: str
    seconds: float


class Wrong(AssertionError):
    """An answer that is wrong, or empty without saying why."""


def make(folder: Path) -> Path:
    """Many small files, so that workers are needed."""
    body = (
        "def function_{n}(value):\n    return helper_{n}(value)\n\n\ndef helper_{n}(value):\n    return value + {n}\n"
    )
    write(folder, {f"pkg/module_{n}.py": body.format(n=n) for n in range(FILES)})
    return folder


def opened(folder: Path, cache: Path | None = None, **settings: Any) -> Session:
    """A session over `folder`, with two workers and its own cache."""
    kept = {} if cache is None else {"cache__enabled": True, "cache__folder": str(cache)}
    return session_of(folder, index__workers=2, **kept, **settings)


def judged(session: Session, begin: float, wanted: dict[str, str] | None = None) -> Ended:
    """Ask for every function, at once and when the index is whole; what is missing must be said.

    `wanted` maps names that must be defined to the file that defines them. The time is that of the first
    answer, which may say that files are pending.
    """
    names = wanted or {f"function_{n}": f"pkg/module_{n}.py" for n in range(FILES)}
    snapshot = session.settled()
    seconds = time.monotonic() - begin
    if _missing(snapshot, names) and not (snapshot.pending_files or session.degraded or session.status().quarantined):
        raise Wrong("the first answer is incomplete and does not say so")
    session.wait_fresh(WAIT)
    missing = _missing(session.snapshot(), names)
    if session.degraded:
        return Ended(f"degraded: {session.degraded[0]}" + (f" ({missing} missing)" if missing else ""), seconds)
    if missing and not session.status().quarantined:
        raise Wrong(f"{missing} functions are missing, and nothing says why")
    return Ended("degraded: files set aside by name" if missing else "right", seconds)


def _missing(snapshot: Snapshot, names: dict[str, str]) -> int:
    """How many names are not defined where they should be."""
    return sum(path not in {found.path for found in snapshot.definitions(name)} for name, path in names.items())


def server(folder: Path, **environment: str) -> RawServer:
    """A server process that has answered `initialize`."""
    started = RawServer([sys.executable, "-m", "lsp_server"], folder, {**os.environ, **environment})
    started.initialize(folder)
    return started


def marked(mark: str) -> list[int]:
    """Live processes that have `mark` in their environment."""
    found: list[int] = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
            if state != "Z" and mark.encode() in (entry / "environ").read_bytes():
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def wait_gone(mark: str, begin: float) -> Ended:
    """Wait until no process has `mark` any more."""
    while left := marked(mark):
        if time.monotonic() - begin > WAIT:
            raise Wrong(f"{len(left)} processes are left")
        time.sleep(0.02)
    return Ended("right", time.monotonic() - begin)
