"""Running the user's own commands: without a shell where given as a list, bounded in time and output."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from ..model.errors import ModelCommandError

MAX_OUTPUT = 8_000_000
"""Bytes of output that are kept: the first and the last half of it."""


_NO_BYTECODE = {"PYTHONDONTWRITEBYTECODE": "1"}
"""Python tells whether bytecode is of a source by its size and the second of its last change: what a run leaves behind
would hide an edit of the same length that follows at once (`min` to `max`)."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A command that ended. `code` is negative for a signal; `output` is stdout (and stderr, when joined)."""

    code: int
    output: bytes
    errors: bytes
    seconds: float
    timed_out: bool = False


def words_of(command: str) -> tuple[str, ...]:
    """A command line split as a POSIX shell would; no shell ever runs it. Raises ModelCommandError."""
    try:
        words = tuple(shlex.split(command))
    except ValueError as error:
        raise ModelCommandError(f"cannot read the command {command!r}: {error}") from None
    if not words:
        raise ModelCommandError("the command is empty")
    return words


def run_joined(words: Sequence[str], folder: Path, seconds: float) -> Finished:
    """Run with stdout and stderr as one output, as a terminal shows them."""
    return _run(words, folder, seconds, b"", subprocess.STDOUT)


def run_piped(words: Sequence[str], folder: Path, seconds: float, given: bytes) -> Finished:
    """Run with `given` on stdin; stdout and stderr apart."""
    return _run(words, folder, seconds, given, subprocess.PIPE)


def _run(words: Sequence[str], folder: Path, seconds: float, given: bytes, stderr: int) -> Finished:
    begin = time.monotonic()
    # Output goes to files: a grandchild that keeps a pipe open cannot hold us up.
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, tempfile.TemporaryFile() as stdin:
        stdin.write(given)
        stdin.seek(0)
        try:
            process = subprocess.Popen(
                list(words),
                cwd=folder,
                stdin=stdin,
                stdout=out,
                stderr=out if stderr == subprocess.STDOUT else err,
                start_new_session=os.name != "nt",
                env={**os.environ, **_NO_BYTECODE},
            )
        except OSError as error:
            raise ModelCommandError(f"cannot run {words[0]!r}: {error.strerror or error}") from None
        timed_out = False
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            timed_out = True
        finally:
            _end(process)
        return Finished(process.returncode, _kept(out), _kept(err), time.monotonic() - begin, timed_out)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the command with everything it started."""
    with contextlib.suppress(OSError):
        if os.name != "nt":
            os.killpg(process.pid, signal.SIGKILL)
        elif process.poll() is None:
            process.kill()
    process.wait()


def _kept(file: BinaryIO) -> bytes:
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    if size <= MAX_OUTPUT:
        return file.read()
    head = file.read(MAX_OUTPUT // 2)
    file.seek(size - MAX_OUTPUT // 2)
    return head + b"\n[... output cut ...]\n" + file.read()
