"""Reading order of the chosen items, and which items show which failure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..model.candidate import Reason
from ..model.failure import Failure
from ..model.lines import LineRange
from ..model.pack import PackItem
from .evidence import Evidence


def layout(items: Sequence[PackItem], evidence: Evidence) -> tuple[str, ...]:
    """Ids in reading order: failing evidence first, then the rest grouped by file and by line.

    Failing evidence are items with a failing line (failing files in order) and then other items with
    reason `failure`; the other files come in the order of their best item.
    """
    positions = {path: index for index, path in enumerate(evidence.files)}
    first_rank: dict[str, int] = {}
    for item in items:
        first_rank[item.path] = min(item.rank, first_rank.get(item.path, item.rank))

    def place(item: PackItem) -> tuple[int, int, int, str, int, str]:
        critical = evidence.holds_failing_line(item.path, item.range)
        part = 0 if critical else 1 if item.reason is Reason.FAILURE else 2
        file = positions.get(item.path, len(positions)) if part < 2 else 0
        return (part, file, first_rank[item.path], item.path, item.range.start, item.id)

    return tuple(item.id for item in sorted(items, key=place))


def link_items(failures: Sequence[Failure], items: Sequence[PackItem]) -> Mapping[str, tuple[str, ...]]:
    """For each failure's id the ids of the items that contain one of its locations, most suspicious first."""
    by_path: dict[str, list[tuple[LineRange, str]]] = {}
    for item in items:
        by_path.setdefault(item.path, []).append((item.range, item.id))
    links: dict[str, tuple[str, ...]] = {}
    for failure in failures:
        found: dict[str, None] = {}
        for location in failure.locations:
            for lines, item_id in by_path.get(location.path, ()):
                if lines.contains(location.line):
                    found.setdefault(item_id)
        links[failure.id] = tuple(found)
    return links
