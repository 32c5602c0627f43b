"""The faults, one function each: make it happen, ask, and say how it ended."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from lsp_server.index.store import FILE_NAME
from lsp_server.session.index_turns import IndexTurns
from lsp_server.session.sharing import NobodyShares, ask_shared
from tests.session.workspaces import contents, git, write

from .workspace import FILES, WAIT, Ended, Wrong, judged, make, marked, opened, server, wait_gone

Fault = Callable[[Path], Ended]


def worker_killed(folder: Path) -> Ended:
    """Every worker that is seen is killed, three times."""
    make(folder)
    begin = time.monotonic()
    with opened(folder) as session:
        killed: set[int] = set()
        while len(killed) < 3 and not session.wait_fresh(0.0) and time.monotonic() - begin < WAIT:
            for worker in session._indexer.report().workers:
                if worker not in killed:
                    killed.add(worker)
                    os.kill(worker, signal.SIGKILL)
        if not killed:
            raise Wrong("no worker was seen")
        return judged(session, time.monotonic())


def _indexed(folder: Path, cache: Path) -> None:
    with opened(make(folder), cache) as session:
        session.wait_fresh(WAIT)


def cache_corrupt(folder: Path) -> Ended:
    """The database is overwritten with noise between two starts."""
    cache = folder.parent / "cache"
    _indexed(folder, cache)
    (cache / FILE_NAME).write_bytes(os.urandom(50_000))
    begin = time.monotonic()
    with opened(folder, cache) as session:
        return judged(session, begin)


def index_image_corrupt(folder: Path) -> Ended:
    """The file of the whole index is noise, cut short, of another day, or has one wrong bit; then files change."""
    cache = folder.parent / "cache"
    make(folder)
    write(folder, {f"more/module_{n}.py": f"def more_{n}(): pass\n" for n in range(100)})
    with opened(folder, cache) as session:
        session.wait_fresh(WAIT)
        begin = time.monotonic()
        while not (images := list(cache.glob("*.image"))):
            if time.monotonic() - begin > WAIT:
                raise Wrong("no image is written")
            session.reindex()
            session.wait_fresh(WAIT)
    image, whole = images[0], images[0].read_bytes()
    damaged = bytearray(whole)
    damaged[len(whole) // 2] ^= 4
    slowest = 0.0
    for number, data in enumerate((os.urandom(len(whole)), whole[: len(whole) // 2], b"", bytes(damaged), whole)):
        image.write_bytes(data)
        write(folder, {"pkg/module_0.py": f"def changed_{number}(): pass\n"})
        begin = time.monotonic()
        with opened(folder, cache) as session:
            ended = judged(
                session,
                begin,
                {f"changed_{number}": "pkg/module_0.py", "function_1": "pkg/module_1.py", "more_9": "more/module_9.py"},
            )
            if session.snapshot().definitions("function_0") or session.snapshot().definitions(f"changed_{number - 1}"):
                raise Wrong("what was there before is still answered")
        slowest = max(slowest, ended.seconds)
    return Ended(ended.how, slowest)


def cache_corrupt_while_running(folder: Path) -> Ended:
    """The database is overwritten under a running session; then files change."""
    cache = folder.parent / "cache"
    with opened(make(folder), cache) as session:
        session.wait_fresh(WAIT)
        (cache / FILE_NAME).write_bytes(os.urandom(50_000))
        begin = time.monotonic()
        return _changed(folder, session, begin)


def _changed(folder: Path, session: object, begin: float) -> Ended:
    (folder / "pkg/module_0.py").write_text("def function_new(): pass\n")
    session.files_changed(["pkg/module_0.py"])  # type: ignore[attr-defined]
    return judged(session, begin, {"function_new": "pkg/module_0.py", "function_1": "pkg/module_1.py"})  # type: ignore[arg-type]


def cache_locked(folder: Path) -> Ended:
    """Another program holds the database."""
    cache = folder.parent / "cache"
    _indexed(folder, cache)
    holder = sqlite3.connect(cache / FILE_NAME, isolation_level=None)
    try:
        holder.execute("PRAGMA locking_mode=EXCLUSIVE")
        holder.execute("BEGIN EXCLUSIVE")
        begin = time.monotonic()
        with opened(folder, cache) as session:
            return judged(session, begin)
    finally:
        holder.close()


def cache_unusable(folder: Path) -> Ended:
    """The cache folder cannot be made."""
    cache = folder.parent / "cache"
    cache.write_text("a file where the folder should be")
    begin = time.monotonic()
    with opened(make(folder), cache) as session:
        return judged(session, begin)


def cache_deleted(folder: Path) -> Ended:
    """The cache folder is deleted under a running session; then files change."""
    cache = folder.parent / "cache"
    with opened(make(folder), cache) as session:
        session.wait_fresh(WAIT)
        shutil.rmtree(cache)
        return _changed(folder, session, time.monotonic())


_LIMITED = """
import resource, signal, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))
from lsp_server.__main__ import main
main()
"""

_IN_TMPFS = 'mount -t tmpfs -o mode=700,size="$1" none "$2" && shift 2 && exec "$@"'
"""Run as root of a namespace of our own: a file system that nobody else sees, of any size."""


def can_mount(folder: Path) -> bool:
    """True where a user may make a small file system for one process."""
    tried = ["unshare", "-rm", "sh", "-c", _IN_TMPFS, "sh", "16k", str(folder), "true"]
    try:
        return subprocess.run(tried, capture_output=True, timeout=WAIT, check=False).returncode == 0
    except OSError:
        return False


def _searched(folder: Path, *start: str) -> Ended:
    """`search` finds a function, and says what is wrong on stderr."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder.parent / "cache")}
    begin = time.monotonic()
    command = [*start, "search", "function_7", "--json", "--root", str(folder)]
    ran = subprocess.run(command, capture_output=True, env=environment, timeout=WAIT, check=False)
    if ran.returncode != 0 or b"module_7.py" not in ran.stdout:
        raise Wrong(f"the function is not found: {ran.stderr.decode()[-500:]}")
    told = ran.stderr.decode().strip().splitlines()
    return Ended(f"degraded: {told[0]}" if told else "right", time.monotonic() - begin)


