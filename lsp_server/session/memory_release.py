"""Giving freed memory back to the system."""

from __future__ import annotations

import sys


def give_memory_back() -> None:
    """After much was freed: glibc else keeps for itself what lies between pieces that are still in use."""
    if sys.platform == "linux":
        import ctypes

        try:
            ctypes.CDLL(None).malloc_trim(0)
        except (OSError, AttributeError):
            return
