"""What can go wrong with the facts store, sorted into what to do about it."""

from __future__ import annotations

import errno
import sqlite3
from enum import StrEnum


class Fault(StrEnum):
    """The ways in which the store fails."""

    CORRUPT = "corrupt"
    """The file is damaged or no database: move it aside, begin anew."""
    LOCKED = "locked"
    """Another process holds it too long: leave it alone for a while."""
    READ_ONLY = "read-only"
    """Reading goes on, nothing is written."""
    FULL = "full"
    """No space: nothing is written for a while."""
    UNUSABLE = "unusable"
    """Anything else: do without for a while."""


_BY_CODE = {
    sqlite3.SQLITE_CORRUPT: Fault.CORRUPT,
    sqlite3.SQLITE_NOTADB: Fault.CORRUPT,
    sqlite3.SQLITE_BUSY: Fault.LOCKED,
    sqlite3.SQLITE_LOCKED: Fault.LOCKED,
    sqlite3.SQLITE_PROTOCOL: Fault.LOCKED,
    sqlite3.SQLITE_READONLY: Fault.READ_ONLY,
    sqlite3.SQLITE_PERM: Fault.READ_ONLY,
    sqlite3.SQLITE_FULL: Fault.FULL,
}
_BY_ERRNO = {
    errno.EROFS: Fault.READ_ONLY,
    errno.EACCES: Fault.READ_ONLY,
    errno.EPERM: Fault.READ_ONLY,
    errno.ENOSPC: Fault.FULL,
    errno.EDQUOT: Fault.FULL,
}
_PRIMARY = 0xFF
"""SQLite's extended result codes keep the primary code in the lowest byte."""


def fault_of(error: sqlite3.Error | OSError) -> Fault:
    """What kind of fault `error` is."""
    if isinstance(error, OSError):
        return _BY_ERRNO.get(error.errno or 0, Fault.UNUSABLE)
    code = getattr(error, "sqlite_errorcode", None)
    if isinstance(code, int):
        return _BY_CODE.get(code & _PRIMARY, Fault.UNUSABLE)
    # Errors of the Python layer carry no code: text that is no UTF-8, a column of the wrong type.
    return Fault.CORRUPT if isinstance(error, sqlite3.OperationalError | sqlite3.DataError) else Fault.UNUSABLE
