"""Reading a workspace file, safely and anew each time.

A path from a client or a stored fact may meanwhile be a link, a pipe or gone. The file is opened without
following a link and without waiting, and what was really opened is compared with what was asked for, so
a folder swapped for a link cannot lead out of the workspace between check and use.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from dataclasses import field
from pathlib import Path

from lsp_server.model.errors import PathError, SourceDenied, SourceMissing, SourceUnreadable
from lsp_server.model.source import SourceText
from lsp_server.model.values import Value
from lsp_server.text.hashing import content_hash
from lsp_server.text.line_table import split_lines

from .decode import Decoded, decode
from .paths import fold_path
from .privacy import PrivacyPolicy
from .roots import Roots
from .shape import is_minified
from .skip import SkipReason, SourceRefused

DEFAULT_MAX_BYTES = 20_000_000
"""Largest file that is read for showing. What is parsed is bounded further, by the index."""

_OPEN_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)
_MISSING = frozenset({errno.ENOENT, errno.ENOTDIR})
_DARWIN_GETPATH = 50  # F_GETPATH of <sys/fcntl.h>


class Loaded(Value):
    """A file's text with what is needed to write it back and to notice changes."""

    source: SourceText
    decoded: Decoded
    size: int
    mtime_ns: int
    mode: int


class DiskReader(Value):
    """Reads files of the workspace from the disk; a SourceReader. Holds no state and can be pickled."""

    roots: Roots
    privacy: PrivacyPolicy = field(default_factory=PrivacyPolicy)
    max_bytes: int = DEFAULT_MAX_BYTES

    def read(self, path: str) -> SourceText:
        """The text of `path` as it is on the disk now; the result's path is canonical (links followed).

        Raises SourceDenied, SourceMissing, SourceRefused (binary, too large, not a regular file) or
        SourceUnreadable.
        """
        return self.load(path).source

    def read_for_index(self, path: str) -> SourceText:
        """The same; raises SourceRefused too for a minified text."""
        source = self.load(path).source
        if is_minified(source.text):
            raise SourceRefused(path, SkipReason.MINIFIED)
        return source

    def allowed(self, path: str) -> bool:
        """False when the privacy policy forbids showing anything of `path`, or of what it links to."""
        try:
            canonical = fold_path(path)
            if self.privacy.denied(canonical):
                return False
            if _is_itself(str(self.roots.absolute(canonical))):
                return True
            target = self.roots.resolve(path)
        except PathError:
            return False
        return target is not None and not self.privacy.denied(target)

    def load(self, path: str) -> Loaded:
        """The text with encoding, byte order mark, size, time and mode. Raises as `read` does."""
        canonical = self._checked(path)
        handle, canonical = self._open(path, canonical)
        try:
            status = os.fstat(handle)
            if not stat.S_ISREG(status.st_mode):
                raise SourceRefused(path, SkipReason.SPECIAL)
            if status.st_size > self.max_bytes:
                raise SourceRefused(path, SkipReason.TOO_LARGE)
            data = _read(handle, self.max_bytes + 1)
        except OSError as error:
            raise _source_error(path, error) from error
        finally:
            os.close(handle)
        if len(data) > self.max_bytes:
            raise SourceRefused(path, SkipReason.TOO_LARGE)
        decoded = decode(data, path)
        return Loaded(_source(canonical, decoded), decoded, len(data), status.st_mtime_ns, stat.S_IMODE(status.st_mode))

    def _checked(self, path: str) -> str:
        try:
            canonical = fold_path(path)
            self.roots.split(canonical)
        except PathError as error:
            raise SourceUnreadable(path, error.problem) from error
        if self.privacy.denied(canonical):
            raise SourceDenied(path)
        return canonical

    def _open(self, asked: str, canonical: str) -> tuple[int, str]:
        """A handle, and the canonical path of what it really is; follows links inside the workspace once."""
        place = str(self.roots.absolute(canonical))
        handle = _try_open(asked, place)
        if handle is not None:
            real = _path_of(handle, place)
            if real == place or os.path.realpath(place) == place:
                return handle, canonical
            os.close(handle)
        target = self.roots.canonical(place)
        if target is None:
            raise SourceUnreadable(asked, "a link leads out of the workspace")
        if self.privacy.denied(target):
            raise SourceDenied(asked)
        place = str(self.roots.absolute(target))
        handle = _try_open(asked, place)
        if handle is None:
            raise SourceUnreadable(asked, "a link that leads nowhere")
        if _path_of(handle, place) != place and os.path.realpath(place) != place:
            os.close(handle)
            raise SourceUnreadable(asked, "the file was exchanged while it was opened")
        return handle, target


def _source(path: str, decoded: Decoded) -> SourceText:
    lines, ends = split_lines(decoded.text)
    return SourceText(path, decoded.text, lines, ends, content_hash(decoded.text), encoding=decoded.encoding)


def _try_open(asked: str, place: str) -> int | None:
    """A handle, or None when `place` is a link; raises SourceError otherwise."""
    if not hasattr(os, "O_NOFOLLOW") and Path(place).is_symlink():
        return None
    try:
        return os.open(place, _OPEN_FLAGS)
    except OSError as error:
        if error.errno in (errno.ELOOP, getattr(errno, "EMLINK", -1)):
            return None
        raise _source_error(asked, error) from error
    except ValueError as error:
        raise SourceUnreadable(asked, str(error)) from error


def _path_of(handle: int, place: str) -> str:
    """The real path of an open file."""
    try:
        if sys.platform == "linux":
            return os.readlink(f"/proc/self/fd/{handle}")
        if sys.platform == "darwin":
            import fcntl

            return os.fsdecode(fcntl.fcntl(handle, _DARWIN_GETPATH, bytes(1024)).rstrip(b"\0"))
    except OSError:
        pass
    return os.path.realpath(place)


def _is_itself(place: str) -> bool:
    """True when there is a file at `place` and no part of the path is a link; False when that needs a closer look."""
    if sys.platform != "linux":
        return False
    try:
        handle = os.open(place, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC)
    except (OSError, ValueError):
        return False
    try:
        return stat.S_ISREG(os.fstat(handle).st_mode) and os.readlink(f"/proc/self/fd/{handle}") == place
    except OSError:
        return False
    finally:
        os.close(handle)


def _read(handle: int, limit: int) -> bytes:
    pieces: list[bytes] = []
    left = limit
    while left > 0:
        piece = os.read(handle, min(left, 1 << 20))
        if not piece:
            break
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)


def _source_error(path: str, error: OSError) -> SourceMissing | SourceUnreadable:
    if error.errno in _MISSING:
        return SourceMissing(path)
    if error.errno == errno.ENXIO:  # a socket, or a pipe nobody reads
        return SourceRefused(path, SkipReason.SPECIAL)
    return SourceUnreadable(path, (error.strerror or "cannot be read").lower())
