"""The tables of the facts store and every statement on them. Errors of the database pass through."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from ..model.values import Value

SCHEMA_VERSION = 1
_BATCH = 400
_REUSED_AFTER_HOURS = 24
"""The last use of a blob is kept to the day: reading must not become writing."""
_TRIM_TO = 0.9

_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS facts (id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, used INTEGER NOT NULL,"
    " size INTEGER NOT NULL, checksum INTEGER NOT NULL, data BLOB NOT NULL)",
    "CREATE INDEX IF NOT EXISTS facts_by_use ON facts (used, size)",
    "CREATE TABLE IF NOT EXISTS workspace (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, head TEXT,"
    " used INTEGER NOT NULL)",
    "CREATE TABLE IF NOT EXISTS manifest (workspace INTEGER NOT NULL, path TEXT NOT NULL, size INTEGER NOT NULL,"
    " mtime_ns INTEGER NOT NULL, content_hash TEXT NOT NULL, language TEXT NOT NULL, noted_ns INTEGER NOT NULL,"
    " PRIMARY KEY (workspace, path)) WITHOUT ROWID",
)


class FactsKey(Value):
    """What facts depend on beside the program's versions: the content and the language it is read as."""

    content_hash: str
    language: str


class ManifestRow(Value):
    """A file as it was when it was indexed.

    `noted_ns` is a time not later than when the content was read (the start of the scan will do); 0 when
    that is not known, and the file is then looked at again (see `freshness`).
    """

    path: str
    size: int
    mtime_ns: int
    content_hash: str
    language: str
    noted_ns: int = 0

    @property
    def key(self) -> FactsKey:
        """The key of the file's facts."""
        return FactsKey(self.content_hash, self.language)


class Manifest(Value):
    """What a workspace held when it was last seen whole: files by path, and the commit checked out then."""

    files: Mapping[str, ManifestRow]
    head: str | None = None


class DamagedBlob(sqlite3.DatabaseError):
    """A blob does not match its checksum."""


def create_tables(database: sqlite3.Connection) -> None:
    """Make the tables of this schema where they are missing."""
    if database.execute("PRAGMA user_version").fetchone()[0] == SCHEMA_VERSION:
        return
    database.execute("BEGIN IMMEDIATE")
    for statement in _SCHEMA:
        database.execute(statement)
    database.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    database.execute("COMMIT")


def read_facts(
    database: sqlite3.Connection, digests: Iterable[bytes], hour: int
) -> tuple[dict[bytes, bytes], list[int]]:
    """Blobs by digest, and the rows whose last use should be noted anew; DamagedBlob when one has changed."""
    found: dict[bytes, bytes] = {}
    aged: list[int] = []
    for batch in _batches(digests):
        marks = ",".join("?" * len(batch))
        query = f"SELECT id, key, used, checksum, data FROM facts WHERE key IN ({marks})"
        for row, digest, used, checksum, data in database.execute(query, batch):
            if _checksum(digest, data) != checksum:
                raise DamagedBlob("a blob does not match its checksum")
            found[digest] = data
            if used + _REUSED_AFTER_HOURS <= hour:
                aged.append(row)
    return found, aged


def write_facts(database: sqlite3.Connection, blobs: Mapping[bytes, bytes], hour: int) -> None:
    """Add blobs; those that are there already stay as they are (they are the same)."""
    rows = [(digest, hour, len(data), _checksum(digest, data), data) for digest, data in blobs.items()]
    database.executemany("INSERT OR IGNORE INTO facts (key, used, size, checksum, data) VALUES (?, ?, ?, ?, ?)", rows)


def mark_used(database: sqlite3.Connection, rows: Sequence[int], hour: int) -> None:
    """Note that rows were used in this hour."""
    database.executemany("UPDATE facts SET used = ? WHERE id = ?", [(hour, row) for row in rows])


def drop_oldest(database: sqlite3.Connection, max_bytes: int) -> None:
    """When there are more than `max_bytes` of blobs, delete the longest unused down to nine tenths of that."""
    total = int(database.execute("SELECT total(size) FROM facts").fetchone()[0])
    if total <= max_bytes:
        return
    excess = total - int(max_bytes * _TRIM_TO)
    doomed: list[tuple[int]] = []
    for row, size in database.execute("SELECT id, size FROM facts ORDER BY used, id"):
        if excess <= 0:
            break
        doomed.append((row,))
        excess -= size
    database.executemany("DELETE FROM facts WHERE id = ?", doomed)
    database.execute("PRAGMA incremental_vacuum").fetchall()


def read_manifest(database: sqlite3.Connection, workspace: str) -> Manifest:
    """The manifest of `workspace`."""
    known = database.execute("SELECT id, head FROM workspace WHERE name = ?", (workspace,)).fetchone()
    if known is None:
        return Manifest({})
    query = "SELECT path, size, mtime_ns, content_hash, language, noted_ns FROM manifest WHERE workspace = ?"
    files = database.execute(query, (known[0],))
    return Manifest({each[0]: ManifestRow(*each) for each in files}, known[1])


def write_manifest(
    database: sqlite3.Connection,
    workspace: str,
    changed: Iterable[ManifestRow],
    removed: Iterable[str],
    head: str | None,
    hour: int,
) -> None:
    """Bring the manifest of `workspace` up to date."""
    number = database.execute(
        "INSERT INTO workspace (name, head, used) VALUES (?, ?, ?)"
        " ON CONFLICT (name) DO UPDATE SET head = excluded.head, used = excluded.used RETURNING id",
        (workspace, head, hour),
    ).fetchone()[0]
    gone = [(number, path) for path in removed]
    database.executemany("DELETE FROM manifest WHERE workspace = ? AND path = ?", gone)
    rows = [
        (number, each.path, each.size, each.mtime_ns, each.content_hash, each.language, each.noted_ns)
        for each in changed
    ]
    database.executemany("INSERT OR REPLACE INTO manifest VALUES (?, ?, ?, ?, ?, ?, ?)", rows)


def delete_manifest(database: sqlite3.Connection, workspace: str) -> None:
    """Drop the manifest of `workspace`."""
    known = database.execute("DELETE FROM workspace WHERE name = ? RETURNING id", (workspace,)).fetchone()
    if known is not None:
        database.execute("DELETE FROM manifest WHERE workspace = ?", known)


def _checksum(digest: bytes, data: bytes) -> int:
    return zlib.crc32(data, zlib.crc32(digest))


def _batches(values: Iterable[bytes]) -> Iterator[list[bytes]]:
    rest = iter(values)
    while batch := list(islice(rest, _BATCH)):
        yield batch
