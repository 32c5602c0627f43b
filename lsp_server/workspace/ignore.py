"""Which entries are ignored: nested ignore files, the repository's excludes, the user's excludes.

Used where Git cannot answer (no repository, no Git) and for `.repocontextignore` everywhere. Same answer
as `git check-ignore` for untracked files.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

from ..model.values import Value
from .patterns import Pattern, last_match, parse_patterns

OWN_IGNORE_FILE = ".repocontextignore"
MAX_IGNORE_FILE_BYTES = 1_000_000

_EXCLUDES_FILE = re.compile(r"^\s*excludesfile\s*=\s*(.*?)\s*$", re.IGNORECASE)
_SECTION = re.compile(r"^\s*\[\s*([^\]\s\"]+)\s*\]")


class IgnoreFile(Value):
    """Patterns that hold below `base` (bytes, "" for the walk's top, else ending in a slash)."""

    base: bytes
    source: str
    patterns: tuple[Pattern, ...]


class IgnoreMatch(Value):
    """What decided: the file, its line and the pattern."""

    source: str
    pattern: Pattern

    def __str__(self) -> str:
        return f"{self.source}:{self.pattern.line}: {self.pattern.text}"


def read_ignore_file(path: str, base: bytes, source: str) -> IgnoreFile | None:
    """The patterns of the file at `path`; None when there is none to read. Links are not followed."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except (OSError, ValueError):
        return None
    try:
        with os.fdopen(handle, "rb") as file:
            data = file.read(MAX_IGNORE_FILE_BYTES)
    except OSError:
        return None
    patterns = parse_patterns(data)
    return IgnoreFile(base, source, patterns) if patterns else None


def match_entry(files: Iterable[IgnoreFile], path: bytes, is_folder: bool) -> IgnoreMatch | None:
    """What decides on the entry, or None; `files` from the weakest to the strongest.

    The match may be a negation. The entry's parents are taken to be included.
    """
    for file in reversed(tuple(files)):
        if not path.startswith(file.base):
            continue
        pattern = last_match(file.patterns, path[len(file.base) :], is_folder)
        if pattern is not None:
            return IgnoreMatch(file.source, pattern)
    return None


def global_excludes(home: str | None = None, config_home: str | None = None) -> IgnoreFile | None:
    """The user's own excludes: `core.excludesFile` of the user's Git configuration, or its default place."""
    user = home if home is not None else os.path.expanduser("~")
    config = config_home or os.environ.get("XDG_CONFIG_HOME") or os.path.join(user, ".config")
    chosen = os.path.join(config, "git", "ignore")
    for file in (os.path.join(config, "git", "config"), os.path.join(user, ".gitconfig")):
        named = _excludes_setting(file)
        if named is not None:
            chosen = os.path.join(user, named[2:]) if named.startswith("~/") else named
    # Unlike ignore files in the tree, Git follows a link here.
    return read_ignore_file(os.path.realpath(chosen), b"", chosen) if chosen else None


def _excludes_setting(path: str) -> str | None:
    try:
        text = Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    section = ""
    found: str | None = None
    for line in text.split("\n"):
        header = _SECTION.match(line)
        if header:
            section = header.group(1).lower()
            line = line[header.end() :]
        match = _EXCLUDES_FILE.match(line) if section == "core" else None
        if match:
            found = match.group(1).strip('"')
    return found
