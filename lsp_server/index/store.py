"""FactsStore: facts of file contents on disk, shared by all servers of a user.

One SQLite file (WAL) in the user's cache folder: encoded facts by content, and per workspace a manifest
of which path held which content at which size and time. Facts are keyed by what they depend on
(content, language, extractor, encoding), so processes can only ever write the same thing twice.

Nothing here raises for a fault of disk or database: reads find nothing, writes do nothing, `degraded`
says why, and it is tried again later. Every blob carries a checksum over key and bytes, so a damaged
file costs time, never a wrong answer. Text of unsaved buffers never gets here (`put` refuses it).

Not thread-safe: one caller at a time, on any thread.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import TypeVar

from ..model.candidate import Origin
from .encoding import ENCODING_VERSION
from .store_faults import Fault, fault_of
from .store_tables import (
    SCHEMA_VERSION,
    DamagedBlob,
    FactsKey,
    Manifest,
    ManifestRow,
    create_tables,
    delete_manifest,
    drop_oldest,
    mark_used,
    read_facts,
    read_manifest,
    write_facts,
    write_manifest,
)

__all__ = ["FactsKey", "FactsStore", "Manifest", "ManifestRow"]

T = TypeVar("T")

FILE_NAME = f"facts-{SCHEMA_VERSION}.sqlite3"
"""Another schema is another file, so different releases share a folder."""

DEFAULT_MAX_BYTES = 1_000_000_000
BUSY_SECONDS = 0.5
"""How long one operation waits for another process."""
RETRY_SECONDS: Mapping[Fault, float] = {
    Fault.CORRUPT: 0.0,
    Fault.LOCKED: 5.0,
    Fault.READ_ONLY: 60.0,
    Fault.FULL: 60.0,
    Fault.UNUSABLE: 60.0,
}
"""How long to leave the store alone after a fault."""
_READING, _WRITING, _DAMAGE = "reading", "writing", "damage"
_TRIM_EVERY_BYTES = 32_000_000


class FactsStore:
    """See the module's text. `folder` is the cache folder; it is made when it is missing, mode 0700."""

    def __init__(
        self,
        folder: Path,
        extractor_version: int,
        max_bytes: int = DEFAULT_MAX_BYTES,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._folder = folder
        self._version = f"{extractor_version}:{ENCODING_VERSION}"
        self._max_bytes = max_bytes
        self._clock = clock
        self._connection: sqlite3.Connection | None = None
        self._troubles: dict[str, str] = {}
        self._retry_read = 0.0
        self._retry_write = 0.0
        self._since_trim = 0
        self._read(lambda _: None, None)

    @property
    def path(self) -> Path:
        """The database file."""
        return self._folder / FILE_NAME

    @property
    def degraded(self) -> tuple[str, ...]:
        """Why the store works less than whole, for `context/status`; empty when all is well."""
        return tuple(f"facts store: {trouble}" for trouble in self._troubles.values())

    # Facts

    def get(self, keys: Iterable[FactsKey]) -> dict[FactsKey, bytes]:
        """The encoded facts of those keys that are known."""
        wanted = {self._digest(key): key for key in keys}
        today = self._hours()
        found, aged = self._read(lambda database: read_facts(database, wanted, today), ({}, []))
        if aged:
            self._write(lambda database: mark_used(database, aged, today))
        return {wanted[digest]: data for digest, data in found.items()}

    def put(self, facts: Mapping[FactsKey, bytes], origin: Origin = Origin.DISK) -> None:
        """Keep encoded facts. Those of buffers are refused: unsaved text never reaches the disk."""
        if origin is not Origin.DISK or not facts:
            return
        today = self._hours()
        blobs = {self._digest(key): data for key, data in facts.items()}
        self._write(lambda database: write_facts(database, blobs, today))
        self._since_trim += sum(map(len, blobs.values()))
        if self._since_trim >= min(_TRIM_EVERY_BYTES, self._max_bytes // 4):
            self.trim()

    def trim(self) -> None:
        """Drop the facts that were not used for the longest time until the store is within its cap."""
        self._since_trim = 0
        self._write(lambda database: drop_oldest(database, self._max_bytes))

    # Manifest

    def manifest(self, workspace: str) -> Manifest:
        """What is known of `workspace` (any stable name, such as its absolute path); empty when nothing is."""
        return self._read(lambda database: read_manifest(database, workspace), Manifest({}))

    def save_manifest(
        self, workspace: str, changed: Iterable[ManifestRow], removed: Iterable[str] = (), head: str | None = None
    ) -> None:
        """Write down changed and removed files of `workspace`; `head` is the commit they belong to."""
        rows = [row for row in changed if _storable(row.path)]
        gone = [path for path in removed if _storable(path)]
        hour = self._hours()
        self._write(lambda database: write_manifest(database, workspace, rows, gone, head, hour))

    def forget_workspace(self, workspace: str) -> None:
        """Drop the manifest of `workspace`; facts stay until they age out."""
        self._write(lambda database: delete_manifest(database, workspace))

    def close(self) -> None:
        """Close the file; later calls open it again."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(sqlite3.Error):
                connection.close()

    # Inside

    def _hours(self) -> int:
        return int(self._clock()) // 3600

    def _digest(self, key: FactsKey) -> bytes:
        text = "\0".join((key.content_hash, key.language, self._version))
        return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=20).digest()

    def _read(self, operation: Callable[[sqlite3.Connection], T], fallback: T) -> T:
        if self._clock() < self._retry_read:
            return fallback
        try:
            result = operation(self._opened())
        except (sqlite3.Error, OSError) as error:
            self._note(error, reading=True)
            return fallback
        self._troubles.pop(_READING, None)
        return result

    def _write(self, operation: Callable[[sqlite3.Connection], None]) -> None:
        if self._clock() < max(self._retry_read, self._retry_write):
            return
        try:
            database = self._opened()
            database.execute("BEGIN IMMEDIATE")
            try:
                operation(database)
                database.execute("COMMIT")
            except BaseException:
                if database.in_transaction:
                    database.execute("ROLLBACK")
                raise
        except (sqlite3.Error, OSError) as error:
            self._note(error, reading=False)
            return
        self._troubles.pop(_READING, None)
        self._troubles.pop(_WRITING, None)

    def _note(self, error: sqlite3.Error | OSError, *, reading: bool) -> None:
        fault = Fault.CORRUPT if isinstance(error, DamagedBlob) else fault_of(error)
        text = f"{fault}: {error}"
        later = self._clock() + RETRY_SECONDS[fault]
        if fault is Fault.CORRUPT:
            self._troubles[_DAMAGE] = text + " (begun anew)"
            self._set_aside()
        elif reading or fault is Fault.UNUSABLE:
            self._troubles[_READING] = text
            self._retry_read = later
        else:
            self._troubles[_WRITING] = text
            self._retry_write = later

    def _set_aside(self) -> None:
        """Move the damaged file out of the way (the last one is kept for a look) and begin anew at the next call."""
        self.close()
        try:
            for ending in ("-wal", "-shm"):
                self.path.with_name(FILE_NAME + ending).unlink(missing_ok=True)
            self.path.replace(self.path.with_suffix(".corrupt"))
        except FileNotFoundError:
            return
        except OSError as error:
            self._troubles[_READING] = f"damaged and cannot be moved aside: {error}"
            self._retry_read = self._clock() + RETRY_SECONDS[Fault.UNUSABLE]

    def _opened(self) -> sqlite3.Connection:
        if self._connection is None:
            self._connection = _open(self._folder, self.path)
        return self._connection


def _open(folder: Path, path: Path) -> sqlite3.Connection:
    writable = True
    try:
        _make_private(folder, path)
    except OSError as error:
        if fault_of(error) is not Fault.READ_ONLY or not path.is_file():
            raise
        writable = False
    target = f"{path.absolute().as_uri()}?mode={'rw' if writable else 'ro'}"
    connection = sqlite3.connect(
        target, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False, cached_statements=32
    )
    try:
        if writable:
            _prepare(connection)
        connection.execute("SELECT count(*) FROM workspace").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: sqlite3.Connection) -> None:
    for pragma in (
        "auto_vacuum = INCREMENTAL",
        "journal_mode = WAL",
        "synchronous = NORMAL",
        "journal_size_limit = 16000000",
    ):
        connection.execute(f"PRAGMA {pragma}").fetchall()
    create_tables(connection)


def _make_private(folder: Path, path: Path) -> None:
    """Folder 0700 and file 0600, ours alone; PermissionError when the folder belongs to somebody else."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if hasattr(os, "getuid"):
        status = folder.stat()
        if status.st_uid != os.getuid():
            raise OSError(None, f"{folder} belongs to another user")
        if stat.S_IMODE(status.st_mode) & 0o077:
            folder.chmod(0o700)
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
    descriptor = os.open(path, flags, 0o600)
    try:
        if hasattr(os, "fchmod"):
            os.fchmod(descriptor, 0o600)
    finally:
        os.close(descriptor)


def _storable(path: str) -> bool:
    """SQLite keeps text as UTF-8; paths with undecodable bytes are simply looked at anew each time."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True