def disk_full(folder: Path) -> Ended:
    """The cache lies on a file system without a free byte, with few, and with enough to begin."""
    cache = folder.parent / "cache"
    cache.mkdir()
    make(folder)
    python = [sys.executable, "-m", "lsp_server"]
    if not can_mount(cache):
        return Ended("right: not tried, no small file system can be made here", 0.0)
    ends = [
        _searched(folder, "unshare", "-rm", "sh", "-c", _IN_TMPFS, "sh", size, str(cache), *python)
        for size in ("4k", "60k", "100k")
    ]
    if not all(ended.how.startswith("degraded") for ended in ends):
        raise Wrong(f"nothing is said: {ends}")
    return Ended(ends[-1].how, max(ended.seconds for ended in ends))


def file_size_limited(folder: Path) -> Ended:
    """No file can grow beyond 30 kB."""
    return _searched(make(folder), sys.executable, "-c", _LIMITED)


def workspace_read_only(folder: Path) -> Ended:
    """Nothing in the workspace can be written, and nothing is."""
    make(folder)
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    for path in (folder, *before):
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        begin = time.monotonic()
        with opened(folder, folder.parent / "cache") as session:
            ended = judged(session, begin)
    finally:
        for path in (folder, *before):
            path.chmod(0o755 if path.is_dir() else 0o644)
    if before != {path: path.stat().st_mtime_ns for path in folder.rglob("*")}:
        raise Wrong("the workspace was written to")
    return ended


def watcher_lost(folder: Path) -> Ended:
    """Nobody tells of a changed file; a request reads it anew, and `reindex` finds it."""
    with opened(make(folder)) as session:
        session.wait_fresh(WAIT)
        (folder / "pkg/module_0.py").write_text("def function_new(): pass\n")
        begin = time.monotonic()
        if "function_new" not in session.reader().read("pkg/module_0.py").text:
            raise Wrong("a stale text is shown")
        session.reindex()
        return judged(session, begin, {"function_new": "pkg/module_0.py", "function_1": "pkg/module_1.py"})


