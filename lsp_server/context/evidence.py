"""What fails, as selection sees it: the failing files in order, and their failing lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field

from ..model.candidate import Candidate
from ..model.failure import Failure, FailureKind
from ..model.lines import LineRange
from ..model.values import Value

_SPANNING_KINDS = frozenset({FailureKind.DIAGNOSTIC, FailureKind.WARNING})
"""Kinds whose range is what a tool underlined (perhaps a whole function), not one failing statement."""


class Evidence(Value):
    """Failing files in diagnostic order, and the failing lines of each (as closed ranges).

    Paths are canonical. A file may fail without a known line.
    """

    files: tuple[str, ...] = ()
    lines: Mapping[str, tuple[LineRange, ...]] = field(default_factory=dict[str, tuple[LineRange, ...]])

    def position(self, path: str) -> int | None:
        """0-based place of `path` among the failing files, or None."""
        return self.files.index(path) if path in self.files else None

    def holds_failing_line(self, path: str, range: LineRange) -> bool:
        """True when `range` of `path` includes a failing line."""
        return any(range.overlaps(lines) for lines in self.lines.get(path, ()))

    def is_critical(self, candidate: Candidate) -> bool:
        """True when the candidate contains a failing line."""
        return self.holds_failing_line(candidate.path, candidate.range)

    @property
    def has_lines(self) -> bool:
        """True when at least one failing line is known."""
        return any(self.lines.values())


NO_EVIDENCE = Evidence()


def evidence_of(failures: Iterable[Failure]) -> Evidence:
    """Evidence from the primary locations of `failures`, in their order.

    The failing lines of a diagnostic are its start line; those of a failing statement (a frame, an
    assertion) all its lines. A stale failure names its file after all others, and no line: its number
    is known to be wrong, and must not put code on top.
    """
    current, stale = list[Failure](), list[Failure]()
    for failure in failures:
        (stale if failure.stale else current).append(failure)
    lines: dict[str, tuple[LineRange, ...]] = {}
    files: dict[str, None] = {}
    for failure in (*current, *stale):
        primary = failure.primary
        if primary is None:
            continue
        files.setdefault(primary.path)
        if failure.stale:
            continue
        last = primary.line if failure.kind in _SPANNING_KINDS else max(primary.line, primary.last_line)
        span = LineRange(primary.line, last)
        known = lines.get(primary.path, ())
        if span not in known:
            lines[primary.path] = (*known, span)
    return Evidence(tuple(files), lines)
