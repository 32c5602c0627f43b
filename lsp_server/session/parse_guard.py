"""What may be parsed in this process, and for how long; the rest is left to workers.

A grammar that crashes takes its process along. Those that are known to have crashed did so on what no hand
writes: brackets or indentation without end, control characters, lines of many thousand characters. And one
that does not come to an end would hold the index up.
"""

from __future__ import annotations

import time

from ..model.errors import RepoContextError

FILE_SECONDS = 0.5
"""Processor time for a file of the disk: what is extracted here takes some 0.1 s. A worker goes on with it."""

BUFFER_SECONDS = 3.0
"""Processor time for an open document, which no worker can take over. A megabyte of ordinary code takes about one."""

MAX_NESTING = 200
MAX_LINE = 20_000
"""Bytes of one line; scanners keep what they have seen of it."""

DEEP_INDENT = 400
"""Blanks in a row. Indenting by four, that is a hundred levels; scanners keep a stack of them in 1,024 bytes."""

_PAIR, _OPEN = b"()", 0x28
_NOT_BRACKETS = bytes(byte for byte in range(256) if byte not in b"()[]{}")
_ONE_KIND = bytes.maketrans(b"[]{}", b"()()")
_CONTROLS = bytes(byte for byte in (*range(32), 127) if byte not in b"\t\n\f\r\x1b")
_LAYERS = 40


class LeftToWorker(RepoContextError):
    """The text is not to be parsed in this process."""


class ParseGuard:
    """Admits ordinary text and limits the processor time of this thread from the moment it is made."""

    def __init__(self, seconds: float) -> None:
        self._end = time.thread_time() + seconds

    def admit(self, source: bytes) -> None:
        """Raises LeftToWorker for text that no hand wrote."""
        if not is_ordinary(source):
            raise LeftToWorker("too odd to be parsed inside the server")

    @property
    def is_over(self) -> bool:
        """True when the time is over."""
        return time.thread_time() > self._end

    def checkpoint(self) -> None:
        """Raises LeftToWorker when the time is over."""
        if self.is_over:
            raise LeftToWorker("took too long to parse")


def is_ordinary(source: bytes) -> bool:
    """True for text that a person or a common tool may have written."""
    if len(source.translate(None, _CONTROLS)) != len(source):
        return False
    if b" " * DEEP_INDENT in source or b"\t" * (DEEP_INDENT // 4) in source:
        return False
    if len(source) > MAX_LINE and max(map(len, source.splitlines())) > MAX_LINE:
        return False
    return nesting_of(source) <= MAX_NESTING


def nesting_of(source: bytes) -> int:
    """How deep brackets are nested, counted without regard to strings and to their kind.

    Layer by layer the innermost pairs are taken away, which is quick as long as there are few layers; what is
    then left is counted one by one, and the result may be up to _LAYERS too high.
    """
    left = source.translate(_ONE_KIND, _NOT_BRACKETS)
    layers = 0
    while _PAIR in left and layers < _LAYERS:
        left = left.replace(_PAIR, b"")
        layers += 1
    depth = deepest = 0
    for byte in left:
        if byte == _OPEN:
            depth += 1
            deepest = max(deepest, depth)
        elif depth:
            depth -= 1
    return layers + deepest
