"""The preamble of a rendered pack: notice and failure list, shortened to its share of the budget."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..model.candidate import Candidate
from ..model.failure import Failure
from ..model.lines import LineRange
from ..model.pack import Listing
from .template import Pricer, Snippet, Template

OVERHEAD_SHARE = 5
"""The preamble may take one part in five (20 %) of the budget."""

MESSAGE_LENGTHS = (600, 200, 80)
"""Message lengths (code points) that are tried before failures are left out of the list."""

MAX_LISTED = 50
"""More failures than this are never listed one by one."""


def target_of(failure: Failure, shown: LineRange | None) -> str:
    """Where the failure's code is: the item that shows its primary line, or that line by itself."""
    primary = failure.primary
    if primary is None:
        return "no line in the workspace"
    return f"{primary.path}:{shown}" if shown else f"{primary.path}:{primary.line} (not in the pack)"


def shown_ranges(failures: Sequence[Failure], snippets: Iterable[Snippet]) -> Mapping[int, tuple[LineRange, ...]]:
    """For each failure (by index) the ranges among `snippets` that contain its primary line."""
    by_path: dict[str, list[LineRange]] = {}
    for snippet in snippets:
        by_path.setdefault(snippet.path, []).append(snippet.range)
    found: dict[int, tuple[LineRange, ...]] = {}
    for index, failure in enumerate(failures):
        if failure.primary is not None:
            line = failure.primary.line
            ranges = by_path.get(failure.primary.path, ())
            found[index] = tuple(lines for lines in ranges if lines.contains(line))
    return found


def preamble_pieces(
    template: Template, failures: Sequence[Failure], items: Iterable[Snippet], listing: Listing
) -> list[str]:
    """The pieces of the preamble as rendered."""
    if not listing.notice:
        return []
    shown = shown_ranges(failures[: listing.failures], items)
    pieces = [template.notice(len(failures))]
    for index, failure in enumerate(failures[: listing.failures]):
        ranges = shown.get(index, ())
        target = target_of(failure, ranges[0] if ranges else None)
        pieces.append(template.failure(index + 1, failure, target, listing.message_length))
    if listing.failures < len(failures):
        pieces.append(template.not_listed(len(failures) - listing.failures))
    return pieces


def preamble_cost(pricer: Pricer, failures: Sequence[Failure], items: Iterable[Snippet], listing: Listing) -> int:
    """Cost of the preamble with what ends the pack."""
    if not listing.notice:
        return 0
    pieces = preamble_pieces(pricer.template, failures, items, listing)
    return sum(pricer.text(piece) for piece in pieces) + pricer.text(pricer.template.closing())


class ListingPlan:
    """Finds the fullest preamble under a limit, whatever items will be chosen later.

    Which item shows a failure is not known before packing, so each line is taken with its costliest target.
    """

    def __init__(self, pricer: Pricer, failures: Sequence[Failure], candidates: Sequence[Candidate]) -> None:
        self._pricer = pricer
        self._failures = failures
        self._listed = failures[:MAX_LISTED]
        self._possible = shown_ranges(self._listed, candidates)
        self._line_costs: dict[int, list[int]] = {}

    def fit(self, limit: int) -> tuple[Listing, int]:
        """The fullest listing that costs at most `limit`, and the most it can cost."""
        template = self._pricer.template
        frame = self._pricer.text(template.notice(len(self._failures))) + self._pricer.text(template.closing())
        if frame > limit:
            return Listing(), 0
        for length in MESSAGE_LENGTHS:
            total = frame + sum(self._costs(length)) + self._not_listed(len(self._listed))
            if total <= limit:
                return Listing(True, len(self._listed), length), total
        return self._fewer(frame, limit)

    def _fewer(self, frame: int, limit: int) -> tuple[Listing, int]:
        length = MESSAGE_LENGTHS[-1]
        costs = self._costs(length)
        for count in range(len(costs) - 1, -1, -1):
            total = frame + sum(costs[:count]) + self._not_listed(count)
            if total <= limit:
                return Listing(True, count, length), total
        return Listing(), 0

    def _not_listed(self, listed: int) -> int:
        count = len(self._failures) - listed
        return self._pricer.text(self._pricer.template.not_listed(count)) if count else 0

    def _costs(self, length: int) -> list[int]:
        known = self._line_costs.get(length)
        if known is None:
            known = [self._line_cost(index, failure, length) for index, failure in enumerate(self._listed)]
            self._line_costs[length] = known
        return known

    def _line_cost(self, index: int, failure: Failure, length: int) -> int:
        choices: list[LineRange | None] = [None, *dict.fromkeys(self._possible.get(index, ()))]
        template = self._pricer.template
        return max(
            self._pricer.text(template.failure(index + 1, failure, target_of(failure, choice), length))
            for choice in choices
        )
