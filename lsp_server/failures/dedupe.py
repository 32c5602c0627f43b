"""Step 7: one location once; recursion collapsed; the same failure reported twice becomes one."""

from __future__ import annotations

from collections.abc import Sequence

from lsp_server.model.failure import Failure, Location
from lsp_server.model.request import Severity
from lsp_server.model.values import replace


def unique_locations(places: Sequence[Location]) -> list[Location]:
    """The first of each (path, line) stays where it is; a recursion's thousand frames become one."""
    seen: dict[tuple[str, int], int] = {}
    kept: list[Location] = []
    for place in places:
        key = (place.path, place.line)
        if key not in seen:
            seen[key] = len(kept)
            kept.append(place)
        elif kept[seen[key]].symbol is None and place.symbol is not None:
            kept[seen[key]] = replace(kept[seen[key]], symbol=place.symbol)
    return kept


def merge_repeats(failures: Sequence[Failure]) -> list[Failure]:
    """Failures with the same places and message (a test printed in the run and again in the summary)."""
    kept: list[Failure] = []
    at: dict[tuple[object, ...], int] = {}
    for failure in failures:
        places = tuple((place.path, place.line) for place in failure.locations)
        key = (places, _head(failure.message)) if places else (failure.test, failure.message)
        same = at.get(key)
        if same is None:
            at[key] = len(kept)
            kept.append(failure)
            continue
        first = kept[same]
        if first.test is None or failure.test is None or first.test == failure.test:
            kept[same] = replace(
                first,
                test=first.test or failure.test,
                code=first.code or failure.code,
                severity=Severity.ERROR if failure.severity is Severity.ERROR else first.severity,
            )
        else:
            kept.append(failure)
    return kept


def _head(message: str) -> str:
    return message.split("\n", 1)[0][:160]
