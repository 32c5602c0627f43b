"""Regular expressions that are compiled when first used: a process uses few of all there are."""

from __future__ import annotations

import re
from typing import Any, cast


class _LatePattern:
    """Has the attributes of the compiled pattern, which it keeps once one of them is asked for."""

    def __init__(self, source: str, flags: int) -> None:
        self._late = (source, flags)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        pattern = re.compile(*self._late)
        for each in ("match", "search", "fullmatch", "finditer", "findall", "sub", "split", "pattern"):
            setattr(self, each, getattr(pattern, each))
        return getattr(pattern, name)


def late_pattern(source: str, flags: int = 0) -> re.Pattern[str]:
    """Like `re.compile`, which it calls at the first use. A mistake in `source` is told only then."""
    return cast("re.Pattern[str]", _LatePattern(source, flags))
