"""Writing files back: all or none, each by one rename; encoding, byte order mark, line ends and mode stay.

Line ends are the text's own: this module changes none. Nothing is written outside the workspace, through
a link that leads out, into `.git`, or to a file that the privacy policy denies.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from lsp_server.model.errors import PathError, SourceDenied, SourceStale, SourceUnreadable
from lsp_server.model.values import Value

from .reader import DiskReader, Loaded

DEFAULT_NEW_FILE_MODE = 0o644


class FileWrite(Value):
    """A file's whole new text. `expected_hash` is the content hash of the text it replaces, None to create."""

    path: str
    text: str
    expected_hash: str | None


class _Staged(Value):
    """A write that waits beside its file, with what undoes it."""

    path: str
    place: Path
    temporary: Path
    original: bytes | None


def write_files(reader: DiskReader, writes: Sequence[FileWrite]) -> tuple[str, ...]:
    """Writes all files or none; returns their canonical paths.

    Raises, with nothing changed: SourceDenied (privacy, `.git`), SourceStale (the disk no longer holds
    the expected text, or a file to create exists), SourceMissing (a file to change is gone),
    SourceUnreadable (outside the workspace, an encoding that cannot hold the new text, no permission).
    """
    staged: list[_Staged] = []
    made: list[Path] = []
    try:
        for write in writes:
            staged.append(_stage(reader, write, made))  # noqa: PERF401 - what is staged so far must be undone
        _commit(staged)
    except BaseException:
        for one in staged:
            one.temporary.unlink(missing_ok=True)
        for folder in reversed(made):
            with contextlib.suppress(OSError):
                folder.rmdir()
        raise
    return tuple(one.path for one in staged)


def _stage(reader: DiskReader, write: FileWrite, made: list[Path]) -> _Staged:
    path = _target(reader, write.path)
    place = reader.roots.absolute(path)
    if write.expected_hash is None:
        if os.path.lexists(place):
            raise SourceStale(write.path, "the file to create exists by now")
        _make_folders(write.path, place.parent, made)
        return _Staged(path, place, _temporary(write, place, write.text.encode(), DEFAULT_NEW_FILE_MODE), None)
    loaded = reader.load(path)
    if loaded.source.content_hash != write.expected_hash:
        raise SourceStale(write.path, "the file has changed since it was read")
    if loaded.decoded.lossy:
        raise SourceUnreadable(write.path, f"some bytes are not {loaded.decoded.encoding}; writing would lose them")
    data = _encoded(write, loaded)
    original = loaded.decoded.encode(loaded.source.text)
    return _Staged(path, place, _temporary(write, place, data, loaded.mode), original)


def _target(reader: DiskReader, path: str) -> str:
    """The canonical path to write to, links inside the workspace followed."""
    try:
        target = reader.roots.resolve(path)
    except PathError as error:
        raise SourceUnreadable(path, error.problem) from error
    if target is None:
        raise SourceUnreadable(path, "leads out of the workspace")
    if reader.privacy.denied(path) or reader.privacy.denied(target):
        raise SourceDenied(path)
    return target


def _encoded(write: FileWrite, loaded: Loaded) -> bytes:
    try:
        return loaded.decoded.encode(write.text)
    except UnicodeEncodeError as error:
        problem = f"the file's encoding {loaded.decoded.encoding} has no {write.text[error.start]!r}"
        raise SourceUnreadable(write.path, problem) from error


def _make_folders(asked: str, folder: Path, made: list[Path]) -> None:
    missing: list[Path] = []
    while not folder.exists():
        missing.append(folder)
        folder = folder.parent
    try:
        for one in reversed(missing):
            one.mkdir()
            made.append(one)
    except OSError as error:
        raise SourceUnreadable(asked, (error.strerror or "cannot be created").lower()) from error


def _temporary(write: FileWrite, place: Path, data: bytes, mode: int) -> Path:
    """A finished, flushed file beside `place`."""
    try:
        handle, name = tempfile.mkstemp(prefix=".repo-context-", suffix=".tmp", dir=place.parent)
    except OSError as error:
        raise SourceUnreadable(write.path, (error.strerror or "cannot be written").lower()) from error
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, mode)
    except OSError as error:
        Path(name).unlink(missing_ok=True)
        raise SourceUnreadable(write.path, (error.strerror or "cannot be written").lower()) from error
    return Path(name)


def _commit(staged: Sequence[_Staged]) -> None:
    done: list[_Staged] = []
    for one in staged:
        try:
            os.replace(one.temporary, one.place)
        except OSError as error:
            _undo(done)
            raise SourceUnreadable(one.path, (error.strerror or "cannot be written").lower()) from error
        done.append(one)


def _undo(done: Sequence[_Staged]) -> None:
    """Puts back what was replaced before a later rename failed."""
    for one in reversed(done):
        with contextlib.suppress(OSError):
            if one.original is None:
                one.place.unlink()
            else:
                mode = one.place.stat().st_mode & 0o7777
                handle, name = tempfile.mkstemp(prefix=".repo-context-", suffix=".tmp", dir=one.place.parent)
                with os.fdopen(handle, "wb") as file:
                    file.write(one.original)
                os.chmod(name, mode)
                os.replace(name, one.place)
