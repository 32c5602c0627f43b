"""Globs over canonical paths."""

from __future__ import annotations

import re
from functools import lru_cache


@lru_cache(maxsize=256)
def glob_pattern(glob: str) -> re.Pattern[str]:
    """`glob` as a pattern for `fullmatch` on a whole path.

    `*` and `?` stay inside a part, `**` crosses parts, `[...]` is a set, everything else is literal.
    A glob without `/` is matched against the base name in any folder.
    """
    anchored = glob.lstrip("/") if "/" in glob else "**/" + glob
    pieces: list[str] = []
    at = 0
    while at < len(anchored):
        if anchored.startswith("**/", at):
            pieces.append("(?:[^/]+/)*")
            at += 3
        elif anchored.startswith("**", at):
            pieces.append(".*")
            at += 2
        elif anchored[at] == "*":
            pieces.append("[^/]*")
            at += 1
        elif anchored[at] == "?":
            pieces.append("[^/]")
            at += 1
        elif anchored[at] == "[" and (end := anchored.find("]", at + 2)) > 0:
            inside = anchored[at + 1 : end].replace("\\", "\\\\").replace("[", "\\[")
            negated = inside.startswith("!")
            pieces.append("[^/" + inside[1:] + "]" if negated else "[" + inside + "]")
            at = end + 1
        else:
            pieces.append(re.escape(anchored[at]))
            at += 1
    return re.compile("".join(pieces), re.DOTALL)
