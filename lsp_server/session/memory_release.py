"""Giving freed memory back to the system, and keeping the garbage collector off what lives long."""

from __future__ import annotations

import gc
import sys

LARGE_INDEX = 20_000
"""Files of an index through which a full collection takes 0.1 s and more: five objects a file, all threads stopped."""


def give_memory_back() -> None:
    """After much was freed: glibc else keeps for itself what lies between pieces that are still in use."""
    if sys.platform == "linux":
        import ctypes

        try:
            ctypes.CDLL(None).malloc_trim(0)
        except (OSError, AttributeError):
            return


class Unwatched:
    """The rows of a large index, which the collector does not look through while the index lives.

    They hold no circles, so that they go all the same when nothing refers to them. What else was made by then is not
    looked through either; `end` gives all of it back.
    """

    def __init__(self) -> None:
        self._frozen = False

    def begin(self, files: int) -> None:
        """The index has just come to hold so many files."""
        if files >= LARGE_INDEX:
            if self._frozen:
                gc.collect()  # circles that nobody needs any more would stay for good
            self._frozen = True
            gc.freeze()

    def end(self) -> None:
        """The index is not needed any more."""
        if self._frozen:
            self._frozen = False
            gc.unfreeze()