def branch_switched(folder: Path) -> Ended:
    """Another commit is checked out without any event."""
    git(make(folder), "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "one")
    git(folder, "checkout", "-qb", "other")
    (folder / "pkg/module_0.py").write_text("def function_new(): pass\n")
    git(folder, "commit", "-qam", "two")
    git(folder, "checkout", "-q", "main")
    with opened(folder) as session:
        session.wait_fresh(WAIT)
        git(folder, "checkout", "-q", "other")
        begin = time.monotonic()
        while not session.snapshot().definitions("function_new"):
            if time.monotonic() - begin > WAIT:
                raise Wrong("the other branch is not noticed")
            time.sleep(0.05)
        return judged(session, begin, {"function_new": "pkg/module_0.py", "function_1": "pkg/module_1.py"})


def clock_moved(folder: Path) -> Ended:
    """The clock was years ahead and is set back; files change to the same size in a past that never was."""
    cache = folder.parent / "cache"
    make(folder)
    for path in folder.rglob("*.py"):
        os.utime(path, (4_000_000_000, 4_000_000_000))
    with opened(folder, cache) as session:
        session.wait_fresh(WAIT)
    changed = folder / "pkg/module_0.py"
    changed.write_text(changed.read_text().replace("function_0", "function_X"))
    os.utime(changed, (1_000_000_000, 1_000_000_000))
    begin = time.monotonic()
    with opened(folder, cache) as session:
        return judged(session, begin, {"function_X": "pkg/module_0.py", "function_1": "pkg/module_1.py"})


def index_broken(folder: Path) -> Ended:
    """A fault of our own inside the index's thread."""
    original = IndexTurns._scan

    def broken(self: IndexTurns) -> None:
        raise RuntimeError("injected")

    IndexTurns._scan = broken  # type: ignore[method-assign]
    try:
        begin = time.monotonic()
        with opened(make(folder)) as session:
            return judged(session, begin)
    finally:
        IndexTurns._scan = original  # type: ignore[method-assign]


def git_missing(folder: Path) -> Ended:
    """There is a repository, but no `git` to ask."""
    git(make(folder), "init", "-q")
    path = os.environ["PATH"]
    os.environ["PATH"] = "/nonexistent"
    try:
        begin = time.monotonic()
        with opened(folder) as session:
            return judged(session, begin)
    finally:
        os.environ["PATH"] = path


def two_servers(folder: Path) -> Ended:
    """Two sessions fill one cache at once, then both see a change."""
    cache = folder.parent / "cache"
    make(folder)
    begin = time.monotonic()
    with opened(folder, cache) as one, opened(folder, cache) as other:
        judged(one, begin)
        judged(other, begin)
        if contents(one.snapshot()) != contents(other.snapshot()):
            raise Wrong("the two servers disagree")
        _changed(folder, one, begin)
        return _changed(folder, other, time.monotonic())


def joined_server_killed(folder: Path) -> Ended:
    """A tool that joined an editor's server loses it, and is told so at once."""
    mark = f"FAULT_{uuid.uuid4().hex}"
    # A socket address holds about a hundred bytes: the folder of a test is often longer.
    runtime = Path(tempfile.mkdtemp(prefix="rc-"))
    os.environ["XDG_RUNTIME_DIR"] = str(runtime)
    try:
        started = server(make(folder), XDG_RUNTIME_DIR=str(runtime), FAULT_MARK=mark)
        _ask_until_shared(folder)
        os.kill(started.process.pid, signal.SIGKILL)
        begin = time.monotonic()
        try:
            ask_shared([folder], "status", {})
            raise Wrong("a dead server answered")
        except NobodyShares:
            pass
        with opened(folder) as session:  # what a tool does then
            ended = judged(session, begin)
        wait_gone(mark, begin)
        return ended
    finally:
        del os.environ["XDG_RUNTIME_DIR"]


def _ask_until_shared(folder: Path) -> None:
    begin = time.monotonic()
    while True:
        try:
            ask_shared([folder], "status", {})
            return
        except NobodyShares:
            if time.monotonic() - begin > WAIT:
                raise Wrong("the server does not share its session") from None
            time.sleep(0.05)


def pipe_closed_inside_a_message(folder: Path) -> Ended:
    """The client's end closes in the middle of a message."""
    mark = f"FAULT_{uuid.uuid4().hex}"
    started = server(make(folder), FAULT_MARK=mark)
    assert started.process.stdin is not None
    started.process.stdin.write(b'Content-Length: 9999\r\n\r\n{"jsonrpc"')
    started.process.stdin.flush()
    begin = time.monotonic()
    started.process.stdin.close()
    return wait_gone(mark, begin)


def client_reads_no_more(folder: Path) -> Ended:
    """The client closes its reading end while it keeps asking."""
    mark = f"FAULT_{uuid.uuid4().hex}"
    process = subprocess.Popen(
        [sys.executable, "-m", "lsp_server"],
        cwd=make(folder),
        env={**os.environ, "FAULT_MARK": mark},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdout is not None
    assert process.stdin is not None
    process.stdout.close()
    begin = time.monotonic()
    body = (
        b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"capabilities":{},"rootUri":null}}'
    )
    process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    process.stdin.flush()
    process.wait(WAIT)
    return wait_gone(mark, begin)


def killed(folder: Path, times: int) -> Ended:
    """Servers are killed while they index; none of their processes may stay."""
    mark = f"FAULT_{uuid.uuid4().hex}"
    make(folder)
    slowest = 0.0
    for _ in range(times):
        started = server(folder, FAULT_MARK=mark, XDG_CACHE_HOME=str(folder.parent / uuid.uuid4().hex))
        begin = time.monotonic()
        while len(marked(mark)) < 2 and time.monotonic() - begin < 2.0:
            time.sleep(0.01)
        started.process.kill()
        started.process.wait()
        slowest = max(slowest, wait_gone(mark, time.monotonic()).seconds)
    return Ended("right", slowest)


FAULTS: Mapping[str, Fault] = MappingProxyType(
    {
        "worker killed": worker_killed,
        "cache corrupt": cache_corrupt,
        "index image corrupt": index_image_corrupt,
        "cache corrupt while running": cache_corrupt_while_running,
        "cache locked": cache_locked,
        "cache unusable": cache_unusable,
        "cache deleted while running": cache_deleted,
        "disk full": disk_full,
        "file size limited": file_size_limited,
        "workspace read-only": workspace_read_only,
        "watcher lost": watcher_lost,
        "branch switched": branch_switched,
        "clock moved": clock_moved,
        "index broken": index_broken,
        "git missing": git_missing,
        "two servers": two_servers,
        "joined server killed": joined_server_killed,
        "pipe closed inside a message": pipe_closed_inside_a_message,
        "client reads no more": client_reads_no_more,
    }
)

assert FILES > 24, "few files are extracted without workers"
