"""Step 1b: what CI systems and multiplexers put in front of every line, and whose line it is."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lsp_server.text.late_pattern import late_pattern

SHARE = 0.8
"""A prefix is stripped only when at least this share of the lines carries it."""

_STAMP = r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?"
_CLOCK = r"\d\d:\d\d:\d\d(?:[.,]\d{1,9})?"

PREFIXES: tuple[re.Pattern[str], ...] = (
    late_pattern(r"INTERNALERROR> ?"),  # pytest, when a plugin or conftest breaks
    late_pattern(rf"(?:[^\t\n]{{1,80}}\t){{2}}\ufeff?{_STAMP} ?"),  # gh run view --log: job, step, time
    late_pattern(rf"\[?{_STAMP}\]?(?: (?:\d\d[EO]\+?))?(?: \|)? ?"),
    late_pattern(rf"\[?{_CLOCK}\]? ?"),
    late_pattern(r"\[ {0,6}\d{1,7}\.\d{1,6}\] ?"),
    late_pattern(r"[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S{1,80} [\w./-]{1,60}(?:\[\d+\])?: ?"),  # syslog, journald
    late_pattern(r"(?P<name>[A-Za-z0-9][\w.-]{0,80}) {1,40}\| ?"),  # docker compose
    late_pattern(r"\[(?P<name>[\w@./:-]{1,60})\] ?"),  # concurrently, kubectl --prefix, xdist
    late_pattern(r"(?P<name>@?[A-Za-z][\w@./-]{0,60}:[a-z][\w:-]{0,40}): ?"),  # turbo: package:task:
    late_pattern(r"(?P<name>@?[a-z][\w@./-]{0,60}): (?=\S)"),  # lerna
    late_pattern(r"(?P<name>[\w@./-]{1,60}) (?:test|build|lint|dev)(?::[\w:-]{1,40})?: ?"),  # pnpm -r
)


def find_prefix(lines: Sequence[str]) -> re.Pattern[str] | None:
    """The first known prefix that at least SHARE of the non-empty `lines` carry; None when none does."""
    filled = [line for line in lines if line.strip()]
    if len(filled) < 3:
        return None
    for pattern in PREFIXES:
        matches = [match for match in map(pattern.match, filled) if match]
        if len(matches) < SHARE * len(filled):
            continue
        if "name" in pattern.groupindex and not _plausible_names(matches):
            continue
        return pattern
    return None


def _plausible_names(matches: Sequence[re.Match[str]]) -> bool:
    """Names of services repeat; severities and file names are content, not a prefix."""
    names = {match["name"] for match in matches}
    if len(names) > max(2, len(matches) // 5):
        return False
    lowered = {name.lower() for name in names}
    if lowered & _SEVERITIES:
        return False
    return not any(re.search(r"\.[a-z]{1,4}$", name) for name in lowered)


_SEVERITIES = {"error", "err", "warn", "warning", "info", "debug", "fatal", "trace", "note", "e", "w", "fail", "failed"}
