"""A short life of a busy session leaves nothing behind: what it keeps is bounded by what is open and on disk."""

from __future__ import annotations

import gc
import os
import random
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from lsp_server.model.request import BuildRequest
from lsp_server.session.documents import TextChange
from lsp_server.session.session import Session
from lsp_server.text.positions import PositionEncoding, WirePosition, WireRange
from tests.session.workspaces import HANG, answers, contents, fresh, session_of, write

FILES, ROUNDS, PER_ROUND = 12, 8, 25
BODY = "def function_{n}(value):\n    return helper_{n}(value) + {n}\n\n\ndef helper_{n}(value):\n    return value\n"


def live(session: Session, folder: Path, choose: random.Random) -> None:
    """Open, type, build, search, save, change outside, close, come back to the files as they were."""
    for _ in range(PER_ROUND):
        number = choose.randrange(FILES)
        path = folder / f"m{number}.py"
        uri, text = path.as_uri(), BODY.format(n=number)
        session.document_opened(uri, "python", 1, text)
        for version in range(2, 6):
            here = WirePosition(choose.randrange(6), 0)
            change = TextChange(WireRange(here, here), choose.choice(("x = 1\n", "(", f"def new_{version}(): pass\n")))
            session.document_changed(uri, version, [change], PositionEncoding.UTF16)
        session.build(BuildRequest(task=f"function_{number} helper_{choose.randrange(FILES)}"))
        session.document_closed(uri)
        path.write_text(text + f"# {choose.random()}\n")
        session.files_changed([path.name])
        job = session.submit(lambda checkpoint: session.snapshot(checkpoint).search(["helper"], 5), "key")
        job.future.result(HANG)
    write(folder, {f"m{number}.py": BODY.format(n=number) for number in range(FILES)})
    session.reindex()
    fresh(session)


def start_all_request_threads(session: Session) -> None:
    """As many requests at once as there can be: how many threads a life starts by itself depends on its timing."""
    count = session._scheduler._threads_wanted
    together = threading.Barrier(count)
    jobs = [session.submit(lambda _checkpoint: together.wait(HANG)) for _ in range(count)]
    for job in jobs:
        job.future.result(HANG)


def kept(session: Session) -> dict[str, Any]:
    """How much of everything there is, once threads that come and go are gone."""
    for thread in threading.enumerate():
        if thread.name in ("index-background", "index-worker"):
            thread.join(HANG)
    gc.collect()
    return {
        "threads": sum(not thread.name.startswith("pytest") for thread in threading.enumerate()),
        "descriptors": len(os.listdir("/proc/self/fd")),
        "documents": len(session.documents.all()),
        "waiting": session._indexer.waiting_paths(),
        "quarantined": session.status().quarantined,
        "names": len(session.snapshot().paths()),
    }


@pytest.mark.skipif(sys.platform != "linux", reason="counts descriptors in /proc")
def test_a_busy_life_leaves_nothing_behind(tmp_path: Path) -> None:
    write(tmp_path, {f"m{number}.py": BODY.format(n=number) for number in range(FILES)})
    choose = random.Random(20261130)
    memory: list[int] = []
    with session_of(tmp_path, edit__debounceMilliseconds=0) as session:
        live(session, tmp_path, choose)
        start_all_request_threads(session)
        first = kept(session)
        for _ in range(ROUNDS):
            live(session, tmp_path, choose)
            memory.append(session.status().memory_bytes)
        assert kept(session) == first
        assert first["documents"] == 0
        assert len(session.costs) < 20_000
        with session_of(tmp_path) as other:
            here, there = session.snapshot(), fresh(other)
            assert contents(here) == contents(there)
            names = ["helper_1", "function_2", "new_3"]
            assert answers(here, names) == answers(there, names)
    # A leak of one document's facts a turn would be ten times as much.
    assert memory[-1] - memory[ROUNDS // 2] < 8_000_000, memory
